/* Which runs the gate compares: series of a commit paired with their baselines. */
#ifndef CLI_GATE_DATA_H
#define CLI_GATE_DATA_H

#include "cli/runs.h"
#include "model/gate.h"

struct gate_request {
	const char *oid;     /* full */
	const char *against; /* "nearest" (ancestor with data, per series), a named baseline or a
			      * revision */
	const struct run_filter *filter; /* NULL: all series */
	struct gate_treatment treatment;
};

/* Finds both sides, judges, and warns of policies that fit nothing. Runs of both sides are derived.
 */
int cli_gate(struct cli *cli, const struct gate_request *request, struct gate *gate,
	     struct error *err);

#endif
