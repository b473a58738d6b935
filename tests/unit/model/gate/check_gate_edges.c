/* Where a gate could end green though something was not judged, or judge by the wrong thing. */
#include "model/acceptance/acceptance.h"
#include "model/statistics/median.h"
#include "tests/unit/gate_fixture.h"
#include "tests/unit/unit.h"
#include "render/vocabulary/vocabulary.h"

static void is_verdict(struct gate_fixture *f, const char *kernel, const char *verdict)
{
	const struct comparison *one = fixture_of(f, kernel);
	ck_assert_msg(strcmp(verdict_name(one->judged.verdict), verdict) == 0, "%s: %s, %s, not %s",
		      kernel, verdict_name(one->judged.verdict),
		      vocabulary_say(&f->arena, one->judged.reason), verdict);
}

static struct gate_series *quiet(struct gate_fixture *f, const char *kernel, enum metric metric)
{
	return fixture_series(f, kernel, metric, fixture_noise(f, 1e-4, 0.005, 30, 7), 30);
}

/* One ingest may know what another does not. */
START_TEST(a_measurement_without_the_metric_is_none)
{
	for (int64_t first = 0; first < 3; first++) {
		struct gate_fixture f;
		fixture_init(&f);
		struct gate_series *series = quiet(&f, "a", METRIC_TOTAL_TIME);
		for (int64_t when = 0; when < 3; when++)
			fixture_candidate(&f, series, METRIC_TOTAL_TIME,
					  when == first ? NAN : 1.1e-4, when);
		fixture_judge(&f);
		is_verdict(&f, "a", "regressed");
		ck_assert_uint_eq(f.gate.comparisons[0].measurements, 2);
		arena_free(&f.arena);
	}
}
END_TEST

/* What may not change in either direction is unchanged only when both are ruled out. */
START_TEST(neither_is_unchanged_on_both_sides)
{
	static const struct {
		double factor;
		const char *verdict;
	} rows[] = {{1, "unchanged"}, {0.95, "undecided"}, {1.05, "undecided"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.policies[0].own_direction = false;
		f.policies[0].direction = METRIC_NEITHER;
		f.policies[0].tolerance = 0.09;
		struct gate_series *series = fixture_series(
			&f, "a", METRIC_TOTAL_TIME, fixture_noise(&f, 1e-4, 0.02, 30, 7), 30);
		fixture_candidate(
			&f, series, METRIC_TOTAL_TIME,
			median_of(fixture_noise(&f, 1e-4, 0.02, 30, 7), 30) * rows[i].factor, 1);
		fixture_judge(&f);
		is_verdict(&f, "a", rows[i].verdict);
		arena_free(&f.arena);
	}
}
END_TEST

static enum acceptance_reached reached(void *context, const char *revision)
{
	(void)context;
	(void)revision;
	return ACCEPTANCE_REACHED_NO;
}

static void judge_with(struct gate_fixture *f, const char *lines)
{
	static const struct acceptance_clock clock = {0, reached, NULL};
	struct acceptance_list *list = arena_new(&f->arena, struct acceptance_list);
	struct error err;
	ck_assert_int_eq(acceptance_parse(&f->arena, "accept", span_of(lines), list, &err), 0);
	f->input.acceptances = list;
	f->input.clock = &clock;
	fixture_judge(f);
}

/* "retired" is about series that are gone, not about ones that are wrong, or old. */
START_TEST(retired_accepts_only_what_is_gone)
{
	static const struct {
		bool gone, incorrect, stale;
		const char *verdict;
		enum exit_status status;
	} rows[] = {
		{true, false, false, "accepted", 0},
		{false, true, false, "missing", 5},
		{false, false, true, "stale", 6},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		struct gate_series *other = quiet(&f, "b", METRIC_TOTAL_TIME);
		fixture_candidate(&f, other, METRIC_TOTAL_TIME, 1e-4, 1);
		struct gate_series *series = quiet(&f, "a", METRIC_TOTAL_TIME);
		if (!rows[i].gone)
			fixture_candidate(&f, series, METRIC_TOTAL_TIME, 1e-4, 1);
		if (rows[i].incorrect)
			run_add_attribute(&f.arena, series->candidate.items[0], "correctness",
					  "incorrect");
		if (rows[i].stale) {
			f.policies[0].stale_days = 30;
			series->baseline_revision = &f.set.chain[100];
		}
		judge_with(&f, "a | * | retired | never | A | gone\n");
		is_verdict(&f, "a", rows[i].verdict);
		ck_assert_int_eq(f.gate.exit_status, rows[i].status);
		arena_free(&f.arena);
	}
}
END_TEST

START_TEST(what_is_accepted_as_gone_was_not_judged)
{
	struct gate_fixture f;
	fixture_init(&f);
	quiet(&f, "a", METRIC_TOTAL_TIME);
	struct gate_series *fresh = fixture_series(&f, "b", METRIC_TOTAL_TIME, NULL, 0);
	fixture_candidate(&f, fresh, METRIC_TOTAL_TIME, 1e-4, 1);
	judge_with(&f, "a | * | retired | never | A | gone\n");
	is_verdict(&f, "a", "accepted");
	ck_assert_uint_eq(f.gate.judged, 0);
	ck_assert_int_eq(f.gate.exit_status, 4);
	arena_free(&f.arena);
}
END_TEST

/* At most 30 % was asked for, and more is better: what is accepted lies on the rule's other side.
 */
START_TEST(a_bound_of_a_limit_lies_beyond_it)
{
	static const struct {
		const char *line, *verdict;
	} rows[] = {
		{"a | mfu | 35 % | never | A | r\n", "failed"},
		{"a | mfu | 45 % | never | A | r\n", "accepted"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.policies[0].metric = METRIC_MFU;
		f.policies[0].own_headline = false;
		f.policies[0].at_most = 0.3;
		struct gate_series *series = fixture_series(&f, "a", METRIC_MFU, NULL, 0);
		fixture_candidate(&f, series, METRIC_MFU, 0.4, 1);
		judge_with(&f, rows[i].line);
		is_verdict(&f, "a", rows[i].verdict);
		arena_free(&f.arena);
	}
}
END_TEST

/* A nightly gate must not take two bad nights for the level that is asked for. */
START_TEST(a_window_has_no_young_levels)
{
	static const double record[] = {100, 101, 100, 101, 150, 151};
	for (int windowed = 0; windowed < 2; windowed++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.input.windowed = windowed;
		f.policies[0].noise = 0.01;
		struct gate_series *series = fixture_series(&f, "a", METRIC_TOTAL_TIME, record, 6);
		fixture_candidate(&f, series, METRIC_TOTAL_TIME, 150, 1);
		fixture_judge(&f);
		ck_assert_uint_eq(f.gate.comparisons[0].history.start, windowed ? 0 : 4);
		ck_assert(windowed == (f.gate.comparisons[0].judged.verdict != VERDICT_UNCHANGED));
		arena_free(&f.arena);
	}
}
END_TEST

/* The best level is compared with, not the commit that happens to be nearest. */
START_TEST(the_best_on_record_is_another_program)
{
	double bytes[30], times[30];
	for (size_t i = 0; i < 30; i++) {
		bytes[i] = i < 15 ? 1000 : 1200;
		times[i] = (i < 15 ? 1e-4 : 1.2e-4) * (i % 2 ? 1.002 : 0.998);
	}
	struct gate_fixture f;
	fixture_init(&f);
	f.input.best = true;
	f.policies[0].confirm = false;
	f.policies[1] = f.policies[0];
	f.policies[1].name = "bytes";
	f.policies[1].own_headline = false;
	f.policies[1].metric = METRIC_HBM_BYTES;
	f.policies[1].kernel = "b";
	f.policy_count = 2;
	f.policies[0].kernel = "a";
	struct gate_series *a = fixture_series(&f, "a", METRIC_TOTAL_TIME, times, 30);
	fixture_candidate(&f, a, METRIC_TOTAL_TIME, 1.2e-4, 1);
	a->baseline.items[0]->kernel_hash = a->candidate.items[0]->kernel_hash = "abcdef0123456789";
	struct gate_series *b = fixture_series(&f, "b", METRIC_HBM_BYTES, bytes, 30);
	fixture_candidate(&f, b, METRIC_HBM_BYTES, 1200, 1);
	fixture_judge(&f);
	is_verdict(&f, "a", "regressed");
	is_verdict(&f, "b", "regressed");
	arena_free(&f.arena);
}
END_TEST

/* "Measure the baseline again with that" must have an effect. */
START_TEST(a_baseline_measured_again_ends_the_event)
{
	for (int again = 0; again < 2; again++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.policies[0].confirm = false;
		struct gate_series *series = quiet(&f, "a", METRIC_TOTAL_TIME);
		fixture_candidate(&f, series, METRIC_TOTAL_TIME, 1.1e-4, 1);
		run_add_attribute(&f.arena, series->candidate.items[0], "driver", "2.24");
		run_add_attribute(&f.arena, series->baseline.items[0], "driver", "2.23");
		if (again) {
			run_list_add(&f.arena, &series->baseline,
				     fixture_run(&f, "a", METRIC_TOTAL_TIME, 1e-4, 2));
			run_add_attribute(&f.arena, series->baseline.items[1], "driver", "2.24");
		}
		fixture_judge(&f);
		is_verdict(&f, "a", again ? "regressed" : "environment");
		ck_assert_uint_eq(f.gate.environment.change_count, !again);
		arena_free(&f.arena);
	}
}
END_TEST

/* A counter has no noise that could excuse it, and what was not measured does not hold. */
START_TEST(limits_of_counters_are_exact)
{
	double record[30];
	for (size_t i = 0; i < 30; i++)
		record[i] = 900 + (double)(i * 37 % 100);
	for (int known = 0; known < 2; known++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.policies[0].own_headline = false;
		f.policies[0].metric = METRIC_SPILL_SAVE_BYTES;
		f.policies[0].at_most = 1000;
		struct gate_series *series =
			fixture_series(&f, "a", METRIC_SPILL_SAVE_BYTES, record, known ? 30 : 0);
		fixture_candidate(&f, series, METRIC_SPILL_SAVE_BYTES, known ? 1010 : NAN, 1);
		fixture_judge(&f);
		is_verdict(&f, "a", known ? "failed" : "missing");
		arena_free(&f.arena);
	}
}
END_TEST

/* Seconds are small numbers: a history with a 0 in it is not noisier for that. */
START_TEST(noise_of_differences_is_relative)
{
	struct gate_fixture f;
	fixture_init(&f);
	f.policies[0].own_headline = false;
	f.policies[0].at_most = 0.5e-6;
	double *record = (double *)fixture_noise(&f, 1e-6, 0.005, 30, 7);
	record[3] = 0;
	struct gate_series *series = fixture_series(&f, "a", METRIC_TOTAL_TIME, record, 30);
	fixture_candidate(&f, series, METRIC_TOTAL_TIME, 1e-6, 1);
	fixture_judge(&f);
	is_verdict(&f, "a", "failed");
	arena_free(&f.arena);
}
END_TEST

/* A run that lost the figure by which its series is judged does not start a new series. */
START_TEST(a_lost_headline_is_missing)
{
	struct gate_fixture f;
	fixture_init(&f);
	struct gate_series *other = quiet(&f, "b", METRIC_TOTAL_TIME);
	fixture_candidate(&f, other, METRIC_TOTAL_TIME, 1e-4, 1);
	struct gate_series *series = quiet(&f, "a", METRIC_TOTAL_TIME);
	fixture_candidate(&f, series, METRIC_ALGORITHMIC_RATE, 1e12, 1);
	fixture_judge(&f);
	is_verdict(&f, "a", "missing");
	ck_assert_int_eq(f.gate.exit_status, 5);
	arena_free(&f.arena);
}
END_TEST

/* Rules that fit nothing or never decide pass only where neither word is in the list. */
START_TEST(no_baseline_may_pass_but_nothing_may_not)
{
	static const struct {
		const char *kernel;
		enum policy_role role;
		const char *list;
		enum exit_status status;
	} rows[] = {
		{"*", POLICY_PRIMARY, "regression", 0},
		{"*", POLICY_PRIMARY, "no-baseline", 4},
		{"other", POLICY_PRIMARY, "no-baseline", 4},
		{"*", POLICY_CONTEXT, "no-baseline", 4},
		{"other", POLICY_PRIMARY, "missing", 4},
		{"*", POLICY_CONTEXT, "default", 4},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.policies[0].kernel = rows[i].kernel;
		f.policies[0].role = rows[i].role;
		ck_assert(gate_fail_on_parse(rows[i].list, &f.input.fail_on));
		struct gate_series *series = fixture_series(&f, "a", METRIC_TOTAL_TIME, NULL, 0);
		fixture_candidate(&f, series, METRIC_TOTAL_TIME, 1, 1);
		fixture_judge(&f);
		ck_assert_msg(f.gate.exit_status == rows[i].status, "row %zu: %d", i,
			      f.gate.exit_status);
		arena_free(&f.arena);
	}
}
END_TEST

/* A change that was fixed is not a change, however small a change counts. */
START_TEST(what_was_made_good_counts_for_nothing)
{
	struct gate_fixture f;
	fixture_init(&f);
	f.input.windowed = true;
	f.settings.drift = false;
	f.policies[0].limits.relative = 0;
	double record[60];
	for (size_t i = 0; i < 60; i++)
		record[i] = i >= 35 && i < 50 ? 110 : 100;
	struct gate_series *series = fixture_series(&f, "a", METRIC_TOTAL_TIME, record, 60);
	fixture_candidate(&f, series, METRIC_TOTAL_TIME, 100, 1);
	fixture_judge(&f);
	ck_assert_int_ne(f.gate.comparisons[0].judged.verdict, VERDICT_REGRESSED);
	arena_free(&f.arena);
}
END_TEST

/* A nightly gate that never decides anything would pass unnoticed. */
START_TEST(a_window_that_decided_nothing_is_not_green)
{
	static const struct {
		size_t undecided, decided;
		const char *list;
		enum exit_status status;
	} rows[] = {
		{2, 0, NULL, 3},
		{2, 1, NULL, 0},
		{2, 0, "regression", 0},
		{2, 0, "any", 3},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.input.windowed = true;
		f.policies[0].least_runs = 2;
		if (rows[i].list)
			ck_assert(gate_fail_on_parse(rows[i].list, &f.input.fail_on));
		for (size_t k = 0; k < rows[i].undecided + rows[i].decided; k++) {
			struct gate_series *series =
				quiet(&f, k ? k > 1 ? "c" : "b" : "a", METRIC_TOTAL_TIME);
			fixture_candidate(&f, series, METRIC_TOTAL_TIME, 1e-4, 1);
			if (k >= rows[i].undecided)
				fixture_candidate(&f, series, METRIC_TOTAL_TIME, 1e-4, 1);
		}
		fixture_judge(&f);
		ck_assert_msg(f.gate.exit_status == rows[i].status, "row %zu: %d", i,
			      f.gate.exit_status);
		arena_free(&f.arena);
	}
}
END_TEST

/* For a history of zeros only the absolute limit determines what is small. */
START_TEST(an_absolute_limit_holds_beside_zero)
{
	static const double record[20] = {0};
	for (int far = 0; far < 2; far++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.policies[0].confirm = false;
		f.policies[0].limits.absolute = 10;
		struct gate_series *series = fixture_series(&f, "a", METRIC_TOTAL_TIME, record, 20);
		fixture_candidate(&f, series, METRIC_TOTAL_TIME, far ? 10 : 9, 1);
		fixture_judge(&f);
		is_verdict(&f, "a", far ? "regressed" : "unchanged");
		arena_free(&f.arena);
	}
}
END_TEST

/* What may wait until tomorrow must not hide what is red every night. */
START_TEST(a_bad_night_does_not_hide_drift)
{
	for (int bad = 0; bad < 2; bad++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.input.windowed = true;
		double *record = (double *)fixture_noise(&f, 1e-4, 0.005, 120, 5);
		for (size_t i = 0; i < 120; i++)
			record[i] *= 1 + 0.0004 * (double)i;
		struct gate_series *series =
			fixture_series(&f, "a", METRIC_TOTAL_TIME, record, 120);
		fixture_candidate(&f, series, METRIC_TOTAL_TIME, bad ? 1.2e-4 : 1.05e-4, 1);
		fixture_judge(&f);
		is_verdict(&f, "a", "drift");
		ck_assert_int_eq(f.gate.exit_status, 1);
		arena_free(&f.arena);
	}
}
END_TEST

/* A limit that is missed says nothing about when that began. */
START_TEST(a_missed_limit_is_not_bad_for_the_first_time)
{
	struct gate_fixture f;
	fixture_init(&f);
	f.input.windowed = true;
	f.policies[0].own_headline = false;
	f.policies[0].at_most = 0.5e-4;
	struct gate_series *series = quiet(&f, "a", METRIC_TOTAL_TIME);
	fixture_candidate(&f, series, METRIC_TOTAL_TIME, 1e-4, 1);
	fixture_judge(&f);
	is_verdict(&f, "a", "failed");
	ck_assert_uint_eq(f.gate.newly, 0);
	arena_free(&f.arena);
}
END_TEST

/* Thousands of series with short records, of two metrics in turn: memory grows with their number
 * and not with its square. */
START_TEST(noise_is_pooled_once)
{
	enum { SERIES = 3000 };
	static const double record[] = {1e-4, 1.01e-4};
	struct gate_fixture f;
	fixture_init(&f);
	f.policies[1] = f.policies[0];
	f.policies[1].name = "bytes";
	f.policies[1].own_headline = false;
	f.policies[1].metric = METRIC_HBM_BYTES;
	f.policy_count = 2;
	for (size_t i = 0; i < SERIES; i++) {
		struct gate_series *series = fixture_series(&f, arena_printf(&f.arena, "k%04zu", i),
							    METRIC_TOTAL_TIME, record, 2);
		fixture_candidate(&f, series, METRIC_TOTAL_TIME, 1e-4, 1);
	}
	size_t before = f.arena.used;
	fixture_plan(&f);
	ck_assert_uint_lt((f.arena.used - before) / SERIES, 10000);
	arena_free(&f.arena);
}
END_TEST

UNIT_MAIN("gate, edges", a_measurement_without_the_metric_is_none,
	  neither_is_unchanged_on_both_sides, retired_accepts_only_what_is_gone,
	  what_is_accepted_as_gone_was_not_judged, a_bound_of_a_limit_lies_beyond_it,
	  a_window_has_no_young_levels, the_best_on_record_is_another_program,
	  a_baseline_measured_again_ends_the_event, limits_of_counters_are_exact,
	  noise_of_differences_is_relative, a_lost_headline_is_missing,
	  no_baseline_may_pass_but_nothing_may_not, what_was_made_good_counts_for_nothing,
	  a_window_that_decided_nothing_is_not_green, noise_is_pooled_once,
	  an_absolute_limit_holds_beside_zero, a_bad_night_does_not_hide_drift,
	  a_missed_limit_is_not_bad_for_the_first_time)
