/* Evaluates lists of sizes for two parameters. */
#include "model/sizing/grid/grid_buckets.h"

size_t grid_place(const struct grid_problem *problem, int side, double size)
{
	return array_lower_bound(&size, problem->sizes[side], problem->counts[side], sizeof(double),
				 array_by_double);
}

/* From the largest pair downwards, so that what a pair is padded to is known before it. */
void grid_problem_fill(struct arena *arena, struct grid_problem *problem, const double *measured)
{
	size_t rows = problem->counts[0], columns = problem->counts[1];
	problem->seconds = arena_array(arena, rows * columns, sizeof(double));
	problem->sources = arena_array(arena, rows * columns, sizeof(size_t));
	for (size_t cell = rows * columns; cell-- > 0;) {
		size_t down = cell + columns, right = cell + 1, next = cell;
		double below = down < rows * columns ? problem->seconds[down] : NAN;
		double beside = right % columns ? problem->seconds[right] : NAN;
		problem->seconds[cell] = measured[cell];
		if (isnan(measured[cell])) {
			problem->seconds[cell] = fmin(below, beside);
			next = below <= beside || isnan(beside) ? down : right;
		}
		problem->sources[cell] = next == cell || isnan(problem->seconds[cell])
						 ? cell
						 : problem->sources[next];
	}
}

/* --- every pair of sizes --- */

struct steps {
	double *sizes;
	double *counts, *sums; /* of the whole numbers above the size before, up to this one */
	size_t count;
};

static struct steps steps_of(struct arena *arena, const double *cuts, size_t count, double largest)
{
	struct steps steps = {arena_array(arena, count, sizeof(double)),
			      arena_array(arena, count, sizeof(double)),
			      arena_array(arena, count, sizeof(double)), 0};
	double *sorted = arena_array(arena, count, sizeof *sorted), below = 0;
	memcpy(sorted, cuts, count * sizeof *sorted);
	array_sort(sorted, count, sizeof *sorted, array_by_double);
	for (size_t i = 0; i < count && sorted[i] <= largest; i++) {
		double high = floor(sorted[i]), numbers = high - below;
		if (!(numbers > 0))
			continue;
		steps.sizes[steps.count] = high;
		steps.counts[steps.count] = numbers;
		steps.sums[steps.count++] = (below + 1 + high) / 2 * numbers;
		below = high;
	}
	return steps;
}

void grid_spread_evenly(struct arena *arena, struct grid_problem *problem,
			const double *const cuts[2], const size_t cut_counts[2])
{
	struct steps steps[2];
	for (int side = 0; side < 2; side++)
		steps[side] = steps_of(arena, cuts[side], cut_counts[side],
				       problem->sizes[side][problem->counts[side] - 1]);
	struct grid_request *requests =
		arena_array(arena, steps[0].count * steps[1].count, sizeof *requests);
	size_t used = 0;
	for (size_t i = 0; i < steps[0].count; i++)
		for (size_t k = 0; k < steps[1].count; k++)
			requests[used++] =
				(struct grid_request){{steps[0].sizes[i], steps[1].sizes[k]},
						      steps[0].counts[i] * steps[1].counts[k],
						      steps[0].sums[i] * steps[1].sums[k]};
	problem->requests = requests;
	problem->request_count = used;
}

/* --- judging --- */

static struct grid_plan plan_of(struct arena *arena, const struct grid_problem *problem,
				const double *const sizes[2], const size_t counts[2])
{
	struct grid_plan plan = {0};
	size_t columns = problem->counts[1];
	for (int side = 0; side < 2; side++) {
		plan.sizes[side] = arena_array(arena, counts[side], sizeof(double));
		for (size_t i = 0; i < counts[side]; i++)
			if (grid_place(problem, side, sizes[side][i]) < problem->counts[side])
				plan.sizes[side][plan.counts[side]++] = sizes[side][i];
	}
	plan.buckets = arena_array(arena, plan.counts[0] * plan.counts[1], sizeof *plan.buckets);
	for (size_t i = 0; i < plan.counts[0]; i++)
		for (size_t k = 0; k < plan.counts[1]; k++) {
			size_t cell = grid_place(problem, 0, plan.sizes[0][i]) * columns +
				      grid_place(problem, 1, plan.sizes[1][k]);
			size_t source = problem->sources[cell];
			plan.buckets[i * plan.counts[1] + k] = (struct grid_bucket){
				.measured = {problem->sizes[0][source / columns],
					     problem->sizes[1][source % columns]},
				.seconds = problem->seconds[cell]};
		}
	return plan;
}

static size_t bucket_place(const struct grid_plan *plan, int side, double size)
{
	return array_lower_bound(&size, plan->sizes[side], plan->counts[side], sizeof(double),
				 array_by_double);
}

/* The bucket of a request; NULL if it is not covered. `ideal`: its time at the next measured
 * pair. */
static struct grid_bucket *bucket_of(const struct grid_problem *problem,
				     const struct grid_plan *plan,
				     const struct grid_request *request, size_t at[2],
				     double *ideal)
{
	size_t measured[2];
	for (int side = 0; side < 2; side++) {
		at[side] = bucket_place(plan, side, request->sizes[side]);
		measured[side] = grid_place(problem, side, request->sizes[side]);
		if (at[side] == plan->counts[side])
			return NULL;
	}
	*ideal = problem->seconds[measured[0] * problem->counts[1] + measured[1]];
	struct grid_bucket *bucket = &plan->buckets[at[0] * plan->counts[1] + at[1]];
	return isnan(bucket->seconds) ? NULL : bucket;
}

struct grid_plan grid_judge(struct arena *arena, const struct grid_problem *problem,
			    const double *const sizes[2], const size_t counts[2])
{
	struct grid_plan plan = plan_of(arena, problem, sizes, counts);
	double all = 0, covered = 0, seconds = 0, ideal = 0, wanted = 0, computed = 0;
	for (size_t i = 0; i < problem->request_count; i++) {
		const struct grid_request *request = &problem->requests[i];
		double own;
		size_t at[2];
		struct grid_bucket *bucket = bucket_of(problem, &plan, request, at, &own);
		all += request->weight;
		if (!bucket)
			continue;
		covered += request->weight;
		seconds += request->weight * bucket->seconds;
		ideal += request->weight * own;
		wanted += request->work;
		computed += request->weight * plan.sizes[0][at[0]] * plan.sizes[1][at[1]];
		bucket->share += request->weight;
		bucket->ideal += request->weight * own;
	}
	for (size_t i = 0; i < plan.counts[0] * plan.counts[1]; i++) {
		plan.buckets[i].ideal /= plan.buckets[i].share;
		plan.buckets[i].share = covered > 0 ? plan.buckets[i].share / covered : 0;
	}
	plan.covered = all > 0 ? covered / all : 0;
	plan.seconds = seconds / covered;
	plan.ideal = ideal / covered;
	plan.waste = seconds / ideal - 1;
	plan.padding = 1 - wanted / computed;
	return plan;
}

struct grid_plan grid_judge_all(struct arena *arena, const struct grid_problem *problem)
{
	return grid_judge(arena, problem, problem->sizes, problem->counts);
}
