/* Distributions of sizes as text. */
#include "ingest/table/request_sizes.h"

#include <string.h>

#include "unit/unit.h"

START_TEST(reads_what_people_write)
{
	static const char *const texts[] = {
		"7\n128 2\n7 3\n300 0.5\n",
		"size,weight\r\n7,1\r\n128,2\r\n7,3\r\n300,0.5",
		"# sizes\n\nsize\n300\t.5\n128;2 # twice\n7 , 4\n",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct bucket_request *requests;
		size_t count;
		ck_assert_msg(
			request_sizes_read(&arena, span_of(texts[i]), &requests, &count, &err) == 0,
			"%zu: %s", i, err.text);
		ck_assert_uint_eq(count, 3);
		ck_assert_double_eq(requests[0].size, 7);
		ck_assert_double_eq(requests[0].weight, 4);
		ck_assert_double_eq(requests[1].size, 128);
		ck_assert_double_eq(requests[1].weight, 2);
		ck_assert_double_eq(requests[2].weight, 0.5);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(refuses_the_wrong)
{
	static const struct {
		const char *text, *message;
	} wrong[] = {
		{"", "no size has a positive weight"},
		{"# none\n", "no size has a positive weight"},
		{"7 0\n", "no size has a positive weight"},
		{"7\nmany\n", "line 2: expected a size, or a size and its weight, not \"many\""},
		{"7 1 2\n", "line 1: expected a size, or a size and its weight, not \"7 1 2\""},
		{"7 x\n", "line 1: expected a size, or a size and its weight, not \"7 x\""},
		{"0\n", "line 1: a size must be a whole number from 1 to 2147483647"},
		{"1.5\n", "line 1: a size must be a whole number from 1 to 2147483647"},
		{"1e12\n", "line 1: a size must be a whole number from 1 to 2147483647"},
		{"7 -1\n", "line 1: a weight must be a number from 0 to 1e15"},
		{"1\nsize\n", "line 2: expected a size, or a size and its weight, not \"size\""},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct bucket_request *requests = NULL;
		size_t count = 0;
		int rc =
			request_sizes_read(&arena, span_of(wrong[i].text), &requests, &count, &err);
		ck_assert_int_lt(rc, 0);
		ck_assert_str_eq(err.text, wrong[i].message);
		ck_assert_ptr_null(requests);
		arena_free(&arena);
	}
}
END_TEST

/* Pairs: in the order of the names, or in that of the titles; equal pairs add up. */
START_TEST(reads_pairs)
{
	static const char *const names[] = {"b", "s"};
	static const char *const texts[] = {
		"2 512 3\n1,128\n1;128;1\n",
		"b,s,weight\n1,128,2\n2,512,3\n",
		"s, b\n128 1\n512 2 3\n128 1\n",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct grid_request *pairs;
		size_t count;
		ck_assert_msg(request_pairs_read(&arena, span_of(texts[i]), names, &pairs, &count,
						 &err) == 0,
			      "%zu: %s", i, err.text);
		ck_assert_uint_eq(count, 2);
		ck_assert_double_eq(pairs[0].sizes[0], 1);
		ck_assert_double_eq(pairs[0].sizes[1], 128);
		ck_assert_double_eq(pairs[0].weight, 2);
		ck_assert_double_eq(pairs[1].sizes[1], 512);
		ck_assert_double_eq(pairs[1].work, 3 * 2 * 512);
		arena_free(&arena);
	}
}
END_TEST

UNIT_MAIN("request_sizes", reads_what_people_write, refuses_the_wrong, reads_pairs)
