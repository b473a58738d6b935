/* The segmentation against the plain version of it, which keeps a table of all states. */
#include "model/changepoint/segmentation.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "unit/unit.h"

enum { MOST = 400 };

static double uniform(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

/* What the segment with this last commit and level costs at best, and where it began. */
struct state {
	long cost;
	size_t since, level;
};

static size_t plain_bounds(struct arena *arena, const float *x, size_t n, size_t *bounds)
{
	size_t g, count = 0;
	const float *levels = segmentation_levels(arena, x, n, &g);
	struct state *best = arena_array(arena, n, sizeof *best);
	long *cost = arena_array(arena, n * g, sizeof *cost);
	unsigned char *cut = arena_array(arena, n * g, 1);
	for (size_t t = 0; t < n; t++) {
		for (size_t l = 0; l < g; l++) {
			long stay = t ? cost[(t - 1) * g + l] : 0;
			long fresh = t ? best[t - 1].cost + segmentation_penalty(n) : 0;
			cut[t * g + l] = fresh < stay;
			cost[t * g + l] =
				(fresh < stay ? fresh : stay) + segmentation_loss(x[t], levels[l]);
		}
		for (size_t l = 0; l < g; l++)
			if (l == 0 || cost[t * g + l] < best[t].cost)
				best[t] = (struct state){cost[t * g + l], 0, l};
	}
	size_t level = best[n - 1].level;
	for (size_t t = n; t-- > 1;)
		if (cut[t * g + level]) {
			bounds[count++] = t;
			level = best[t - 1].level;
		}
	return count;
}

START_TEST(the_lean_version_finds_what_the_plain_one_finds)
{
	uint64_t seed = 5;
	size_t found = 0;
	for (int round = 0; round < 300; round++) {
		struct arena arena = {0};
		double x[MOST], level = 0;
		float scaled[MOST];
		size_t bounds[MOST], plain[MOST], n = 1 + (size_t)(uniform(&seed) * (MOST - 1));
		for (size_t i = 0; i < n; i++) {
			level += uniform(&seed) < 0.05 ? 8 * (uniform(&seed) - 0.5) : 0;
			x[i] = level + uniform(&seed) + uniform(&seed) + uniform(&seed);
			x[i] += uniform(&seed) < 0.03 ? 300 * uniform(&seed) : 0;
			scaled[i] = (float)((x[i] - x[0]) / 0.5 * 16);
		}
		size_t count = segmentation_bounds(&arena, x, n, 0.5, bounds);
		ck_assert_uint_eq(count, plain_bounds(&arena, scaled, n, plain));
		for (size_t i = 0; i < count; i++)
			ck_assert_uint_eq(bounds[i], plain[count - 1 - i]);
		found += count;
		arena_free(&arena);
	}
	ck_assert_uint_ge(found, 300);
}
END_TEST

/* Whether a level is less than a step away. */
static bool is_near(const float *levels, size_t count, float value, float step)
{
	bool near = false;
	for (size_t i = 0; i < count; i++)
		near = near || fabsf(levels[i] - value) < step;
	return near;
}

static int by_value(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;
	return (x > y) - (x < y);
}

/* Adds one that is far enough from all others; of too many every second one stays, about. */
static size_t plain_add(float *levels, size_t count, float value, float *step)
{
	if (is_near(levels, count, value, *step))
		return count;
	if (count < SEGMENT_LEVELS) {
		levels[count] = value;
		return count + 1;
	}
	size_t kept = 1;
	*step *= 2;
	qsort(levels, count, sizeof *levels, by_value);
	for (size_t i = 1; i < count; i++)
		if (levels[i] - levels[kept - 1] >= *step)
			levels[kept++] = levels[i];
	return plain_add(levels, kept, value, step);
}

/* In the order of their coming: values, means of three and means of five. */
static size_t plain_levels(const float *x, size_t n, float *levels)
{
	size_t count = 0;
	float step = 16 / 6.0F;
	for (size_t i = 0; i < n; i++) {
		bool three = i >= 1 && i + 1 < n, five = i >= 2 && i + 2 < n;
		float sum = three ? x[i - 1] + x[i] + x[i + 1] : 0;
		const float means[] = {x[i], sum / 3, five ? (x[i - 2] + sum + x[i + 2]) / 5 : 0};
		for (size_t k = 0; k < 1 + (size_t)three + (size_t)five; k++)
			count = plain_add(levels, count, means[k], &step);
	}
	return count;
}

START_TEST(levels_lie_a_step_apart)
{
	uint64_t seed = 21;
	for (int round = 0; round < 300; round++) {
		struct arena arena = {0};
		float x[MOST], plain[SEGMENT_LEVELS];
		double wide = round % 3 ? 60 : 20000;
		size_t n = 1 + (size_t)(uniform(&seed) * (MOST - 1)), count;
		for (size_t i = 0; i < n; i++)
			x[i] = (float)(wide * (uniform(&seed) - 0.5));
		if (round % 7 == 0)
			x[n / 2] = 3e38F, x[n / 3] = -3e38F;
		const float *levels = segmentation_levels(&arena, x, n, &count);
		ck_assert_uint_eq(count, plain_levels(x, n, plain));
		for (size_t i = 0; i < count; i++)
			ck_assert(is_near(levels, count, plain[i], 1e-30F) ||
				  fabsf(plain[i]) > 1e30F);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(levels_are_few)
{
	struct arena arena = {0};
	enum { LONG = 20000 };
	float *x = arena_array(&arena, LONG, sizeof *x), widest = 0;
	uint64_t seed = 9;
	size_t count;
	for (size_t i = 0; i < LONG; i++)
		x[i] = (float)(1e5 * uniform(&seed));
	const float *levels = segmentation_levels(&arena, x, LONG, &count);
	ck_assert_uint_le(count, SEGMENT_LEVELS);
	ck_assert_uint_ge(count, SEGMENT_LEVELS / 4);
	for (size_t i = 1; i < count; i++) {
		ck_assert(levels[i] > levels[i - 1]);
		widest = fmaxf(widest, levels[i] - levels[i - 1]);
	}
	ck_assert(widest < 2e3F);
	arena_free(&arena);
}
END_TEST

START_TEST(no_more_memory_than_the_series)
{
	struct arena arena = {0};
	enum { LONG = 5000 };
	double *x = arena_array(&arena, LONG, sizeof *x);
	size_t *bounds = arena_array(&arena, LONG, sizeof *bounds);
	uint64_t seed = 3;
	for (size_t i = 0; i < LONG; i++)
		x[i] = 100 * uniform(&seed) + (i >= 2000 ? 200 : 0);
	size_t before = arena.used;
	ck_assert_uint_eq(segmentation_bounds(&arena, x, LONG, 60, bounds), 1);
	ck_assert_uint_eq(bounds[0], 2000);
	ck_assert_uint_le(arena.used - before, 8 * LONG + 11 * 1024);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("segment", the_lean_version_finds_what_the_plain_one_finds, levels_lie_a_step_apart,
	  levels_are_few, no_more_memory_than_the_series)
