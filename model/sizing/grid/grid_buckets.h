/*
 * Buckets over two sizes: a list of sizes for each parameter. A request is padded to the next size
 * of each, and takes the time of that pair.
 *
 * Nothing is interpolated. A size that was not measured is padded to the next larger measured one,
 * and so is a pair: the faster of the two pairs that are one size larger counts. A request is not
 * covered if no measured pair is as large as its bucket in both sizes; expectations are over the
 * others.
 */
#pragma once

#include "base/base.h"
#include "model/sizing/grid/size_grid.h"

struct grid_request {
	double sizes[2]; /* the larger ones, if it stands for several requests */
	double weight;
	double work; /* weight x product of the sizes; a sum if it stands for several */
};

/* The input. All sizes are positive; those of the grid are strictly increasing. */
struct grid_problem {
	const double *sizes[2];
	size_t counts[2]; /* 1 to GRID_SIDE_LIMIT */
	/* For each pair of measured sizes, row by row: the time of a request padded to it, and the
	 * pair that was measured for it. NAN: no measured pair is that large. */
	double *seconds;
	size_t *sources;
	const struct grid_request *requests;
	size_t request_count;
};

struct grid_bucket {
	double measured[2]; /* the pair that provides the time */
	double seconds;     /* NAN: no measured pair is that large */
	double ideal;       /* expected time of its requests at the next measured pair */
	double share;       /* share of the covered requests */
};

struct grid_plan {
	double *sizes[2];
	size_t counts[2];
	struct grid_bucket *buckets; /* row by row */
	double covered; /* share of all requests by weight; the figures below are over these */
	double seconds; /* expected time of a request, s; NAN: nothing is covered */
	double ideal;   /* the same, if every measured pair were a bucket */
	double waste;   /* seconds / ideal - 1 */
	double padding; /* 1 - product of sizes requested / computed */
};

/* Fills `seconds` and `sources` from measured times, NAN where a pair was not measured. */
void grid_problem_fill(struct arena *arena, struct grid_problem *problem, const double *measured);
/* Every pair of whole sizes up to the largest measured ones, equally often, as requests that no
 * size in the lists `cuts` divides: the measured sizes and those of every plan to be judged. */
void grid_spread_evenly(struct arena *arena, struct grid_problem *problem,
			const double *const cuts[2], const size_t cut_counts[2]);
/* Index of the first measured size of at least this; the count if there is none. */
size_t grid_place(const struct grid_problem *problem, int side, double size);

/* Evaluates these sizes (increasing) as buckets; sizes above all measured ones are ignored. */
struct grid_plan grid_judge(struct arena *arena, const struct grid_problem *problem,
			    const double *const sizes[2], const size_t counts[2]);
/* Every measured size of each parameter. */
struct grid_plan grid_judge_all(struct arena *arena, const struct grid_problem *problem);
