/* Fuse, keep or undecided; and which shapes the scheduler can answer for. */
#include "model/sizing/fusion/fusion.h"

#include <math.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "render/vocabulary/vocabulary.h"

/* --- decisions --- */

static const struct {
	const char *what;
	struct fusion_reader_time unfused, fused;
	double margin;
	enum fusion_decision decision;
	double lowest, highest;
	const char *reason;
} judgements[] = {
	{"faster, all of the interval",
	 {3, 2.5, 3.5, 1, PROVENANCE_MEASURED},
	 {2, 1.75, 2, 1, PROVENANCE_MEASURED},
	 0,
	 FUSION_FUSE,
	 1.25,
	 2,
	 "faster beyond noise"},
	{"the same at a margin that the interval straddles",
	 {3, 2.5, 3.5, 1, PROVENANCE_MEASURED},
	 {2, 1.75, 2, 1, PROVENANCE_MEASURED},
	 0.5,
	 FUSION_UNDECIDED,
	 1.25,
	 2,
	 "within noise"},
	{"a margin at the lowest end is not exceeded",
	 {3, 2.5, 3.5, 1, PROVENANCE_MEASURED},
	 {2, 1.75, 2, 1, PROVENANCE_MEASURED},
	 0.25,
	 FUSION_UNDECIDED,
	 1.25,
	 2,
	 "within noise"},
	{"a margin at the highest end is kept",
	 {3, 2.5, 3.5, 1, PROVENANCE_MEASURED},
	 {2, 1.75, 2, 1, PROVENANCE_MEASURED},
	 1,
	 FUSION_KEEP,
	 1.25,
	 2,
	 "not faster beyond noise"},
	{"slower",
	 {1, 0.75, 1, 1, PROVENANCE_MEASURED},
	 {2, 2, 2.5, 1, PROVENANCE_MEASURED},
	 0,
	 FUSION_KEEP,
	 0.3,
	 0.5,
	 "not faster beyond noise"},
	{"equal without noise",
	 {2, 2, 2, 3, PROVENANCE_MEASURED},
	 {2, 2, 2, 3, PROVENANCE_MEASURED},
	 0,
	 FUSION_KEEP,
	 1,
	 1,
	 "not faster beyond noise"},
	{"a sum of parts may be compared",
	 {4, 4, 4, 1, PROVENANCE_DERIVED},
	 {2, 2, 2, 1, PROVENANCE_MEASURED},
	 0,
	 FUSION_FUSE,
	 2,
	 2,
	 "faster beyond noise"},
	{"an estimate never wins",
	 {4, 4, 4, 1, PROVENANCE_MEASURED},
	 {2, 2, 2, 1, PROVENANCE_ESTIMATED},
	 0,
	 FUSION_UNDECIDED,
	 2,
	 2,
	 "the fused time is an estimate"},
	{"nor does it lose",
	 {4, 4, 4, 1, PROVENANCE_ESTIMATED},
	 {8, 8, 8, 1, PROVENANCE_MEASURED},
	 0,
	 FUSION_UNDECIDED,
	 0.5,
	 0.5,
	 "the unfused time is an estimate"},
	{"a fused time that may be 0",
	 {4, 4, 4, 1, PROVENANCE_MEASURED},
	 {1, 0, 2, 1, PROVENANCE_MEASURED},
	 3,
	 FUSION_UNDECIDED,
	 2,
	 INFINITY,
	 "within noise"},
	{"one side only",
	 {4, 4, 4, 1, PROVENANCE_MEASURED},
	 {NAN, NAN, NAN, 0, PROVENANCE_UNKNOWN},
	 0,
	 FUSION_UNKNOWN,
	 NAN,
	 NAN,
	 "only one side was measured"},
};

static void same(const char *what, double number, double expected)
{
	bool both_unknown = isnan(number) && isnan(expected);
	ck_assert_msg(number == expected || both_unknown ||
			      fabs(number - expected) <= 1e-12 * fabs(expected),
		      "%s: %.17g, not %.17g", what, number, expected);
}

START_TEST(decides)
{
	for (size_t i = 0; i < sizeof judgements / sizeof *judgements; i++) {
		const char *what = judgements[i].what;
		struct fusion_judgement judged = fusion_judge(
			&judgements[i].unfused, &judgements[i].fused, judgements[i].margin);
		ck_assert_msg(judged.decision == judgements[i].decision, "%s: %s", what,
			      fusion_decision_name(judged.decision));
		ck_assert_str_eq(vocabulary_term(LANGUAGE_ENGLISH, judged.reason),
				 judgements[i].reason);
		same(what, judged.lowest, judgements[i].lowest);
		same(what, judged.highest, judgements[i].highest);
		same(what, judged.speedup, judgements[i].unfused.time / judgements[i].fused.time);
	}
}
END_TEST

/* --- intervals --- */

static const struct {
	const char *what;
	double times[4]; /* up to the first 0 */
	const char *resolution;
	double noise;
	double time, lowest, highest;
} intervals[] = {
	{"one run: the noise", {10e-6}, NULL, 0.02, 10e-6, 9.8e-6, 10.2e-6},
	{"and half the resolution", {10e-6}, "100.0 ns", 0.02, 10e-6, 9.75e-6, 10.25e-6},
	{"two runs are too few", {10e-6, 12e-6}, NULL, 0.02, 11e-6, 10e-6, 12e-6},
	{"two close ones too", {10e-6, 10e-6}, NULL, 0.1, 10e-6, 9e-6, 11e-6},
	{"three: their range", {10e-6, 10.1e-6, 10.4e-6}, NULL, 0.1, 10.1e-6, 10e-6, 10.4e-6},
	{"and half the resolution", {10e-6, 10e-6, 10e-6}, "1.000 us", 0.1, 10e-6, 9.5e-6, 10.5e-6},
	{"never below 0", {1e-7}, "1.000 us", 0.02, 1e-7, 0, 6.02e-7},
	{"nothing", {0}, NULL, 0.02, NAN, NAN, NAN},
};

START_TEST(takes_intervals)
{
	for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
		struct arena arena = {0};
		const struct run *runs[4];
		size_t count = 0;
		for (; count < 4 && intervals[i].times[count] > 0; count++) {
			struct run *run = run_new(&arena);
			run_set(run, METRIC_HOST_TIME, intervals[i].times[count],
				PROVENANCE_MEASURED);
			if (intervals[i].resolution)
				run_add_attribute(&arena, run, "time_resolution",
						  intervals[i].resolution);
			runs[count] = run;
		}
		struct fusion_reader_time time =
			fusion_time_of(&arena, runs, count, intervals[i].noise);
		same(intervals[i].what, time.time, intervals[i].time);
		same(intervals[i].what, time.lowest, intervals[i].lowest);
		same(intervals[i].what, time.highest, intervals[i].highest);
		ck_assert_uint_eq(time.repeats, count);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(takes_spreads_and_the_worst_provenance)
{
	static const double repeats[] = {9e-6, 10e-6, 12e-6};
	struct arena arena = {0};
	struct run *spread = run_new(&arena), *estimate = run_new(&arena);
	run_set_samples(&arena, spread, METRIC_TOTAL_TIME, repeats, 3, PROVENANCE_MEASURED);
	const struct run *runs[] = {spread, estimate};
	struct fusion_reader_time time = fusion_time_of(&arena, runs, 1, 0.5);
	same("median", time.time, 10e-6);
	same("fastest repeat", time.lowest, 9e-6);
	same("slowest repeat", time.highest, 12e-6);
	ck_assert_uint_eq(time.repeats, 3);
	ck_assert_int_eq(time.provenance, PROVENANCE_MEASURED);
	run_set(estimate, METRIC_TOTAL_TIME, 11e-6, PROVENANCE_ESTIMATED);
	time = fusion_time_of(&arena, runs, 2, 0.5);
	ck_assert_uint_eq(time.repeats, 4);
	ck_assert_int_eq(time.provenance, PROVENANCE_ESTIMATED);
	/* A sum was rounded once for each of its parts. */
	struct run *sum = run_new(&arena);
	run_set(sum, METRIC_HOST_TIME, 10e-6, PROVENANCE_DERIVED);
	run_add_attribute(&arena, sum, "time_resolution", "100.0 ns");
	for (int i = 0; i < 2; i++)
		run_add_tally(&arena, sum,
			      (struct run_tally){TALLY_KERNEL, "add", 1, 5e-6, NAN, NAN});
	runs[0] = sum;
	time = fusion_time_of(&arena, runs, 1, 0);
	same("two parts", time.highest, 10.1e-6);
	arena_free(&arena);
}
END_TEST

/* --- shapes --- */

START_TEST(reads_shapes)
{
	static const struct {
		const char *text;
		size_t rank;
	} texts[] = {
		{"[1, 512, 4096]", 3},
		{"[7]", 1},
		{"[1,2]", 2},
		{"[1, 2, 3, 4, 5, 6, 7, 8]", 8},
		{"[1, 2, 3, 4, 5, 6, 7, 8, 9]", 0},
		{"", 0},
		{"[]", 0},
		{"[1, 0]", 0},
		{"[1, -2]", 0},
		{"[1.5]", 0},
		{"1, 2", 0},
		{"[1, x]", 0},
		{"[", 0},
		{"[1, ]", 0},
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		ck_assert_msg(fusion_shape_of(texts[i].text).rank == texts[i].rank, "%s",
			      texts[i].text);
	ck_assert(fusion_shape_of("[1, 512, 4096]").sizes[1] == 512);
}
END_TEST

static const struct {
	const char *measured[8];
	const char *wanted;
	enum fusion_cover cover;
} covers[] = {
	{{"[1, 8, 64]", "[1, 32, 64]"}, "[1, 8, 64]", FUSION_MEASURED},
	{{"[1, 8, 64]", "[1, 32, 64]"}, "[1, 16, 64]", FUSION_INTERPOLATED},
	{{"[1, 8, 64]", "[1, 32, 64]"}, "[1, 4, 64]", FUSION_MISSING},
	{{"[1, 8, 64]", "[1, 32, 64]"}, "[1, 64, 64]", FUSION_MISSING},
	{{"[1, 8, 64]", "[1, 32, 64]"}, "[2, 16, 64]", FUSION_MISSING},
	{{"[1, 8]", "[1, 32]"}, "[1, 16, 64]", FUSION_MISSING},
	/* Three of four corners: the scheduler takes the nearest point. */
	{{"[1, 8, 64]", "[1, 32, 64]", "[4, 8, 64]"}, "[2, 16, 64]", FUSION_MISSING},
	{{"[1, 8, 64]", "[1, 32, 64]", "[4, 8, 64]", "[4, 32, 64]"},
	 "[2, 16, 64]",
	 FUSION_INTERPOLATED},
	{{NULL}, "[1, 8, 64]", FUSION_MISSING},
};

START_TEST(covers_shapes)
{
	for (size_t i = 0; i < sizeof covers / sizeof *covers; i++) {
		struct fusion_shape measured[8];
		struct fusion_shape wanted = fusion_shape_of(covers[i].wanted);
		size_t count = 0;
		for (; covers[i].measured[count]; count++)
			measured[count] = fusion_shape_of(covers[i].measured[count]);
		ck_assert_msg(fusion_cover(measured, count, &wanted) == covers[i].cover, "row %zu",
			      i);
	}
}
END_TEST

START_TEST(orders_shapes)
{
	static const char *const order[] = {"[9]",          "[1, 512]",      "[2, 512]",
					    "[1, 64, 512]", "[1, 128, 512]", "[2, 64, 512]",
					    "[1, 1, 4096]"};
	enum { count = sizeof order / sizeof *order };
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < count; j++) {
			struct fusion_shape a = fusion_shape_of(order[i]),
					    b = fusion_shape_of(order[j]);
			ck_assert_int_eq(fusion_shape_compare(&a, &b), (i > j) - (i < j));
		}
}
END_TEST

UNIT_MAIN("fusion", decides, takes_intervals, takes_spreads_and_the_worst_provenance, reads_shapes,
	  covers_shapes, orders_shapes)
