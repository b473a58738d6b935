/*
 * Buckets: the sizes for which a kernel is compiled. A request is padded to the next bucket and
 * takes that bucket's time. Given measured (size, time) points and a distribution of request sizes,
 * this finds the k buckets with the least expected time, exactly.
 *
 * Nothing is interpolated: only measured sizes are chosen, and a bucket that was not measured has
 * the time of the next larger measured size. Requests above all measured sizes are not covered;
 * expectations are over the others.
 */
#pragma once

#include "base/base.h"

enum { BUCKET_POINT_LIMIT = 4096, BUCKET_LIMIT = 64, REQUEST_SIZE_LIMIT = 1000000 };

struct bucket_point {
	double size, seconds;
};

struct bucket_request {
	double size, weight;
};

/* The input. Sizes are positive and strictly increasing in both lists, times (s) positive, weights
 * >= 0. */
struct bucket_problem {
	const struct bucket_point *points;
	size_t point_count; /* 1 to BUCKET_POINT_LIMIT */
	const struct bucket_request *requests;
	size_t request_count;
};

struct bucket {
	double size;
	double measured; /* measured size that provides the time: its own, or the next larger one */
	double seconds;
	double share; /* share of the covered requests */
};

struct bucket_plan {
	struct bucket *buckets; /* by size */
	size_t count;
	double covered; /* share of all requests by weight; the figures below are over these */
	double seconds; /* expected time of a request, s; NAN: nothing is covered */
	double ideal;   /* the same, if every measured size were a bucket */
	double waste;   /* seconds / ideal - 1; negative if larger sizes were measured faster */
	double padding; /* 1 - tokens requested / tokens computed */
};

/* Evaluates these sizes (increasing) as buckets; sizes above all measured ones are ignored. */
struct bucket_plan buckets_judge(struct arena *arena, const struct bucket_problem *problem,
				 const double *sizes, size_t count);
/* The plan of at most k buckets (1 to BUCKET_LIMIT) with the least expected time among all that
 * cover every request up to the largest measured size. Among plans of equal time (except for
 * rounding) the one with fewer buckets, then the one with the smaller largest bucket, and so on
 * downwards. */
struct bucket_plan buckets_best(struct arena *arena, const struct bucket_problem *problem,
				size_t k);
/* Every measured size as a bucket: no padding beyond the next measured size. */
struct bucket_plan buckets_all(struct arena *arena, const struct bucket_problem *problem);
