/* Plans of buckets for one grid. */
#include "model/sizing/grid/grid_plans.h"

enum { POWER_LIMIT = 31, VLLM_LIMIT = 5 };
/* Sequence lengths that vLLM compiles for by default; its batch sizes are powers of two. */
static const double vllm_sizes[VLLM_LIMIT] = {128, 256, 512, 1024, 2048};

/* Powers of two for each parameter. */
struct usual_sizes {
	double powers[2][POWER_LIMIT], largest[2];
	size_t power_counts[2];
	int batch; /* the parameter that vLLM's batch sizes are for */
};

static struct usual_sizes usual_sizes_of(const struct grid_shape *shape)
{
	struct usual_sizes usual = {.batch = 0};
	const char *const *names = shape->grids->names;
	for (int s = 0; s < 2; s++) {
		usual.largest[s] = shape->grid->sizes[s][shape->grid->counts[s] - 1];
		for (double size = 1;
		     size <= usual.largest[s] && usual.power_counts[s] < POWER_LIMIT; size *= 2)
			usual.powers[s][usual.power_counts[s]++] = size;
	}
	/* The order as given decides, except for --over s,b. */
	if (names[1][0] == 'b' && names[0][0] != 'b')
		usual.batch = 1;
	return usual;
}

static void spread_evenly(struct arena *arena, const struct usual_sizes *usual,
			  struct grid_shape *shape)
{
	const double *cuts[2];
	size_t counts[2];
	for (int s = 0; s < 2; s++) {
		const struct size_grid *grid = shape->grid;
		size_t measured = grid->counts[s], powers = usual->power_counts[s];
		double *list = arena_array(arena, measured + powers + VLLM_LIMIT, sizeof *list);
		memcpy(list, grid->sizes[s], measured * sizeof *list);
		memcpy(list + measured, usual->powers[s], powers * sizeof *list);
		memcpy(list + measured + powers, vllm_sizes, sizeof vllm_sizes);
		cuts[s] = list;
		counts[s] = measured + powers + VLLM_LIMIT;
	}
	grid_spread_evenly(arena, &shape->problem, cuts, counts);
	shape->uniform = true;
}

static void plan_usual(struct arena *arena, const struct usual_sizes *usual,
		       struct grid_shape *shape)
{
	const struct grid_problem *problem = &shape->problem;
	const char *const *names = shape->grids->names;
	int batch = usual->batch;
	const double *powers[2] = {usual->powers[0], usual->powers[1]};
	const double *one[2] = {&usual->largest[0], &usual->largest[1]};
	const double *vllm[2] = {powers[0], powers[1]};
	size_t vllm_counts[2] = {usual->power_counts[0], usual->power_counts[1]};
	vllm[!batch] = vllm_sizes;
	vllm_counts[!batch] = VLLM_LIMIT;
	struct named_grid_plan plans[GRID_PLANS - 1] = {
		{message_of(arena, MESSAGE_PLAN_PAIR_VLLM, message_text(names[batch])),
		 grid_judge(arena, problem, vllm, vllm_counts)},
		{message_plain(MESSAGE_PLAN_POWERS),
		 grid_judge(arena, problem, powers, usual->power_counts)},
		{message_plain(MESSAGE_PLAN_ONE),
		 grid_judge(arena, problem, one, (const size_t[]){1, 1})},
		{message_plain(MESSAGE_PLAN_ALL), grid_judge_all(arena, problem)},
	};
	memcpy(shape->plans + 1, plans, sizeof plans);
}

void grid_shape_plan(struct arena *arena, const struct grid_wish *wish, struct grid_shape *shape)
{
	const struct size_grid *grid = shape->grid;
	struct usual_sizes usual = usual_sizes_of(shape);
	for (int s = 0; s < 2; s++)
		shape->dependence[s] = grid_dependence_of(arena, grid, s);
	shape->problem = (struct grid_problem){
		.sizes = {grid->sizes[0], grid->sizes[1]},
		.counts = {grid->counts[0], grid->counts[1]},
		.requests = wish->requests,
		.request_count = wish->request_count,
	};
	grid_problem_fill(arena, &shape->problem,
			  grid_dependence_times(arena, grid, shape->dependence));
	if (!wish->requests)
		spread_evenly(arena, &usual, shape);
	struct grid_best best = grid_best_of(arena, &shape->problem, wish->most, wish->effort);
	shape->exact = best.exact;
	shape->plans[0] = (struct named_grid_plan){message_of(arena, MESSAGE_PLAN_PAIR_BEST,
							      message_integer(wish->most[0]),
							      message_integer(wish->most[1])),
						   best.plan};
	plan_usual(arena, &usual, shape);
}
