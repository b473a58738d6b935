/* Covers of intervals against a count for every tick. */
#include "model/timeline/interval.h"

#include <string.h>

#include "tests/unit/unit.h"

enum { horizon = 512, most = 60 };

static uint64_t random_state = 7;

static unsigned random_below(unsigned limit)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(random_state >> 33) % limit;
}

static uint64_t counted(const unsigned *running, size_t least, uint64_t begin, uint64_t end)
{
	uint64_t sum = 0;
	for (uint64_t tick = begin; tick < end; tick++)
		sum += running[tick] >= least;
	return sum;
}

static void check_since(const struct interval_cover *cover, const unsigned *running, size_t least,
			uint64_t time)
{
	uint64_t ticks, expected = 0;
	bool any = false;
	for (uint64_t tick = 0; tick < time; tick++)
		if (running[tick] >= least) {
			any = true;
			expected = time - tick - 1;
		}
	ck_assert_int_eq(interval_cover_since(cover, time, &ticks), any);
	if (any)
		ck_assert_uint_eq(ticks, expected);
}

START_TEST(covers_are_what_counting_gives)
{
	for (unsigned trial = 0; trial < 300; trial++) {
		struct arena arena = {0};
		struct interval_span items[most];
		unsigned running[horizon] = {0};
		size_t count = random_below(most), least = 1 + random_below(3);
		for (size_t i = 0; i < count; i++) {
			items[i].begin = random_below(horizon - 40);
			items[i].end = items[i].begin + random_below(40);
			for (uint64_t tick = items[i].begin; tick < items[i].end; tick++)
				running[tick]++;
		}
		struct interval_cover cover = interval_cover_of(&arena, items, count, least);
		struct interval_cover any = interval_cover_of(&arena, items, count, 1);
		ck_assert_uint_eq(cover.length, counted(running, least, 0, horizon));
		ck_assert_uint_eq(interval_cover_both(&cover, &any), cover.length);
		for (size_t i = 1; i < cover.count; i++)
			ck_assert_uint_lt(cover.items[i - 1].end, cover.items[i].begin);
		for (unsigned k = 0; k < 50; k++) {
			uint64_t begin = random_below(horizon), end = random_below(horizon);
			ck_assert_uint_eq(
				interval_cover_within(&cover, (struct interval_span){begin, end}),
				counted(running, least, begin, end));
			check_since(&cover, running, least, begin);
		}
		arena_free(&arena);
	}
}
END_TEST

/* Neighbours do not run at once, and are one stretch. */
START_TEST(neighbours_touch)
{
	struct arena arena = {0};
	const struct interval_span items[] = {{10, 20}, {20, 30}, {25, 25}};
	ck_assert_uint_eq(interval_cover_of(&arena, items, 3, 2).length, 0);
	ck_assert_uint_eq(interval_cover_of(&arena, items, 3, 1).count, 1);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("cover", covers_are_what_counting_gives, neighbours_touch)
