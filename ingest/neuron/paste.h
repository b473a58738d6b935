/*
 * Reader of summary fields copied from the profiler's screen into a Markdown
 * table:
 *
 *   | **total_time**     | 54.82 **ms**  |
 *   | **hbm_read_bytes** | 3.995 **GiB** |
 *   | **mfu_estimated_percent** | 10.45 **%** |
 *
 * The screen scales and rounds: every figure must have its unit here, where the
 * profiler's own files have none (and fractions for percentages); one without
 * is refused, as it may come from either. What can be recomputed (ratios and
 * percentages) is checked for its unit and then left out: four digits of it are
 * worse than the formula. Such runs are a tool class of their own.
 */
#ifndef INGEST_NEURON_PASTE_H
#define INGEST_NEURON_PASTE_H

#include "ingest/reader.h"

extern const struct reader neuron_paste_reader;

#endif
