/*
 * Buckets: the sizes for which a kernel is compiled. A request is padded up to the next bucket
 * and takes that bucket's time. From measured (size, time) points and a distribution of request
 * sizes this chooses the k buckets with the least expected time, exactly.
 *
 * Nothing between measured sizes is invented: only measured sizes are chosen, and a bucket that
 * was not measured itself has the time of the next larger size that was. Requests for which
 * there is no such size are not covered; expectations are over the others.
 */
#ifndef MODEL_SIZING_BUCKETS_H
#define MODEL_SIZING_BUCKETS_H

#include <stddef.h>

#include "base/arena.h"

enum { BUCKET_POINT_LIMIT = 4096, BUCKET_LIMIT = 64, REQUEST_SIZE_LIMIT = 1000000 };

struct bucket_point {
	double size, seconds;
};

struct bucket_request {
	double size, weight;
};

/* What is chosen from; sizes are positive and strictly increasing in both lists, times positive,
 * weights >= 0. */
struct bucket_problem {
	const struct bucket_point *points;
	size_t point_count; /* 1 to BUCKET_POINT_LIMIT */
	const struct bucket_request *requests;
	size_t request_count;
};

struct bucket {
	double size;
	double measured; /* the measured size whose time it has: its own, or the next larger */
	double seconds;
	double share; /* of the covered requests */
};

struct bucket_plan {
	struct bucket *buckets; /* by size */
	size_t count;
	double covered; /* share of the weight of all requests; the rest below is over these */
	double seconds; /* expected time of a request; NAN when nothing is covered */
	double ideal;   /* the same with every request at the next measured size */
	double waste;   /* seconds / ideal - 1; below 0 where larger sizes were measured faster */
	double padding; /* 1 - tokens requested / tokens computed */
};

/* The plan that uses these sizes (increasing) as buckets; those above all measured sizes are left
 * out. */
struct bucket_plan buckets_judge(struct arena *arena, const struct bucket_problem *problem,
				 const double *sizes, size_t count);
/* The plan of at most k buckets (1 to BUCKET_LIMIT) with the least expected time among all that
 * cover every request up to the largest measured size. Of plans with equal time (but for
 * rounding) the one with fewer
 * buckets, then the one whose largest bucket is smaller, and so on downwards. */
struct bucket_plan buckets_best(struct arena *arena, const struct bucket_problem *problem,
				size_t k);
/* Every measured size a bucket: no padding beyond the next measured size. */
struct bucket_plan buckets_all(struct arena *arena, const struct bucket_problem *problem);

#endif
