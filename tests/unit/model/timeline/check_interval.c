/* Unions of intervals against a bit for every tick. */
#include "model/timeline/interval.h"

#include <math.h>
#include <string.h>

#include "tests/unit/unit.h"

enum { horizon = 4096, parts = 37 };

static uint64_t random_state;

static unsigned random_below(unsigned limit)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(random_state >> 33) % limit;
}

/* How the starts of the intervals come. */
enum order { IN_ORDER, NEARLY, ANY, BACKWARDS, ORDER_LIMIT };

static unsigned next_start(enum order order, unsigned i, unsigned count)
{
	unsigned even = (horizon - 64) * i / count;
	switch (order) {
	case IN_ORDER:
		return even;
	case NEARLY:
		return even > 50 ? even - random_below(50) : even;
	case BACKWARDS:
		return horizon - 64 - even;
	default:
		return random_below(horizon - 64);
	}
}

static void check_timeline(struct interval_union *set, const bool *busy, unsigned origin,
			   double ticks, double tolerance)
{
	float bins[parts];
	interval_union_timeline(set, origin, ticks, bins, parts);
	for (int i = 0; i < parts; i++) {
		double low = origin + ticks * i / parts, high = origin + ticks * (i + 1) / parts;
		double sum = 0;
		for (int tick = (int)low; tick < horizon && tick < high; tick++)
			if (busy[tick])
				sum += fmin(tick + 1, high) - fmax(tick, low);
		ck_assert_msg(fabs(bins[i] - sum / (high - low)) <= tolerance, "bin %d: %g, not %g",
			      i, (double)bins[i], sum / (high - low));
	}
}

static void check_random(enum order order, unsigned count, size_t limit)
{
	static bool busy[horizon];
	struct interval_union *set = interval_union_new_limited(limit);
	uint64_t length = 0, first, last;
	memset(busy, 0, sizeof busy);
	for (unsigned i = 0; i < count; i++) {
		unsigned start = next_start(order, i, count), end = start + random_below(30);
		interval_union_add(set, start, end);
		for (unsigned tick = start; tick < end; tick++)
			busy[tick] = true;
	}
	for (int tick = 0; tick < horizon; tick++)
		length += busy[tick];
	if (interval_union_late(set) == 0)
		ck_assert_uint_eq(interval_union_length(set), length);
	else
		ck_assert_uint_le(interval_union_length(set), length);
	if (interval_union_bounds(set, &first, &last))
		ck_assert(busy[first] && busy[last - 1]);
	if (!interval_union_is_folded(set)) {
		check_timeline(set, busy, 0, horizon, 1e-6);
		check_timeline(set, busy, 100, 1777.25, 1e-6);
	} else if (interval_union_late(set) == 0) {
		check_timeline(set, busy, 0, horizon, 0.05);
	}
	interval_union_free(set);
}

START_TEST(agrees_with_a_bitmap)
{
	static const unsigned counts[] = {0, 1, 5, 60, 300, 9000};
	for (unsigned round = 0; round < 60; round++)
		for (int order = 0; order < ORDER_LIMIT; order++)
			for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
				random_state = round * 7919 + i;
				check_random((enum order)order, counts[i], interval_limit);
				check_random((enum order)order, counts[i], 8);
			}
}
END_TEST

/* A tree of unions as a trace has it: two engines and a pair of DMA classes in one whole. */
enum { LEFT, RIGHT, FIRST_CLASS, SECOND_CLASS, LEAVES };

struct tree {
	struct interval_union *all, *dma, *leaves[LEAVES];
	bool busy[LEAVES][horizon];
};

static void plant(struct tree *tree, size_t limit)
{
	memset(tree, 0, sizeof *tree);
	tree->all = interval_union_new_limited(limit);
	tree->dma = interval_union_new_limited(limit);
	interval_union_include(tree->all, tree->dma);
	for (int i = 0; i < LEAVES; i++) {
		tree->leaves[i] = interval_union_new_limited(limit);
		interval_union_include(i < FIRST_CLASS ? tree->all : tree->dma, tree->leaves[i]);
	}
}

static uint64_t count_busy(const struct tree *tree, int from, int to)
{
	uint64_t length = 0;
	for (int tick = 0; tick < horizon; tick++) {
		bool any = false;
		for (int i = from; i < to; i++)
			any = any || tree->busy[i][tick];
		length += any;
	}
	return length;
}

static void check_length(struct interval_union *set, uint64_t length)
{
	if (interval_union_late(set) == 0)
		ck_assert_uint_eq(interval_union_length(set), length);
	else
		ck_assert_uint_le(interval_union_length(set), length);
}

static void check_tree(enum order order, unsigned count, size_t limit)
{
	static struct tree tree;
	plant(&tree, limit);
	for (unsigned i = 0; i < count; i++) {
		unsigned start = next_start(order, i, count), end = start + random_below(12);
		/* Some get many, some few. */
		unsigned leaf = random_below(8) ? random_below(2) * 2 : random_below(LEAVES);
		interval_union_add(tree.leaves[leaf], start, end);
		for (unsigned tick = start; tick < end; tick++)
			tree.busy[leaf][tick] = true;
		if (random_below(1000) == 0)
			check_length(tree.dma, count_busy(&tree, FIRST_CLASS, LEAVES));
	}
	for (int i = 0; i < LEAVES; i++)
		check_length(tree.leaves[i], count_busy(&tree, i, i + 1));
	check_length(tree.dma, count_busy(&tree, FIRST_CLASS, LEAVES));
	check_length(tree.all, count_busy(&tree, LEFT, LEAVES));
	if (limit == interval_limit)
		ck_assert_uint_eq(interval_union_late(tree.all), 0);
	interval_union_free(tree.all);
	interval_union_free(tree.dma);
	for (int i = 0; i < LEAVES; i++)
		interval_union_free(tree.leaves[i]);
}

START_TEST(wholes_include_their_parts)
{
	static const unsigned counts[] = {0, 1, 40, 3000, 20000};
	for (int order = 0; order < ORDER_LIMIT; order++)
		for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
			random_state = 17 * i + 3;
			check_tree((enum order)order, counts[i], interval_limit);
			check_tree((enum order)order, counts[i], 8);
		}
}
END_TEST

/* What a part has few of must be in the whole before the whole folds what lies around it. */
START_TEST(a_sparse_part_is_never_late)
{
	struct interval_union *whole = interval_union_new(), *dense = interval_union_new();
	struct interval_union *sparse = interval_union_new();
	interval_union_include(whole, dense);
	interval_union_include(whole, sparse);
	for (uint64_t i = 0; i < 1000000; i++) {
		interval_union_add(dense, 10 * i, 10 * i + 4);
		if (i % 100 == 0)
			interval_union_add(sparse, 10 * i + 5, 10 * i + 8);
	}
	ck_assert_uint_eq(interval_union_length(whole), 4000000 + 30000);
	ck_assert_uint_eq(interval_union_late(whole), 0);
	ck_assert_uint_eq(interval_union_length(sparse), 30000);
	ck_assert(interval_union_is_folded(whole));
	interval_union_free(whole);
	interval_union_free(dense);
	interval_union_free(sparse);
}
END_TEST

START_TEST(folds_exactly_in_order)
{
	struct interval_union *set = interval_union_new();
	float bins[4];
	for (uint64_t i = 0; i < 1000000; i++)
		interval_union_add(set, 1000 + 10 * i, 1000 + 10 * i + 4);
	ck_assert(interval_union_is_folded(set));
	ck_assert_uint_eq(interval_union_late(set), 0);
	ck_assert_uint_eq(interval_union_length(set), 4000000);
	interval_union_timeline(set, 1000, 10000000, bins, 4);
	for (int i = 0; i < 4; i++)
		ck_assert_msg(fabs(bins[i] - 0.4) < 1e-3, "%g", (double)bins[i]);
	interval_union_add(set, 5, 2000);
	ck_assert_uint_eq(interval_union_late(set), 1);
	ck_assert_uint_eq(interval_union_length(set), 4000000);
	interval_union_free(set);
}
END_TEST

START_TEST(takes_extreme_times)
{
	struct interval_union *set = interval_union_new_limited(2);
	uint64_t first, last;
	float bins[4];
	ck_assert(!interval_union_bounds(set, &first, &last));
	interval_union_add(set, 7, 7);
	interval_union_add(set, 9, 8);
	ck_assert_uint_eq(interval_union_length(set), 0);
	interval_union_add(set, 0, 1);
	interval_union_add(set, UINT64_MAX / 2, UINT64_MAX / 2 + 1);
	interval_union_add(set, UINT64_MAX - 1, UINT64_MAX);
	interval_union_add(set, 10, UINT64_MAX - 5);
	ck_assert(interval_union_bounds(set, &first, &last));
	ck_assert_uint_eq(first, 0);
	ck_assert_uint_eq(last, UINT64_MAX);
	interval_union_timeline(set, 0, 0x1p64, bins, 4);
	interval_union_timeline(set, 0, 0, bins, 4);
	ck_assert(bins[0] == 0);
	interval_union_free(set);
	interval_union_free(NULL);
}
END_TEST

/* The last bin of the folded part ends beyond 2^64. */
START_TEST(folds_up_to_the_last_tick)
{
	struct interval_union *set = interval_union_new_limited(2);
	float bins[2];
	interval_union_add(set, 0, 1);
	interval_union_add(set, UINT64_MAX / 2, UINT64_MAX - 8);
	interval_union_add(set, UINT64_MAX - 6, UINT64_MAX - 5);
	interval_union_add(set, UINT64_MAX - 2, UINT64_MAX - 1);
	interval_union_timeline(set, UINT64_MAX - ((uint64_t)1 << 53), 0x1p53, bins, 2);
	ck_assert(interval_union_is_folded(set));
	for (int i = 0; i < 2; i++)
		ck_assert_msg(fabs((double)bins[i] - 1) < 1e-3, "%d: %g", i, (double)bins[i]);
	interval_union_free(set);
}
END_TEST

UNIT_MAIN("interval", agrees_with_a_bitmap, wholes_include_their_parts, a_sparse_part_is_never_late,
	  folds_exactly_in_order, takes_extreme_times, folds_up_to_the_last_tick)
