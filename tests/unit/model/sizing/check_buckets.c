/* Buckets: judged plans by hand, chosen ones against all subsets. */
#include "model/sizing/buckets.h"

#include <math.h>

#include "unit/unit.h"

enum { most = 9 };

static unsigned next_random(unsigned *state, unsigned below)
{
	*state = *state * 1664525u + 1013904223u;
	return (*state >> 8) % below;
}

START_TEST(judges_by_hand)
{
	static const struct bucket_point points[] = {{64, 10}, {128, 12}, {256, 20}, {512, 16}};
	static const struct bucket_request requests[] = {
		{1, 1}, {64, 1}, {65, 2}, {300, 4}, {600, 8}};
	const struct bucket_problem problem = {points, 4, requests, 5};
	struct arena arena = {0};
	struct bucket_plan plan =
		buckets_judge(&arena, &problem, (const double[]){100, 200, 512, 1024}, 4);
	ck_assert_uint_eq(plan.count, 3);
	ck_assert_double_eq(plan.covered, 0.5);
	/* 1, 64 and both 65 go to 100, which has the time of 128; the four 300 go to 512. */
	ck_assert_double_eq(plan.buckets[0].measured, 128);
	ck_assert_double_eq(plan.buckets[0].share, 0.5);
	ck_assert_double_eq(plan.buckets[1].measured, 256);
	ck_assert_double_eq(plan.buckets[1].share, 0);
	ck_assert_double_eq(plan.seconds, (4 * 12 + 4 * 16) / 8.0);
	ck_assert_double_eq(plan.ideal, (2 * 10 + 2 * 12 + 4 * 16) / 8.0);
	ck_assert_double_eq_tol(plan.waste, 112.0 / 108 - 1, 1e-15);
	ck_assert_double_eq_tol(plan.padding, 1 - (1 + 64 + 130 + 1200) / (400 + 2048.0), 1e-15);
	/* 512 was measured faster than 256: leaving 256 out costs nothing. */
	plan = buckets_best(&arena, &problem, 4);
	ck_assert_uint_eq(plan.count, 3);
	ck_assert_double_eq(plan.buckets[2].size, 512);
	ck_assert_double_eq(plan.seconds, plan.ideal);
	plan = buckets_best(&arena, &problem, 1);
	ck_assert_uint_eq(plan.count, 1);
	ck_assert_double_eq(plan.buckets[0].size, 512);
	arena_free(&arena);
}
END_TEST

START_TEST(nothing_to_cover)
{
	static const struct bucket_point points[] = {{64, 10}};
	static const struct bucket_request requests[] = {{100, 1}};
	const struct bucket_problem problem = {points, 1, requests, 1};
	struct arena arena = {0};
	struct bucket_plan plan = buckets_best(&arena, &problem, 3);
	ck_assert_double_eq(plan.covered, 0);
	ck_assert(isnan(plan.seconds) && isnan(plan.waste) && isnan(plan.padding));
	plan = buckets_judge(&arena, &problem, (const double[]){128}, 1);
	ck_assert_uint_eq(plan.count, 0);
	ck_assert_double_eq(plan.covered, 0);
	arena_free(&arena);
}
END_TEST

/* Weighted time of the subset, infinite where a request that some point could hold is left out. */
static double cost_of(const struct bucket_problem *problem, unsigned subset)
{
	double cost = 0;
	for (size_t r = 0; r < problem->request_count; r++) {
		const struct bucket_request *request = &problem->requests[r];
		if (request->size > problem->points[problem->point_count - 1].size ||
		    request->weight == 0)
			continue;
		size_t i = 0;
		while (i < problem->point_count &&
		       (!(subset & (1u << i)) || problem->points[i].size < request->size))
			i++;
		if (i == problem->point_count)
			return INFINITY;
		cost += request->weight * problem->points[i].seconds;
	}
	return cost;
}

static unsigned members(unsigned subset)
{
	unsigned count = 0;
	for (; subset; subset &= subset - 1)
		count++;
	return count;
}

/* All subsets; of equals fewer members, then the smaller from the largest member downwards, which
 * is the smaller number. */
static unsigned best_subset(const struct bucket_problem *problem, size_t k)
{
	unsigned best = 0;
	double least = INFINITY;
	for (unsigned subset = 1; subset < 1u << problem->point_count; subset++) {
		double cost = members(subset) <= k ? cost_of(problem, subset) : INFINITY;
		if (cost < least || (cost == least && best && members(subset) < members(best))) {
			least = cost;
			best = subset;
		}
	}
	return best;
}

START_TEST(chooses_the_best_of_all_subsets)
{
	unsigned state = 7;
	for (int round = 0; round < 4000; round++) {
		struct arena arena = {0};
		struct bucket_point points[most];
		struct bucket_request requests[12];
		struct bucket_problem problem = {points, 1 + next_random(&state, most), requests,
						 1 + next_random(&state, 12)};
		/* Small whole numbers: sums are exact and ties frequent. */
		double size = 0;
		for (size_t i = 0; i < problem.point_count; i++) {
			size += 1 + next_random(&state, 4);
			points[i] = (struct bucket_point){size, 1 + next_random(&state, 9)};
		}
		size = 0;
		for (size_t i = 0; i < problem.request_count; i++) {
			size += 1 + next_random(&state, 3);
			requests[i] = (struct bucket_request){size, next_random(&state, 4)};
		}
		/* The first points hold the first request at least. */
		requests[0].weight++;
		if (requests[0].size > points[problem.point_count - 1].size)
			requests[0].size = 0.5;
		for (size_t k = 1; k <= 5; k++) {
			struct bucket_plan plan = buckets_best(&arena, &problem, k);
			unsigned expected = best_subset(&problem, k), chosen = 0;
			for (size_t b = 0; b < plan.count; b++)
				for (unsigned i = 0; i < problem.point_count; i++)
					if (points[i].size == plan.buckets[b].size)
						chosen |= 1u << i;
			ck_assert_msg(chosen == expected, "round %d, k %zu: %x, not %x", round, k,
				      chosen, expected);
		}
		arena_free(&arena);
	}
}
END_TEST

UNIT_MAIN("buckets", judges_by_hand, nothing_to_cover, chooses_the_best_of_all_subsets)
