/* For one grid: the best choice of buckets over both sizes, and the usual ones to compare it
 * with. */
#pragma once

#include "base/base.h"
#include "model/message/message.h"
#include "model/sizing/grid/grid_best.h"
#include "model/sizing/grid/grid_buckets.h"
#include "model/sizing/grid/grid_dependence.h"

enum { GRID_PLANS = 5 };

struct named_grid_plan {
	const struct message *name;
	struct grid_plan plan;
};

struct grid_shape {
	const struct size_grids *grids;
	const struct size_grid *grid;
	struct grid_problem problem;
	struct grid_dependence dependence[2]; /* as grid_dependence_times() uses it */
	bool uniform; /* every pair of sizes up to the largest measured ones equally often */
	bool exact;   /* the best plan is the best of all */
	struct named_grid_plan plans[GRID_PLANS]; /* the best plan first */
};

/* The user's request. */
struct grid_wish {
	const struct grid_request *requests; /* NULL: every pair of sizes equally often */
	size_t request_count;
	size_t most[2]; /* at most this many sizes of each parameter */
	double effort;  /* of grid_best_of() */
};

/* Fills the rest of a shape whose `grids` and `grid` are set. */
void grid_shape_plan(struct arena *arena, const struct grid_wish *wish, struct grid_shape *shape);
