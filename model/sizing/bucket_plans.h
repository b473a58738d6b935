/* The usual ways to choose buckets beside the best one, for one line of a sweep. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "model/message/message.h"
#include "model/sizing/buckets.h"
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
	bool uniform; /* every size up to the largest measured is requested alike */
	struct named_plan plans[BUCKET_PLANS]; /* the best one first */
};

/* What is asked for. */
struct bucket_wish {
	struct bucket_request *sizes; /* NULL: every size alike */
	size_t size_count;
	size_t k; /* at most so many buckets */
};

/* Of a line of at least two sizes; ERR_USAGE for too many, or too large ones. */
int bucket_shape_plan(struct arena *arena, const struct bucket_wish *wish,
		      struct bucket_shape *shape, struct error *err);
