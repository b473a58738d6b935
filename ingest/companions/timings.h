/*
 * Reader of timings.json: times that were taken beside a profile, each with its
 * unit:
 *
 *   {"kernel": "mlp", "variant": "nkilib", "host_time": "4039.86 ms",
 *    "compile_time": "4312 ms"}
 *
 * Host, compile and device time stay apart: they are metrics of their own. A
 * list of quantities are the repeats. The times join the runs that other files
 * of the directory give (of that kernel and variant, where they are named);
 * where there is none they are a run of their own, of the tool class "timings".
 *
 * A number without a unit is refused: whether it means ms or us is what goes
 * wrong most often. So is every name that is not known.
 */
#ifndef INGEST_COMPANIONS_TIMINGS_H
#define INGEST_COMPANIONS_TIMINGS_H

#include "ingest/reader.h"

extern const struct reader timings_reader;

#endif
