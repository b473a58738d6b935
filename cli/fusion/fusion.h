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
	const char *tool;   /* glob on the tool class; NULL: any */
	double margin;      /* how much faster fused must be: 0.05 is 5 % */
	const char *commit; /* full oid; NULL: all commits */
};

/* The document that "rooflog fusion --json" prints, for the commit in the options. ERR_STORE if
 * that commit has no matching fused and unfused runs. */
int fusion_command_document(struct cli *cli, const struct fusion_options *options,
			    struct json **document, struct error *err);
