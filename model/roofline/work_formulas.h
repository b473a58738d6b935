/*
 * The work of kernels as formulas over their parameters: [work "kernel"] sections.
 * They give algorithmic_flops and algorithmic_bytes to runs whose files have none.
 * A name in a formula is a parameter of the run; w is the bytes of one element of
 * its dtype unless a parameter is called so.
 */
#pragma once

#include "model/run/run.h"

struct work_rule {
	const char *name;
	const char *kernel;  /* a pattern with * and ? */
	const char *variant; /* likewise; NULL: any */
	const char *flops;   /* a formula, or NULL */
	const char *bytes;
	const char *source; /* where it stands: ".rooflog/config:12" */
};

struct work_list {
	struct work_rule *items;
	size_t count;
	size_t capacity;
};

/* What the last rule that fits the run's kernel and variant says; NULL when none fits. A formula
 * that cannot be computed for this run leaves its number NAN and says why in `fault`. */
const struct run_work *work_formulas_apply(struct arena *arena, const struct work_list *list,
					   const struct run *run);
