/*
 * rooflog fusion: what its parts share, and what "chart fusion" takes from it.
 *
 * Never add the decisions.
 */
#pragma once

#include "cli/context.h"
#include "cli/runs/runs.h"
#include "model/sizing/sizing.h"

/* What the options say. */
struct fusion_options {
	struct run_filter filter;
	const char *tool;   /* glob; NULL: any */
	double margin;      /* how much faster fused must be: 0.05 is 5 % */
	double noise;       /* of a time without enough repeats */
	const char *commit; /* full oid; NULL: all commits */
};

/* The works of these variants (a NULL-terminated list) that fit the options. */
int fusion_command_load(struct cli *cli, const struct fusion_options *options,
			const char *const *variants, struct fusion_works *works, struct error *err);
/* The times as profile_result.json that the scheduler loads. */
int fusion_command_export(struct cli *cli, const struct fusion_options *options,
			  const struct fusion_works *works, const char *path, struct error *err);
/* What "rooflog fusion --json" prints, of the commit in the options. ERR_STORE when it has no fused
 * and unfused runs that match. */
int fusion_command_document(struct cli *cli, const struct fusion_options *options,
			    struct json **document, struct error *err);
