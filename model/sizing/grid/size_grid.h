/*
 * Runs in which two sizes vary, as grids of times: runs that differ only in these parameters form a
 * grid. The first parameter numbers the rows, the second the columns.
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"

enum { GRID_SIDE_LIMIT = 256 }; /* sizes of one parameter in a grid */

struct size_grid {
	const char *name;      /* what distinguishes it from the other grids: "matmul K=128" */
	const struct run *run; /* one of its runs */
	enum metric time;      /* time metric of all its runs */
	double *sizes[2];      /* sorted, each once */
	size_t counts[2];
	double *seconds; /* row by row; NAN: this pair of sizes was not measured */
	size_t measured; /* pairs with a time */
};

struct size_grids {
	const char *names[2];    /* the parameters */
	const char *common;      /* what all grids share; "" for nothing */
	struct size_grid *items; /* in the order of the lines of a sweep */
	size_t count;
	size_t flat;    /* grids left out, because one of the parameters has a single size */
	size_t skipped; /* runs without a time, or without a positive number for a parameter */
};

/* If several runs share a pair, their median time counts, as for sweep_of(). ERR_USAGE with a
 * sentence if no grid has two sizes of each parameter, or one has more than GRID_SIDE_LIMIT. */
int grid_all_of(struct arena *arena, const struct run *const *runs, size_t count,
		const char *const names[2], struct size_grids *grids, struct error *err);
