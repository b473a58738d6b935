/* Sweeps: which parameter varies, which runs lie on one line, what lines are called. */
#include "model/sizing/sweep.h"

#include <math.h>
#include <string.h>

#include "unit/unit.h"

static const struct run *make(struct arena *arena, const char *params, double seconds)
{
	struct run *run = run_new(arena);
	run->kernel = "matmul";
	run->variant = "";
	run->dtype = "fp16";
	run->device = "inf2";
	run->tool = "npu-matmul";
	for (struct span rest = span_of(params); rest.len;) {
		struct span value = span_cut(&rest, ' '), name = span_cut(&value, '=');
		run_set_param(arena, run, arena_strndup(arena, name.ptr, name.len),
			      arena_strndup(arena, value.ptr, value.len));
	}
	if (seconds > 0)
		run_set(run, METRIC_HOST_TIME, seconds, PROVENANCE_MEASURED);
	return run;
}

static const struct {
	const char *params[5];
	const char *x;      /* asked for */
	const char *chosen; /* NULL: refused */
	const char *names[3];
} cases[] = {
	{{"M=1 K=8", "M=2 K=8"}, NULL, "M", {"matmul fp16 K=8"}},
	{{"M=1 K=8 mode=a", "M=2 K=8 mode=b", "M=3 K=8 mode=a"},
	 NULL,
	 "M",
	 {"matmul mode=a", "matmul mode=b"}},
	{{"M=1 K=8", "M=2 K=16"}, NULL, NULL, {0}},
	{{"M=1 K=16", "M=2 K=8", "M=2 K=16"}, "M", "M", {"matmul K=8", "matmul K=16"}},
	{{"M=1 K=16", "M=2 K=8", "M=2 K=16"}, "K", "K", {"matmul M=1", "matmul M=2"}},
	{{"M=1 K=8", "M=1 K=8"}, NULL, NULL, {0}},
	{{"M=1", "M=x"}, NULL, NULL, {0}},
	{{"M=1", "M=2"}, "N", NULL, {0}},
	{{"M=1", "M=1"}, "M", "M", {"matmul fp16"}},
	{{"M=-1", "M=0"}, "M", NULL, {0}},
};

START_TEST(chooses_and_cuts)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct sweep sweep = {0};
		const struct run *runs[5];
		size_t count = 0, lines = 0;
		for (; count < 5 && cases[i].params[count]; count++)
			runs[count] = make(&arena, cases[i].params[count], 1);
		int rc = sweep_of(&arena, runs, count, cases[i].x, &sweep, &err);
		ck_assert_msg((rc == 0) == (cases[i].chosen != NULL), "%zu: %s", i, err.text);
		if (rc == 0)
			ck_assert_str_eq(sweep.x, cases[i].chosen);
		else
			ck_assert(err.kind == ERR_USAGE && !sweep.count);
		for (; lines < 3 && cases[i].names[lines]; lines++)
			ck_assert_str_eq(sweep.lines[lines].name, cases[i].names[lines]);
		ck_assert_uint_eq(sweep.count, lines);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(points_are_sorted_medians)
{
	struct arena arena = {0};
	struct error err = {0};
	struct sweep sweep;
	const struct run *runs[] = {
		make(&arena, "M=10", 5),  make(&arena, "M=9", 4), make(&arena, "M=10", 1),
		make(&arena, "M=10", 3),  make(&arena, "M=9", 2), make(&arena, "M=100", 0),
		make(&arena, "M=big", 1),
	};
	ck_assert_int_eq(sweep_of(&arena, runs, 7, NULL, &sweep, &err), 0);
	ck_assert_uint_eq(sweep.count, 1);
	ck_assert_uint_eq(sweep.skipped, 2);
	ck_assert_int_eq(sweep.lines[0].time, METRIC_HOST_TIME);
	ck_assert_uint_eq(sweep.lines[0].count, 2);
	ck_assert_double_eq(sweep.lines[0].points[0].x, 9);
	ck_assert_double_eq(sweep.lines[0].points[0].seconds, 2);
	ck_assert_double_eq(sweep.lines[0].points[1].x, 10);
	ck_assert_double_eq(sweep.lines[0].points[1].seconds, 3);
	arena_free(&arena);
}
END_TEST

START_TEST(says_what_differs)
{
	struct arena arena = {0};
	struct error err = {0};
	struct sweep sweep;
	const struct run *runs[] = {make(&arena, "K=1 M=2 N=4", 1), make(&arena, "K=2 M=3 N=5", 1)};
	ck_assert_int_lt(sweep_of(&arena, runs, 2, NULL, &sweep, &err), 0);
	ck_assert_str_eq(err.text, "K, M and N differ between these runs: choose one of them with "
				   "--over, the others distinguish the lines");
	ck_assert_int_lt(sweep_of(&arena, runs, 2, "S", &sweep, &err), 0);
	ck_assert_str_eq(err.text, "no run has both a time and a positive value for parameter S");
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("sweep", chooses_and_cuts, points_are_sorted_medians, says_what_differs)
