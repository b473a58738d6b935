/* For one line of a sweep: the best choice of buckets, and the usual ones to compare it with. */
#pragma once

#include "base/base.h"
#include "model/message/message.h"
#include "model/sizing/buckets.h"
#include "model/sizing/dependence.h"
#include "model/sizing/sweep.h"

enum { BUCKET_PLANS = 5 };

struct named_plan {
	const struct message *name;
	struct bucket_plan plan;
};

struct bucket_shape {
	const struct sweep *sweep;
	const struct sweep_line *line;
	struct bucket_problem problem;
	/* If the times do not depend on the size, each point has the median of all. */
	struct dependence dependence;
	bool uniform; /* every size up to the largest measured one is requested equally often */
	struct named_plan plans[BUCKET_PLANS]; /* the best plan first */
};

/* The user's request. */
struct bucket_wish {
	struct bucket_request *sizes; /* NULL: every size equally often */
	size_t size_count;
	size_t k; /* at most this many buckets */
};

/* Fills `problem` and `plans` of a line with at least two sizes. ERR_USAGE for too many sizes, or
 * too large ones. */
int bucket_shape_plan(struct arena *arena, const struct bucket_wish *wish,
		      struct bucket_shape *shape, struct error *err);
