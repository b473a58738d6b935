/* Plans of buckets for one line of a sweep. */
#include "model/sizing/bucket_plans.h"

#include "model/statistics/statistics.h"

enum { POWER_LIMIT = 31 };
/* Sequence lengths that vLLM compiles for by default. */
static const double vllm_sizes[] = {128, 256, 512, 1024, 2048};

static int spread_evenly(struct arena *arena, struct bucket_shape *shape, struct error *err)
{
	double largest = floor(shape->line->points[shape->line->count - 1].x);
	if (largest > REQUEST_SIZE_LIMIT)
		return error_set(err, ERR_USAGE,
				 "%.80s=%.0f is too large to take every size up to it alike: give "
				 "the sizes with --sizes FILE",
				 shape->sweep->x, largest);
	size_t count = (size_t)largest;
	struct bucket_request *requests = arena_array(arena, count, sizeof *requests);
	for (size_t i = 0; i < count; i++)
		requests[i] = (struct bucket_request){(double)(i + 1), 1};
	shape->problem.requests = requests;
	shape->problem.request_count = count;
	shape->uniform = true;
	return 0;
}

static size_t powers_of_two(double largest, double sizes[POWER_LIMIT])
{
	size_t count = 0;
	for (double size = 1; size <= largest && count < POWER_LIMIT; size *= 2)
		sizes[count++] = size;
	return count;
}

static void plan_shape(struct arena *arena, struct bucket_shape *shape, size_t k)
{
	const struct bucket_problem *problem = &shape->problem;
	double powers[POWER_LIMIT], largest = problem->points[problem->point_count - 1].size;
	size_t power_count = powers_of_two(largest, powers);
	struct named_plan plans[BUCKET_PLANS] = {
		{message_of(arena, MESSAGE_PLAN_BEST, message_integer(k)),
		 buckets_best(arena, problem, k)},
		{message_plain(MESSAGE_PLAN_VLLM),
		 buckets_judge(arena, problem, vllm_sizes, sizeof vllm_sizes / sizeof *vllm_sizes)},
		{message_plain(MESSAGE_PLAN_POWERS),
		 buckets_judge(arena, problem, powers, power_count)},
		{message_plain(MESSAGE_PLAN_ONE), buckets_judge(arena, problem, &largest, 1)},
		{message_plain(MESSAGE_PLAN_ALL), buckets_all(arena, problem)},
	};
	for (size_t i = 0; i < BUCKET_PLANS; i++)
		shape->plans[i] = plans[i];
}

int bucket_shape_plan(struct arena *arena, const struct bucket_wish *wish,
		      struct bucket_shape *shape, struct error *err)
{
	const struct sweep_line *line = shape->line;
	if (line->count > BUCKET_POINT_LIMIT)
		return error_set(err, ERR_USAGE, "%.200s: there are more than %d measured sizes",
				 line->name, (int)BUCKET_POINT_LIMIT);
	struct bucket_point *points = arena_array(arena, line->count, sizeof *points);
	double *times = arena_array(arena, line->count, sizeof *times);
	for (size_t i = 0; i < line->count; i++)
		times[i] = line->points[i].seconds;
	shape->dependence = dependence_of(arena, line->points, line->count);
	double same = shape->dependence.none ? median_of(times, line->count) : NAN;
	for (size_t i = 0; i < line->count; i++)
		points[i] = (struct bucket_point){line->points[i].x, isnan(same) ? times[i] : same};
	shape->problem =
		(struct bucket_problem){points, line->count, wish->sizes, wish->size_count};
	if (!wish->sizes && spread_evenly(arena, shape, err) < 0)
		return -1;
	plan_shape(arena, shape, wish->k);
	return 0;
}
