/* Buckets over two sizes: judged plans by hand, chosen ones against all pairs of lists. */
#include "model/sizing/grid/grid.h"

#include <math.h>
#include <string.h>

#include "unit/unit.h"

enum { side_most = 5, request_most = 12 };

static unsigned next_random(unsigned *state, unsigned below)
{
	*state = *state * 1664525u + 1013904223u;
	return (*state >> 8) % below;
}

START_TEST(pads_a_pair_to_what_was_measured)
{
	static const double rows[] = {1, 2, 4}, columns[] = {128, 256};
	/* (1, 128) is missing: (2, 128) is faster than (1, 256). Nothing holds (4, 256). */
	static const double measured[] = {NAN, 9, 5, NAN, 7, NAN};
	struct grid_problem problem = {.sizes = {rows, columns}, .counts = {3, 2}};
	struct arena arena = {0};
	grid_problem_fill(&arena, &problem, measured);
	ck_assert_double_eq(problem.seconds[0], 5);
	ck_assert_uint_eq(problem.sources[0], 2);
	ck_assert_double_eq(problem.seconds[1], 9);
	ck_assert(isnan(problem.seconds[3]) && isnan(problem.seconds[5]));
	ck_assert_double_eq(problem.seconds[4], 7);
	arena_free(&arena);
}
END_TEST

START_TEST(judges_by_hand)
{
	static const double rows[] = {1, 2, 4}, columns[] = {128, 256};
	static const double measured[] = {1, 2, 3, 5, 4, NAN};
	static const struct grid_request requests[] = {{{1, 100}, 2, 200},
						       {{2, 128}, 1, 256},
						       {{2, 200}, 1, 400},
						       {{3, 200}, 4, 2400},
						       {{9, 1}, 2, 18}};
	struct grid_problem problem = {.sizes = {rows, columns},
				       .counts = {3, 2},
				       .requests = requests,
				       .request_count = 5};
	struct arena arena = {0};
	grid_problem_fill(&arena, &problem, measured);
	/* 2 is a bucket of its own; 150 has the time of 256, and 512 holds nothing measured. */
	const double *sizes[] = {(const double[]){2, 4}, (const double[]){150, 512}};
	struct grid_plan plan = grid_judge(&arena, &problem, sizes, (const size_t[]){2, 2});
	ck_assert_uint_eq(plan.counts[0], 2);
	ck_assert_uint_eq(plan.counts[1], 1);
	ck_assert_double_eq(plan.covered, 0.3);
	ck_assert_double_eq(plan.buckets[0].measured[0], 2);
	ck_assert_double_eq(plan.buckets[0].measured[1], 256);
	ck_assert_double_eq(plan.buckets[0].share, 1);
	ck_assert_double_eq_tol(plan.buckets[0].ideal, (2 * 1 + 3) / 3.0, 1e-15);
	ck_assert(isnan(plan.buckets[1].seconds));
	ck_assert_double_eq(plan.seconds, 5);
	ck_assert_double_eq_tol(plan.waste, 5 / (5 / 3.0) - 1, 1e-15);
	ck_assert_double_eq_tol(plan.padding, 1 - (200 + 256) / (3 * 2 * 150.0), 1e-15);
	/* (4, 256) is unknown: the row 4 covers nothing more. */
	struct grid_best best = grid_best_of(&arena, &problem, (const size_t[]){3, 2}, 1e6);
	ck_assert(best.exact);
	ck_assert_double_eq(best.plan.covered, 0.4);
	ck_assert_double_eq(best.plan.seconds, (2 * 1 + 3 + 5) / 4.0);
	ck_assert_double_eq(best.plan.waste, 0);
	arena_free(&arena);
}
END_TEST

/* Every pair of whole sizes, one by one, against the steps between the cuts. */
START_TEST(spreads_evenly)
{
	static const double rows[] = {2, 5}, columns[] = {3, 4, 7.5};
	static const double measured[] = {1, 2, 4, 3, 5, 9};
	struct grid_problem problem = {.sizes = {rows, columns}, .counts = {2, 3}};
	struct arena arena = {0};
	struct grid_request every[35];
	size_t count = 0;
	grid_problem_fill(&arena, &problem, measured);
	const double *sizes[] = {(const double[]){1, 5}, (const double[]){4, 6, 7}};
	const double *cuts[] = {(const double[]){1, 5, 2}, (const double[]){3, 4, 7.5, 4, 6, 7}};
	grid_spread_evenly(&arena, &problem, cuts, (const size_t[]){3, 6});
	struct grid_plan steps = grid_judge(&arena, &problem, sizes, (const size_t[]){2, 3});
	for (int i = 1; i <= 5; i++)
		for (int k = 1; k <= 7; k++)
			every[count++] = (struct grid_request){{i, k}, 1, i * k};
	problem.requests = every;
	problem.request_count = count;
	struct grid_plan plain = grid_judge(&arena, &problem, sizes, (const size_t[]){2, 3});
	ck_assert_double_eq(steps.covered, 1);
	ck_assert_double_eq_tol(steps.seconds, plain.seconds, 1e-12);
	ck_assert_double_eq_tol(steps.waste, plain.waste, 1e-12);
	ck_assert_double_eq_tol(steps.padding, plain.padding, 1e-12);
	for (size_t i = 0; i < 6; i++)
		ck_assert_double_eq_tol(steps.buckets[i].share, plain.buckets[i].share, 1e-12);
	arena_free(&arena);
}
END_TEST

/* --- all pairs of lists --- */

struct cost {
	double missed, seconds;
	unsigned buckets;
};

static unsigned members(unsigned subset)
{
	unsigned count = 0;
	for (; subset; subset &= subset - 1)
		count++;
	return count;
}

static size_t next_of(const struct grid_problem *problem, int side, unsigned subset, double size)
{
	for (size_t i = 0; i < problem->counts[side]; i++)
		if ((subset & (1u << i)) && problem->sizes[side][i] >= size)
			return i;
	return problem->counts[side];
}

static struct cost cost_of(const struct grid_problem *problem, unsigned rows, unsigned columns)
{
	struct cost cost = {0, 0, members(rows) * members(columns)};
	for (size_t i = 0; i < problem->request_count; i++) {
		const struct grid_request *request = &problem->requests[i];
		size_t row = next_of(problem, 0, rows, request->sizes[0]);
		size_t column = next_of(problem, 1, columns, request->sizes[1]);
		double seconds = NAN;
		if (row < problem->counts[0] && column < problem->counts[1])
			seconds = problem->seconds[row * problem->counts[1] + column];
		if (isnan(seconds))
			cost.missed += request->weight;
		else
			cost.seconds += request->weight * seconds;
	}
	return cost;
}

static int by_cost(struct cost a, struct cost b)
{
	if (a.missed != b.missed)
		return a.missed < b.missed ? -1 : 1;
	if (a.seconds != b.seconds)
		return a.seconds < b.seconds ? -1 : 1;
	return (a.buckets > b.buckets) - (a.buckets < b.buckets);
}

static struct cost least_of_all(const struct grid_problem *problem, const size_t most[2])
{
	struct cost least = {INFINITY, INFINITY, 0};
	for (unsigned rows = 1; rows < 1u << problem->counts[0]; rows++)
		for (unsigned columns = 1; columns < 1u << problem->counts[1]; columns++) {
			struct cost cost = cost_of(problem, rows, columns);
			if (members(rows) <= most[0] && members(columns) <= most[1] &&
			    by_cost(cost, least) < 0)
				least = cost;
		}
	return least;
}

static unsigned subset_of(const struct grid_problem *problem, const struct grid_plan *plan,
			  int side)
{
	unsigned subset = 0;
	for (size_t i = 0; i < plan->counts[side]; i++)
		subset |= 1u << grid_place(problem, side, plan->sizes[side][i]);
	return subset;
}

/* Small whole numbers: sums are exact and ties frequent. A quarter of the pairs are not measured.
 */
static void make_problem(struct arena *arena, unsigned *state, struct grid_problem *problem)
{
	double *measured = arena_array(arena, side_most * side_most, sizeof *measured);
	struct grid_request *requests = arena_array(arena, request_most, sizeof *requests);
	for (int s = 0; s < 2; s++) {
		double *sizes = arena_array(arena, side_most, sizeof *sizes), size = 0;
		problem->counts[s] = 1 + next_random(state, side_most);
		for (size_t i = 0; i < problem->counts[s]; i++)
			sizes[i] = size += 1 + next_random(state, 3);
		problem->sizes[s] = sizes;
	}
	for (size_t i = 0; i < problem->counts[0] * problem->counts[1]; i++)
		measured[i] = next_random(state, 4) ? 1 + next_random(state, 9) : NAN;
	problem->request_count = 1 + next_random(state, request_most);
	for (size_t i = 0; i < problem->request_count; i++)
		requests[i] = (struct grid_request){
			{1 + next_random(state, 12), 1 + next_random(state, 12)},
			next_random(state, 4),
			0};
	problem->requests = requests;
	grid_problem_fill(arena, problem, measured);
}

START_TEST(chooses_the_best_of_all_lists)
{
	unsigned state = 7;
	for (int round = 0; round < 1500; round++) {
		struct arena arena = {0};
		struct grid_problem problem = {0};
		make_problem(&arena, &state, &problem);
		const size_t most[2] = {1 + next_random(&state, 4), 1 + next_random(&state, 4)};
		struct cost least = least_of_all(&problem, most);
		for (int exact = 0; exact < 2; exact++) {
			struct grid_best best =
				grid_best_of(&arena, &problem, most, exact ? 1e9 : 0);
			struct cost cost = cost_of(&problem, subset_of(&problem, &best.plan, 0),
						   subset_of(&problem, &best.plan, 1));
			ck_assert_int_eq(best.exact, exact);
			ck_assert(best.plan.counts[0] <= most[0] && best.plan.counts[1] <= most[1]);
			ck_assert_msg(exact ? by_cost(cost, least) == 0 : by_cost(cost, least) >= 0,
				      "round %d: %g %g %u, not %g %g %u", round, cost.missed,
				      cost.seconds, cost.buckets, least.missed, least.seconds,
				      least.buckets);
		}
		arena_free(&arena);
	}
}
END_TEST

/* The largest grid takes a bounded time without trying all lists, and each list is the best for the
 * other. */
START_TEST(improves_a_large_grid)
{
	struct arena arena = {0};
	double *sizes = arena_array(&arena, GRID_SIDE_LIMIT, sizeof *sizes);
	double *measured =
		arena_array(&arena, (size_t)GRID_SIDE_LIMIT * GRID_SIDE_LIMIT, sizeof *measured);
	for (size_t i = 0; i < GRID_SIDE_LIMIT; i++)
		sizes[i] = (double)(i + 1);
	for (size_t i = 0; i < (size_t)GRID_SIDE_LIMIT * GRID_SIDE_LIMIT; i++)
		measured[i] = 100 + sizes[i / GRID_SIDE_LIMIT] * sizes[i % GRID_SIDE_LIMIT];
	struct grid_problem problem = {.sizes = {sizes, sizes},
				       .counts = {GRID_SIDE_LIMIT, GRID_SIDE_LIMIT}};
	grid_problem_fill(&arena, &problem, measured);
	grid_spread_evenly(&arena, &problem, problem.sizes, problem.counts);
	struct grid_best best = grid_best_of(&arena, &problem, (const size_t[]){4, 4}, 1e6);
	ck_assert(!best.exact);
	ck_assert_double_eq(best.plan.covered, 1);
	for (int s = 0; s < 2; s++)
		for (size_t i = 0; i + 1 < best.plan.counts[s]; i++)
			for (double step = -1; step < 2; step += 2) {
				const double *lists[2] = {best.plan.sizes[0], best.plan.sizes[1]};
				double moved[GRID_BUCKET_LIMIT];
				memcpy(moved, lists[s], best.plan.counts[s] * sizeof *moved);
				moved[i] += step;
				lists[s] = moved;
				struct grid_plan other =
					grid_judge(&arena, &problem, lists, best.plan.counts);
				ck_assert_double_ge(other.seconds, best.plan.seconds);
			}
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("grid_buckets", pads_a_pair_to_what_was_measured, judges_by_hand, spreads_evenly,
	  chooses_the_best_of_all_lists, improves_a_large_grid)
