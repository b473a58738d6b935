/* scenario: which runs form a group, and what they add up to. */
#include "unit/unit.h"

#include "model/pattern/scenario.h"

#define COUNT_OF_ROWS(rows) (sizeof(rows) / sizeof *(rows))

static struct run *timed(struct arena *arena, const char *kernel, const char *s, double time,
			 double mfu)
{
	struct run *run = run_new(arena);
	run->kernel = kernel;
	run_set_param(arena, run, "s", s);
	run_set(run, METRIC_TOTAL_TIME, time, PROVENANCE_MEASURED);
	run_set(run, METRIC_TENSOR_PIPE, mfu, PROVENANCE_MEASURED);
	return run;
}

static const struct scenario_list *phases(struct arena *arena)
{
	struct scenario_list *list = arena_new(arena, struct scenario_list);
	*list = (struct scenario_list){.count = 0};
	scenario_add(arena, list, "prefill", "* s>1");
	scenario_add(arena, list, "ffn", "mlp");
	scenario_add(arena, list, "ffn", "ffn*");
	scenario_add(arena, list, "none", "conv");
	return list;
}

START_TEST(a_run_is_in_every_group_that_fits)
{
	struct arena arena = {0};
	const struct run *const runs[] = {
		timed(&arena, "attention", "512", 2, 0.5), timed(&arena, "mlp", "512", 6, 0.1),
		timed(&arena, "ffn_up", "1", 1, 0.2), timed(&arena, "norm", "1", 4, 0.4)};
	size_t count;
	const struct scenario_group *groups =
		scenario_groups(&arena, phases(&arena), runs, COUNT_OF_ROWS(runs), &count);
	ck_assert_uint_eq(count, 3);
	ck_assert_str_eq(groups[0].scenario->name, "prefill");
	ck_assert_uint_eq(groups[0].count, 2);
	ck_assert_str_eq(groups[1].scenario->name, "ffn");
	ck_assert_uint_eq(groups[1].runs[0], 1);
	ck_assert_uint_eq(groups[1].runs[1], 2);
	ck_assert_ptr_null(groups[2].scenario);
	ck_assert_uint_eq(groups[2].count, 1);
	ck_assert_double_eq(scenario_time(&groups[0], runs), 8);
	/* (2 * .5 + 6 * .1) / 8 */
	ck_assert_double_eq_tol(scenario_mean(&groups[0], runs, METRIC_TENSOR_PIPE), 0.2, 1e-12);
	arena_free(&arena);
}
END_TEST

START_TEST(no_scenario_with_runs_means_no_groups)
{
	struct arena arena = {0};
	const struct run *const runs[] = {timed(&arena, "norm", "1", 4, 0.4)};
	const struct scenario_list none = {.count = 0};
	size_t count = 9;
	scenario_groups(&arena, phases(&arena), runs, 1, &count);
	ck_assert_uint_eq(count, 0);
	scenario_groups(&arena, &none, runs, 1, &count);
	ck_assert_uint_eq(count, 0);
	arena_free(&arena);
}
END_TEST

START_TEST(what_does_not_add_up_is_unknown)
{
	struct arena arena = {0};
	struct run *a = timed(&arena, "mlp", "512", 6, 0.1), *b = timed(&arena, "mlp", "1", 2, NAN);
	struct run *untimed = timed(&arena, "mlp", "2", NAN, 0.1),
		   *host = timed(&arena, "mlp", "4", NAN, 0.1),
		   *again = timed(&arena, "mlp", "512", 7, 0.1);
	run_set(host, METRIC_HOST_TIME, 3, PROVENANCE_MEASURED);
	const struct {
		const struct run *runs[2];
		double time, mean;
		size_t untimed;
	} rows[] = {
		{{a, b}, 8, NAN, 0},
		{{a, untimed}, 6, NAN, 1},
		{{a, host}, NAN, NAN, 0},
		{{a, again}, NAN, NAN, 0},
	};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		size_t count;
		const struct scenario_group *groups =
			scenario_groups(&arena, phases(&arena), rows[i].runs, 2, &count);
		const struct scenario_group *ffn = &groups[count - 1];
		double time = scenario_time(ffn, rows[i].runs),
		       mean = scenario_mean(ffn, rows[i].runs, METRIC_TENSOR_PIPE);
		ck_assert_str_eq(ffn->scenario->name, "ffn");
		ck_assert_uint_eq(ffn->untimed, rows[i].untimed);
		ck_assert_msg(isnan(rows[i].time) ? isnan(time) : time == rows[i].time, "%zu", i);
		ck_assert_msg(isnan(rows[i].mean) && isnan(mean), "%zu", i);
	}
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("scenario", a_run_is_in_every_group_that_fits, no_scenario_with_runs_means_no_groups,
	  what_does_not_add_up_is_unknown)
