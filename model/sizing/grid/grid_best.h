/*
 * The best buckets over two sizes: the lists of sizes with the least expected time.
 *
 * For given sizes of one parameter the best sizes of the other are found exactly, by dynamic
 * programming. All lists of the parameter that has fewer of them are tried, if that takes at most
 * `effort` steps: then the plan is the best there is. Otherwise each list is improved for the other
 * in turn until neither changes, from three beginnings: no single list can then be improved.
 */
#pragma once

#include "base/base.h"
#include "model/sizing/grid/grid_buckets.h"

enum { GRID_BUCKET_LIMIT = 64 }; /* sizes of one parameter in a plan */

struct grid_best {
	struct grid_plan plan;
	bool exact; /* all lists were tried */
};

/* The plan of at most `most` measured sizes of each parameter that covers the most requests, and
 * among those the one with the least expected time; among equals (except for rounding) one with the
 * fewest buckets. `effort`: a step takes about a nanosecond. */
struct grid_best grid_best_of(struct arena *arena, const struct grid_problem *problem,
			      const size_t most[2], double effort);
