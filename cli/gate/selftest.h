/*
 * A gate that proves that it can fail: a slowdown is planted into the candidate of every judged
 * comparison, one at a time and in memory only, and the gate decides again.
 */
#ifndef CLI_GATE_SELFTEST_H
#define CLI_GATE_SELFTEST_H

#include "cli/context.h"
#include "model/gate/gate.h"

/* "25 %", "0.25" -> 0.25; an empty text is the default. */
int gate_selftest_share(const char *text, double *share, struct error *err);

/* The document of docs/report-document.md. Its exit_status: 0 all judged primary comparisons would
 * be flagged, 3 some not, 4 nothing was judged. */
struct json *gate_selftest(struct cli *cli, const struct gate *gate, double share);
const char *gate_selftest_text(struct arena *arena, const struct json *document);

#endif
