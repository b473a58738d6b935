/* Which runs the gate compares: series of a commit paired with their baselines. */
#ifndef CLI_GATE_DATA_H
#define CLI_GATE_DATA_H

#include "cli/runs.h"
#include "model/gate.h"

/* Judges `oid` against "nearest" (ancestor with data, per series), a named baseline or a
 * revision. Fills *gate; runs of both sides are derived. */
int cli_gate(struct cli *cli, const char *oid, const char *against,
	     const struct gate_treatment *treatment, struct gate *gate, struct error *err);

#endif
