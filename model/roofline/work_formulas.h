/*
 * The work of kernels as formulas over their parameters: [work "kernel"] sections of the
 * configuration. They provide algorithmic_flops and algorithmic_bytes for runs whose files have
 * none. A name in a formula is a parameter of the run; w is the size of one element of its dtype in
 * bytes, unless a parameter has that name.
 */
#pragma once

#include "model/run/run.h"

struct work_rule {
	const char *name;
	const char *kernel;  /* a pattern with * and ? */
	const char *variant; /* likewise; NULL: any */
	const char *flops;   /* a formula, or NULL */
	const char *bytes;
	const char *source; /* file and line: ".rooflog/config:12" */
};

struct work_list {
	struct work_rule *items;
	size_t count;
	size_t capacity;
};

/* Applies the last rule that matches the run's kernel and variant; NULL if none does. A formula
 * that cannot be computed for this run leaves its number NAN and states why in `fault`. */
const struct run_work *work_formulas_apply(struct arena *arena, const struct work_list *list,
					   const struct run *run);
