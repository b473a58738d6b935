/*
 * rooflog fusion: its options, and the document for "chart fusion".
 *
 * Never add the decisions: they are in model/fusion.
 */
#pragma once

#include "cli/context.h"
#include "cli/runs/runs.h"
#include "model/sizing/sizing.h"

/* The options of the command. */
struct fusion_options {
	struct run_filter filter;
	double margin;      /* how much faster fused must be: 0.05 is 5 % */
	double noise;       /* relative sd of a time that has too few repeats to estimate it */
	const char *commit; /* full oid; NULL: all commits */
};

/* The document that "rooflog fusion --json" prints, for the commit in the options. ERR_STORE if
 * that commit has no matching fused and unfused runs. */
int fusion_command_document(struct cli *cli, const struct fusion_options *options,
			    struct json **document, struct error *err);
