/* The gate: verdicts of single series, of many together, and the exit status. */
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

START_TEST(one_series_by_its_record)
{
	static const struct {
		size_t commits;
		double noise, factor, pooled;
		bool confirm;
		size_t measurements; /* each of `factor`, the later ones of `again` */
		double again;
		const char *verdict;
		enum exit_status status;
	} rows[] = {
		{30, 0.005, 1.00, NAN, true, 1, 0, "unchanged", 0},
		{30, 0.005, 1.10, NAN, true, 1, 0, "suspect", 3},
		{30, 0.005, 1.10, NAN, false, 1, 0, "regressed", 1},
		{30, 0.005, 1.10, NAN, true, 2, 1.10, "regressed", 1},
		{30, 0.005, 1.10, NAN, true, 2, 1.00, "unchanged", 0},
		{30, 0.005, 1.10, NAN, true, 3, 1.11, "regressed", 1},
		{30, 0.005, 0.90, NAN, true, 1, 0, "improved", 0},
		{30, 0.100, 1.03, NAN, true, 1, 0, "undecided", 3},
		{3, 0.005, 1.10, NAN, false, 1, 0, "regressed", 1}, /* noise 1 % assumed */
		{3, 0.005, 1.02, NAN, false, 1, 0, "undecided", 3},
		{3, 0.005, 1.10, 0.005, false, 1, 0, "regressed", 1},
		{1, 0, 1.10, 0.005, false, 1, 0, "regressed", 1},
		{1, 0, 1.00, 0.005, false, 1, 0, "unchanged", 0},
		{1, 0, 1.10, NAN, false, 1, 0, "regressed", 1},
		{1, 0, 1.03, NAN, false, 1, 0, "undecided", 3},
		{2, 0, 1.00, NAN, false, 1, 0, "unchanged", 0},
		{3, 0, 1.10, NAN, false, 1, 0, "regressed", 1}, /* a simulator: always the same */
		{0, 0, 1, NAN, true, 1, 0, "no-baseline", 4},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.policies[0].noise = rows[i].pooled;
		f.policies[0].confirm = rows[i].confirm;
		struct gate_series *series =
			fixture_series(&f, "a", METRIC_TOTAL_TIME,
				       fixture_noise(&f, 100e-6, rows[i].noise, rows[i].commits, 7),
				       rows[i].commits);
		for (size_t k = 0; k < rows[i].measurements; k++)
			fixture_candidate(&f, series, METRIC_TOTAL_TIME,
					  100e-6 * (k ? rows[i].again : rows[i].factor),
					  1000 + (int64_t)k);
		fixture_judge(&f);
		ck_assert_msg(f.gate.exit_status == rows[i].status, "row %zu: status %d", i,
			      f.gate.exit_status);
		ck_assert_msg(strcmp(verdict_name(f.gate.comparisons[0].judged.verdict),
				     rows[i].verdict) == 0,
			      "row %zu: %s, %s", i,
			      verdict_name(f.gate.comparisons[0].judged.verdict),
			      vocabulary_say(&f.arena, f.gate.comparisons[0].judged.reason));
		arena_free(&f.arena);
	}
}
END_TEST

/* The detector needs four commits after a change; with known noise a jump shows at once. */
START_TEST(a_short_record_begins_at_its_newest_level)
{
	static const struct {
		double record[5], now;
		const char *verdict;
		size_t count; /* commits compared with */
		bool named;   /* the newest of them was asked for */
	} rows[] = {
		{{41.2, 41.2, 33.1, 33.1, 33.1}, 39.0, "regressed", 3, false},
		/* One commit may be an accident. */
		{{41.2, 41.1, 41.2, 41.1, 33.1}, 33.0, "improved", 4, false},
		{{33.1, 33.0, 33.1, 33.0, 39.0}, 33.1, "unchanged", 4, false},
		/* If it was none, it is not the candidate's doing. */
		{{33.1, 33.0, 33.1, 33.0, 39.0}, 39.0, "undecided", 4, false},
		{{33.1, 33.0, 33.1, 33.0, 39.0}, 45.0, "regressed", 4, false},
		{{33.1, 33.0, 33.1, 33.0, 39.0}, 39.0, "unchanged", 1, true},
		{{33.1, 33.0, 33.1, 33.0, 39.0}, 33.0, "improved", 1, true},
		{{30, 34, 30, 35, 41}, 41, "undecided", 5, false}, /* noisier than assumed */
		{{33.0, 33.1, 33.0, 33.1, 33.0}, 33.1, "unchanged", 5, false},
		{{0, 0, 33.0, 33.1, 33.0}, 33.1, "undecided", 5, false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.input.named = rows[i].named;
		f.policies[0].noise = 0.01;
		f.policies[0].confirm = false;
		struct gate_series *series =
			fixture_series(&f, "a", METRIC_TOTAL_TIME, rows[i].record, 5);
		fixture_candidate(&f, series, METRIC_TOTAL_TIME, rows[i].now, 1000);
		fixture_judge(&f);
		is_verdict(&f, "a", rows[i].verdict);
		ck_assert_uint_eq(f.gate.comparisons[0].judged.result.count, rows[i].count);
		arena_free(&f.arena);
	}
}
END_TEST

START_TEST(a_rate_is_worse_when_it_falls)
{
	struct gate_fixture f;
	fixture_init(&f);
	f.policies[0].confirm = false;
	struct gate_series *series = fixture_series(&f, "a", METRIC_ALGORITHMIC_RATE,
						    fixture_noise(&f, 14e12, 0.004, 20, 3), 20);
	fixture_candidate(&f, series, METRIC_ALGORITHMIC_RATE, 12e12, 1);
	fixture_judge(&f);
	ck_assert_int_eq(f.gate.comparisons[0].metric, METRIC_ALGORITHMIC_RATE);
	is_verdict(&f, "a", "regressed");
	ck_assert_double_eq_tol(f.gate.comparisons[0].judged.candidate, 12e12, 1);
	ck_assert_double_eq_tol(f.gate.comparisons[0].judged.change, 12.0 / 14 - 1, 0.01);
	arena_free(&f.arena);
}
END_TEST

/* Which way is better holds for values that are not above 0, too. */
START_TEST(signed_values_have_directions)
{
	static const struct {
		double level, now;
		enum metric_direction direction;
		const char *verdict;
	} rows[] = {
		{-100, -50, METRIC_LOWER, "regressed"},   {-100, -50, METRIC_HIGHER, "improved"},
		{-100, -150, METRIC_LOWER, "improved"},   {-100, -150, METRIC_HIGHER, "regressed"},
		{100, 0, METRIC_LOWER, "unproven"},       {100, 0, METRIC_HIGHER, "regressed"},
		{100, -10, METRIC_LOWER, "improved"},     {100, -10, METRIC_HIGHER, "regressed"},
		{-100, -50, METRIC_NEITHER, "regressed"}, {-100, -150, METRIC_NEITHER, "regressed"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.policies[0].confirm = false;
		f.policies[0].own_direction = false;
		f.policies[0].direction = rows[i].direction;
		struct gate_series *series =
			fixture_series(&f, "a", METRIC_TOTAL_TIME,
				       fixture_noise(&f, rows[i].level, 0.004, 20, 3), 20);
		fixture_candidate(&f, series, METRIC_TOTAL_TIME, rows[i].now, 1);
		fixture_judge(&f);
		is_verdict(&f, "a", rows[i].verdict);
		ck_assert_double_eq_tol(f.gate.comparisons[0].judged.candidate, rows[i].now, 1e-9);
		ck_assert_double_eq_tol(f.gate.comparisons[0].judged.baseline, rows[i].level, 1);
		ck_assert_double_eq_tol(f.gate.comparisons[0].judged.change,
					(rows[i].now - rows[i].level) / 100, 0.01);
		arena_free(&f.arena);
	}
}
END_TEST

START_TEST(counters_are_exact)
{
	static const struct {
		double now;
		double relative;
		const char *verdict;
	} rows[] = {
		{4096, NAN, "unchanged"},  {4097, NAN, "regressed"},  {4095, NAN, "improved"},
		{4100, 0.01, "unchanged"}, {4200, 0.01, "regressed"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_fixture f;
		double record = 4096;
		fixture_init(&f);
		f.policies[0].metric = METRIC_SPILL_SAVE_BYTES;
		f.policies[0].own_headline = false;
		f.policies[0].limits.relative = rows[i].relative;
		struct gate_series *series =
			fixture_series(&f, "a", METRIC_SPILL_SAVE_BYTES, &record, 1);
		fixture_candidate(&f, series, METRIC_SPILL_SAVE_BYTES, rows[i].now, 1);
		fixture_judge(&f);
		is_verdict(&f, "a", rows[i].verdict);
		arena_free(&f.arena);
	}
}
END_TEST

START_TEST(limits_need_no_record)
{
	static const struct {
		double at_least, at_most, now, noise;
		const char *verdict;
		enum exit_status status;
	} rows[] = {
		{0.30, NAN, 0.31, NAN, "held", 0},        {0.30, NAN, 0.29, NAN, "failed", 1},
		{0.30, NAN, 0.295, 0.01, "undecided", 3}, {0.30, NAN, 0.25, 0.01, "failed", 1},
		{NAN, 0.30, 0.31, NAN, "failed", 1},      {0.20, 0.30, 0.25, NAN, "held", 0},
		{0.20, 0.30, 0.19, NAN, "failed", 1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.policies[0].metric = METRIC_MFU;
		f.policies[0].own_headline = false;
		f.policies[0].at_least = rows[i].at_least;
		f.policies[0].at_most = rows[i].at_most;
		f.policies[0].noise = rows[i].noise;
		struct gate_series *series = fixture_series(&f, "a", METRIC_MFU, NULL, 0);
		fixture_candidate(&f, series, METRIC_MFU, rows[i].now, 1);
		fixture_judge(&f);
		is_verdict(&f, "a", rows[i].verdict);
		ck_assert_int_eq(f.gate.exit_status, rows[i].status);
		arena_free(&f.arena);
	}
}
END_TEST

/* `slow` of `count` series are slower by the factor. */
static void add_many(struct gate_fixture *f, size_t count, size_t slow, double factor)
{
	for (size_t i = 0; i < count; i++) {
		struct gate_series *series =
			fixture_series(f, arena_printf(&f->arena, "k%03zu", i), METRIC_TOTAL_TIME,
				       fixture_noise(f, 1e-4, 0.005, 30, (unsigned)i + 1), 30);
		fixture_candidate(f, series, METRIC_TOTAL_TIME, i < slow ? 1e-4 * factor : 1e-4, 1);
	}
}

START_TEST(what_happens_to_many_is_the_environment)
{
	static const struct {
		size_t slow;
		bool event;
		enum exit_status status;
	} rows[] = {{0, false, 0}, {3, false, 1}, {12, true, 3}, {40, true, 3}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.policies[0].confirm = false;
		add_many(&f, 40, rows[i].slow, 1.06);
		fixture_judge(&f);
		ck_assert_int_eq(f.gate.environment.event, rows[i].event);
		ck_assert_msg(f.gate.exit_status == rows[i].status, "row %zu: %s", i,
			      vocabulary_say(&f.arena, f.gate.reason));
		ck_assert_uint_eq(f.gate.counts[VERDICT_ENVIRONMENT],
				  rows[i].event ? rows[i].slow : 0);
		arena_free(&f.arena);
	}
}
END_TEST

START_TEST(a_changed_compiler_is_named)
{
	struct gate_fixture f;
	fixture_init(&f);
	f.policies[0].confirm = false;
	add_many(&f, 10, 1, 1.10);
	for (size_t i = 0; i < 10; i++) {
		struct gate_series *series = &f.list.items[i];
		run_add_attribute(&f.arena, series->candidate.items[0], "compiler_version", "2.24");
		run_add_attribute(&f.arena, series->baseline.items[0], "compiler_version", "2.23");
	}
	fixture_judge(&f);
	is_verdict(&f, "k000", "environment");
	is_verdict(&f, "k001", "unchanged");
	ck_assert_str_eq(vocabulary_say(&f.arena, f.gate.environment.changes[0]),
			 "compiler_version 2.23 -> 2.24 (10 series)");
	ck_assert_int_eq(f.gate.exit_status, 3);
	arena_free(&f.arena);
}
END_TEST

/* The hash is what a profile says of itself: it must not make a verdict better. */
START_TEST(a_kernel_that_says_it_is_the_same_has_regressed_all_the_same)
{
	for (int same = 0; same < 2; same++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.policies[0].confirm = false;
		add_many(&f, 10, 1, 1.10);
		f.list.items[0].candidate.items[0]->kernel_hash = "abcdef0123456789";
		f.list.items[0].baseline.items[0]->kernel_hash =
			same ? "abcdef0123456789" : "bbcdef0123456789";
		fixture_judge(&f);
		is_verdict(&f, "k000", "regressed");
		ck_assert_int_eq(fixture_of(&f, "k000")->judged.reason->code == MESSAGE_REASON_AND,
				 same);
		arena_free(&f.arena);
	}
}
END_TEST

/* What ingest computed from the kernel's file itself is evidence. */
START_TEST(a_kernel_that_is_the_same_is_slowed_by_its_environment)
{
	static const char *const digests[] = {"0123456789abcdef", "fedcba9876543210", NULL};
	for (size_t i = 0; i < 3; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		add_many(&f, 10, 1, 1.10);
		struct gate_series *series = &f.list.items[0];
		run_add_attribute(&f.arena, series->baseline.items[0], RUN_KERNEL_DIGEST,
				  digests[0]);
		if (digests[i])
			run_add_attribute(&f.arena, series->candidate.items[0], RUN_KERNEL_DIGEST,
					  digests[i]);
		fixture_judge(&f);
		is_verdict(&f, "k000", i == 0 ? "environment" : "suspect");
		ck_assert_int_eq(f.gate.exit_status, 3);
		const struct message *reason = fixture_of(&f, "k000")->judged.reason;
		ck_assert_int_eq(reason->code == MESSAGE_SAME_KERNEL_SLOWER, i == 0);
		arena_free(&f.arena);
	}
}
END_TEST

START_TEST(among_many_a_small_p_is_chance)
{
	struct gate_fixture f;
	fixture_init(&f);
	f.policies[0].confirm = false;
	f.policies[0].tolerance = 0.02;
	/* Nearly three of its standard deviations: enough for one series, not for one of 300. */
	add_many(&f, 300, 1, 1.0145);
	fixture_judge(&f);
	is_verdict(&f, "k000", "undecided");
	ck_assert_double_lt(fixture_of(&f, "k000")->judged.result.p, 0.01);
	arena_free(&f.arena);
	fixture_init(&f);
	f.policies[0].confirm = false;
	f.policies[0].tolerance = 0.02;
	add_many(&f, 1, 1, 1.0145);
	fixture_judge(&f);
	is_verdict(&f, "k000", "regressed");
	arena_free(&f.arena);
}
END_TEST

START_TEST(the_window_sees_changes_of_the_last_nights)
{
	static const struct {
		size_t ago;    /* nights since the level rose */
		size_t window; /* nights looked back */
		double now;    /* factor of the candidate's level */
		const char *verdict;
		bool red, newly;
	} rows[] = {
		{10, 30, 1.05, "regressed", true, false},
		{10, 5, 1.05, "drift", true, false},
		{4, 30, 1.05, "regressed", true, false}, /* five commits confirm it */
		{2, 30, 1.05, "regressed", true, false},
		{1, 30, 1.05, "regressed", true, true}, /* two are beyond doubt */
		{0, 30, 1.05, "suspect", false, false},
		{0, 30, 1, "unchanged", false, false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.input.windowed = true;
		f.settings.window = rows[i].window;
		double *record = (double *)fixture_noise(&f, 1e-4, 0.005, 60, 5);
		for (size_t k = 60 - rows[i].ago; k < 60; k++)
			record[k] *= rows[i].now;
		struct gate_series *series = fixture_series(&f, "a", METRIC_TOTAL_TIME, record, 60);
		fixture_candidate(&f, series, METRIC_TOTAL_TIME, 1e-4 * rows[i].now, 1);
		fixture_judge(&f);
		is_verdict(&f, "a", rows[i].verdict);
		ck_assert_int_eq(f.gate.exit_status, rows[i].red);
		ck_assert_uint_eq(f.gate.newly, rows[i].newly);
		ck_assert_int_eq(fixture_of(&f, "a")->already, rows[i].red && !rows[i].newly);
		arena_free(&f.arena);
	}
}
END_TEST

/* The night on which a series is back it has recovered; the night after it is unchanged. */
START_TEST(what_is_back_has_recovered)
{
	static const struct {
		size_t bad, good; /* nights before the candidate at the worse level, and after it */
	} rows[] = {{2, 0}, {8, 0}, {8, 2}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.input.windowed = true;
		f.settings.window = 30;
		double *record = (double *)fixture_noise(&f, 1e-4, 0.005, 60, 5);
		for (size_t k = 0; k < rows[i].bad; k++)
			record[59 - rows[i].good - k] *= 1.2;
		struct gate_series *series = fixture_series(&f, "a", METRIC_TOTAL_TIME, record, 60);
		fixture_candidate(&f, series, METRIC_TOTAL_TIME, 1e-4, 1);
		fixture_judge(&f);
		ck_assert_int_eq(f.gate.exit_status, 0);
		ck_assert_int_eq(fixture_of(&f, "a")->recovered, rows[i].good == 0);
		arena_free(&f.arena);
	}
}
END_TEST

static void give_compiler(struct gate_fixture *f, struct gate_older_runs *older)
{
	struct run *run = fixture_run(f, older->series->key, METRIC_TOTAL_TIME, 1, 1);
	run_add_attribute(&f->arena, run, "compiler_version",
			  older->commit->position < FIXTURE_COMMITS - 10 ? "2.23" : "2.24");
	run_list_add(&f->arena, &older->runs, run);
}

START_TEST(a_compiler_that_changed_within_the_window_is_named)
{
	/* Changes 10 nights ago with the compiler, or 15 nights ago without. */
	for (size_t ago = 10; ago <= 15; ago += 5) {
		struct gate_fixture f;
		fixture_init(&f);
		f.input.windowed = true;
		f.load = give_compiler;
		double *record = (double *)fixture_noise(&f, 1e-4, 0.005, 60, 5);
		for (size_t k = 60 - ago; k < 60; k++)
			record[k] *= 1.05;
		struct gate_series *series = fixture_series(&f, "a", METRIC_TOTAL_TIME, record, 60);
		fixture_candidate(&f, series, METRIC_TOTAL_TIME, 1.05e-4, 1);
		fixture_judge(&f);
		is_verdict(&f, "a", ago == 10 ? "environment" : "regressed");
		arena_free(&f.arena);
	}
}
END_TEST

/* 60 commits at one level, then `young` ones a fifth faster; the candidate is back at the first. */
START_TEST(a_young_level_is_compared_with)
{
	for (size_t young = 1; young <= 6; young++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.policies[0].confirm = false;
		double *record = (double *)fixture_noise(&f, 1e-4, 0.005, 60 + young, 5);
		for (size_t k = 60; k < 60 + young; k++)
			record[k] *= 0.8;
		struct gate_series *series =
			fixture_series(&f, "a", METRIC_TOTAL_TIME, record, 60 + young);
		fixture_candidate(&f, series, METRIC_TOTAL_TIME, 1e-4, 1);
		fixture_judge(&f);
		/* One commit may be an accident. */
		is_verdict(&f, "a", young == 1 ? "unchanged" : "regressed");
		arena_free(&f.arena);
	}
}
END_TEST

/* A second row judges a second time; one that refines only gives parameters to the first. */
START_TEST(a_row_that_refines_judges_nothing)
{
	static const struct {
		const char *kernel, *refines, *verdict;
		size_t comparisons, idle;
	} rows[] = {
		{"k*", NULL, "regressed", 2, 0},
		{"k*", "default", "unchanged", 1, 0},
		{"other", "default", "regressed", 1, 1},
		{"k*", "another", "regressed", 1, 1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.policies[0].confirm = false;
		f.policies[1] = f.policies[0];
		f.policies[1].name = "wide";
		f.policies[1].kernel = rows[i].kernel;
		f.policies[1].refines = rows[i].refines;
		f.policies[1].limits.relative = 0.10;
		f.policies[1].tolerance = 0.15;
		f.policies[1].alpha = 0.4; /* not given, so not used */
		f.policies[1].given = POLICY_RELATIVE | POLICY_TOLERANCE;
		f.policy_count = 2;
		add_many(&f, 1, 1, 1.07);
		fixture_judge(&f);
		is_verdict(&f, "k000", rows[i].verdict);
		ck_assert_uint_eq(f.gate.count, rows[i].comparisons);
		ck_assert_uint_eq(f.plan.idle_count, rows[i].idle);
		if (rows[i].refines)
			ck_assert_double_eq(fixture_of(&f, "k000")->policy->alpha, 0.01);
		arena_free(&f.arena);
	}
}
END_TEST

START_TEST(statuses_by_the_worst_and_by_the_list)
{
	static const struct {
		const char *candidates; /* a letter a series: see below */
		const char *list;       /* NULL: all count */
		const char *word;
		enum exit_status status;
	} rows[] = {
		{"==", NULL, "pass", 0},
		{"=-", NULL, "missing series", 5},
		{"=-", "regression,undecided", "missing series", 0},
		{"n=", NULL, "pass", 0},
		{"nn", NULL, "no baseline", 4},
		{"nn", "regression", "no baseline", 0},
		{"+-", NULL, "regression", 1},
		{"+-", "regressed", "regression", 1},
		{"+-", "missing", "regression", 5},
		{"+-", "failed,drift", "regression", 0},
		{"+-", "none", "regression", 0},
		{"+-", "any", "regression", 1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.policies[0].confirm = false;
		for (size_t k = 0; rows[i].candidates[k]; k++) {
			char kind = rows[i].candidates[k];
			size_t commits = kind == 'n' ? 0 : 20;
			struct gate_series *series =
				fixture_series(&f, k ? "b" : "a", METRIC_TOTAL_TIME,
					       fixture_noise(&f, 1e-4, 0.003, commits, 3), commits);
			if (kind != '-')
				fixture_candidate(&f, series, METRIC_TOTAL_TIME,
						  kind == '+' ? 1.2e-4 : 1e-4, 1);
		}
		if (rows[i].list)
			ck_assert(gate_fail_on_parse(rows[i].list, &f.input.fail_on));
		fixture_judge(&f);
		ck_assert_msg(f.gate.exit_status == rows[i].status, "row %zu: %d", i,
			      f.gate.exit_status);
		ck_assert_str_eq(f.gate.verdict, rows[i].word);
		arena_free(&f.arena);
	}
}
END_TEST

START_TEST(a_row_for_context_decides_nothing)
{
	struct gate_fixture f;
	fixture_init(&f);
	f.policies[0].confirm = false;
	f.policies[0].role = POLICY_CONTEXT;
	add_many(&f, 2, 1, 1.2);
	fixture_judge(&f);
	is_verdict(&f, "k000", "regressed");
	ck_assert_int_eq(f.gate.exit_status, 4); /* nothing that decides was judged */
	arena_free(&f.arena);
}
END_TEST

START_TEST(an_old_baseline_is_stale)
{
	for (int days = 30; days <= 31; days++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.policies[0].stale_days = 30;
		add_many(&f, 1, 0, 1);
		f.input.candidate.time = f.set.chain[1].time + days * 86400 + (days > 30);
		fixture_judge(&f);
		ck_assert_int_eq(f.gate.exit_status, days == 30 ? 0 : 6);
		arena_free(&f.arena);
	}
}
END_TEST

START_TEST(a_gate_that_judged_nothing_is_never_green)
{
	struct gate_fixture f;
	fixture_init(&f);
	f.policies[0].kernel = "other";
	add_many(&f, 1, 0, 1);
	fixture_judge(&f);
	ck_assert_int_eq(f.gate.exit_status, 4);
	arena_free(&f.arena);
}
END_TEST

UNIT_MAIN("gate", one_series_by_its_record, a_short_record_begins_at_its_newest_level,
	  a_rate_is_worse_when_it_falls, signed_values_have_directions, counters_are_exact,
	  limits_need_no_record, what_happens_to_many_is_the_environment,
	  a_changed_compiler_is_named, a_kernel_that_says_it_is_the_same_has_regressed_all_the_same,
	  a_kernel_that_is_the_same_is_slowed_by_its_environment, among_many_a_small_p_is_chance,
	  the_window_sees_changes_of_the_last_nights, what_is_back_has_recovered,
	  a_compiler_that_changed_within_the_window_is_named, a_young_level_is_compared_with,
	  a_row_that_refines_judges_nothing, statuses_by_the_worst_and_by_the_list,
	  a_row_for_context_decides_nothing, an_old_baseline_is_stale,
	  a_gate_that_judged_nothing_is_never_green)
