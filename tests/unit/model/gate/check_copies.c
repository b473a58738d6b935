/* Numbers of an older commit under the candidate's name: when chance does not explain them. */
#include "tests/unit/gate_fixture.h"
#include "tests/unit/unit.h"
#include "render/vocabulary/vocabulary.h"

enum { MOST_SERIES = 8, COMMITS = 24 };

static const double level = 1e-4, noise = 0.005;

/* How the values come about. */
enum world {
	NOISY,         /* independent of each other */
	CONSTANT,      /* a simulator, the same program */
	STEPS,         /* a simulator; every third commit changes the program */
	EVERY,         /* a simulator; every commit makes it faster */
	IN_STEP,       /* one noise for all, for example that of a clock */
	TWICE,         /* noisy, but once all were the same at the next commit */
	WHOLE_PERCENT, /* noisy, in multiples of the noise */
};

static const double *record_of(struct gate_fixture *f, enum world world, unsigned seed,
			       size_t count)
{
	double *values = arena_array(&f->arena, count, sizeof *values);
	memcpy(values, fixture_noise(f, level, noise, count, world == IN_STEP ? 1 : seed + 1),
	       count * sizeof *values);
	for (size_t i = 0; i < count; i++) {
		double far = values[i] / level - 1;
		switch (world) {
		case CONSTANT:
			values[i] = level;
			break;
		case STEPS:
			values[i] = i % 3 ? values[i - 1] : values[i];
			break;
		case EVERY:
			values[i] = (i ? values[i - 1] : level) * (1 - fabs(far));
			break;
		case IN_STEP:
			values[i] *= seed + 1;
			break;
		case TWICE:
			values[i] = i == 9 ? values[8] : values[i];
			break;
		case WHOLE_PERCENT:
			values[i] = level * (1 + noise * round(far / noise));
			break;
		case NOISY:
			break;
		}
	}
	return values;
}

static struct gate_series *series_of(struct gate_fixture *f, enum world world, unsigned seed,
				     size_t count, const double **record)
{
	*record = record_of(f, world, seed, count);
	return fixture_series(f, arena_printf(&f->arena, "k%u", seed), METRIC_TOTAL_TIME, *record,
			      count);
}

static void is_verdict(struct gate_fixture *f, const char *kernel, const char *verdict)
{
	const struct comparison *one = fixture_of(f, kernel);
	ck_assert_msg(strcmp(verdict_name(one->judged.verdict), verdict) == 0, "%s: %s, %s, not %s",
		      kernel, verdict_name(one->judged.verdict),
		      vocabulary_say(&f->arena, one->judged.reason), verdict);
}

/* The candidate has `equal` of `series` values of the commit that is `back` commits older. Of c
 * commits, each has 8 neighbours before it, but for the oldest eight: 8 c - 36 pairs. No pair is
 * equal, so at most 3 of the pairs are (rule of three); p below is that share. By the binomial
 * distribution `equal` or more of n are equal by chance with sum over k of C(n, k) p^k
 * (1 - p)^(n - k), at each of c commits. */
START_TEST(by_hand)
{
	static const struct {
		size_t series, equal, commits, back;
		double chance; /* NAN: that may be chance, or too little is known */
	} rows[] = {
		/* p = 3 / (6 * 156) = 0.0032051: p^6 * 24 */
		{6, 6, 24, 1, 2.6019e-14},
		{6, 6, 24, 17, 2.6019e-14},
		/* (6 p^5 (1 - p) + p^6) * 24 */
		{6, 5, 24, 1, 4.8578e-11},
		/* (15 p^4 (1 - p)^2 + ...) * 24 = 3.78e-8 */
		{6, 4, 24, 1, 3.7799e-8},
		/* 20 p^3 * 24 = 1.6e-5 */
		{6, 3, 24, 1, NAN},
		/* p = 3 / (3 * 156): p^3 * 24 = 6.3e-6 */
		{3, 3, 24, 1, NAN},
		/* p = 3 / (4 * 124) = 0.0060484: p^4 * 20 */
		{4, 4, 20, 1, 2.6766e-8},
		/* too few commits to distinguish noise from changes */
		{6, 6, 19, 1, NAN},
		{6, 0, 24, 1, NAN},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		for (size_t k = 0; k < rows[i].series; k++) {
			const double *record;
			struct gate_series *series =
				series_of(&f, NOISY, (unsigned)k, rows[i].commits, &record);
			double now = record[rows[i].commits - rows[i].back];
			fixture_candidate(&f, series, METRIC_TOTAL_TIME,
					  k < rows[i].equal ? now : level * 1.0001, 1000);
		}
		fixture_judge(&f);
		const struct gate_copy *copy = fixture_of(&f, "k0")->copy;
		ck_assert_msg((copy != NULL) == !isnan(rows[i].chance), "row %zu", i);
		if (copy) {
			ck_assert_msg(fabs(copy->chance / rows[i].chance - 1) < 1e-4, "row %zu: %g",
				      i, copy->chance);
			ck_assert_uint_eq(copy->equal, rows[i].equal);
			ck_assert_uint_eq(copy->values, rows[i].series);
			ck_assert_ptr_eq(copy->commit, &f.set.chain[rows[i].back]);
		}
		is_verdict(&f, "k0", copy ? "unproven" : "unchanged");
		if (rows[i].equal < rows[i].series)
			is_verdict(&f, arena_printf(&f.arena, "k%zu", rows[i].series - 1),
				   "unchanged");
		arena_free(&f.arena);
	}
}
END_TEST

/* A change of the documentation: all numbers are those of the commit before. Where the program is
 * deterministic that must be so. */
START_TEST(what_is_deterministic_tells_nothing)
{
	static const struct {
		enum world world;
		bool copied;
	} rows[] = {
		{NOISY, true},  {CONSTANT, false}, {STEPS, false},         {EVERY, false},
		{TWICE, false}, {IN_STEP, false},  {WHOLE_PERCENT, false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		for (unsigned k = 0; k < MOST_SERIES; k++) {
			const double *record;
			struct gate_series *series =
				series_of(&f, rows[i].world, k, COMMITS, &record);
			fixture_candidate(&f, series, METRIC_TOTAL_TIME, record[COMMITS - 1], 1000);
		}
		fixture_judge(&f);
		for (size_t k = 0; k < f.gate.count; k++)
			ck_assert_msg((f.gate.comparisons[k].copy != NULL) == rows[i].copied,
				      "row %zu, series %zu", i, k);
		arena_free(&f.arena);
	}
}
END_TEST

/* A copied file has the numbers of constant series, too. */
START_TEST(the_rest_of_the_file_is_copied_too)
{
	struct gate_fixture f;
	fixture_init(&f);
	for (unsigned k = 0; k < MOST_SERIES; k++) {
		const double *record;
		struct gate_series *series =
			series_of(&f, k ? NOISY : CONSTANT, k, COMMITS, &record);
		fixture_candidate(&f, series, METRIC_TOTAL_TIME, record[COMMITS - 1], 1000);
	}
	fixture_judge(&f);
	is_verdict(&f, "k0", "unproven");
	ck_assert_uint_eq(fixture_of(&f, "k0")->copy->equal, MOST_SERIES);
	arena_free(&f.arena);
}
END_TEST

/* What was measured decides, whether before or after what was copied. */
START_TEST(another_measurement_decides)
{
	static const struct {
		double measured;
		bool before;
		const char *verdict;
	} rows[] = {{1.1, false, "suspect"},
		    {1.1, true, "suspect"},
		    {1.0001, false, "unchanged"},
		    {1.0001, true, "unchanged"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		for (unsigned k = 0; k < MOST_SERIES; k++) {
			const double *record;
			struct gate_series *series = series_of(&f, NOISY, k, COMMITS, &record);
			double measured = level * (k ? 1.0001 : rows[i].measured);
			fixture_candidate(&f, series, METRIC_TOTAL_TIME, record[COMMITS - 2], 1000);
			fixture_candidate(&f, series, METRIC_TOTAL_TIME, measured,
					  rows[i].before ? 500 : 1500);
		}
		fixture_judge(&f);
		is_verdict(&f, "k0", rows[i].verdict);
		ck_assert_uint_eq(fixture_of(&f, "k0")->measurements, 1);
		ck_assert_ptr_nonnull(
			strstr(vocabulary_say(&f.arena, fixture_of(&f, "k0")->judged.reason),
			       "one measurement is ignored: it has the numbers of 0000000000 (8 of "
			       "8"));
		arena_free(&f.arena);
	}
}
END_TEST

/* Each commit was measured twice, with equal results: noise did not make the commits differ. */
static void measure_twice(struct gate_fixture *f, struct gate_series *series)
{
	struct history *twice = arena_new(&f->arena, struct history);
	const struct history *once = series->history;
	size_t metrics = f->set.metric_count, count = once->run_count;
	double *values = arena_array(&f->arena, 2 * metrics * count, sizeof *values);
	*twice = *once;
	twice->run_count = 2 * count;
	twice->runs = arena_array(&f->arena, 2 * count, sizeof *twice->runs);
	for (size_t i = 0; i < 2 * count; i++)
		twice->runs[i] = once->runs[i / 2];
	for (size_t i = 0; i < 2 * metrics * count; i++)
		values[i] = once->values[i / 2];
	twice->values = values;
	series->history = twice;
}

START_TEST(equal_repeats_are_a_simulator)
{
	enum { ONCE, TWO_RUNS, IN_ONE_RUN, WAYS };
	for (int way = ONCE; way < WAYS; way++) {
		struct gate_fixture f;
		struct run_spread repeats = run_spread_unknown(METRIC_TOTAL_TIME);
		fixture_init(&f);
		for (unsigned k = 0; k < MOST_SERIES; k++) {
			const double *record;
			struct gate_series *series = series_of(&f, NOISY, k, COMMITS, &record);
			repeats.count = 3;
			repeats.minimum = repeats.maximum = record[COMMITS - 1];
			if (way == TWO_RUNS)
				measure_twice(&f, series);
			if (way == IN_ONE_RUN)
				run_add_spread(&f.arena, series->baseline.items[0], repeats);
			fixture_candidate(&f, series, METRIC_TOTAL_TIME, record[COMMITS - 1], 1000);
		}
		fixture_judge(&f);
		is_verdict(&f, "k0", way == ONCE ? "unproven" : "unchanged");
		arena_free(&f.arena);
	}
}
END_TEST

/* Another measurement that has no value, or one that a copy denies, proves nothing either. */
START_TEST(what_proves_nothing_decides_nothing)
{
	static const double others[] = {NAN, 1e-5};
	for (size_t i = 0; i < 2; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		for (unsigned k = 0; k < MOST_SERIES; k++) {
			const double *record;
			struct gate_series *series = series_of(&f, NOISY, k, COMMITS, &record);
			fixture_candidate(&f, series, METRIC_TOTAL_TIME, record[COMMITS - 1], 1000);
			fixture_candidate(&f, series, METRIC_TOTAL_TIME, others[i], 2000);
		}
		fixture_judge(&f);
		is_verdict(&f, "k0", "unproven");
		arena_free(&f.arena);
	}
}
END_TEST

/* A limit is not held by copies, and is missed by what was measured. */
START_TEST(limits_are_held_by_measurements)
{
	static const struct {
		double measured; /* 0: nothing */
		const char *verdict;
	} rows[] = {{0, "unproven"}, {1.3, "failed"}, {1.001, "held"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.policies[0].at_most = 1.1 * level;
		for (unsigned k = 0; k < MOST_SERIES; k++) {
			const double *record;
			struct gate_series *series = series_of(&f, NOISY, k, COMMITS, &record);
			fixture_candidate(&f, series, METRIC_TOTAL_TIME, record[COMMITS - 1], 1000);
			if (rows[i].measured > 0)
				fixture_candidate(&f, series, METRIC_TOTAL_TIME,
						  rows[i].measured * level, 2000);
		}
		fixture_judge(&f);
		is_verdict(&f, "k0", rows[i].verdict);
		arena_free(&f.arena);
	}
}
END_TEST

/* A slow copy is slow: nothing is said for it. */
START_TEST(what_is_bad_stays_bad)
{
	struct gate_fixture f;
	fixture_init(&f);
	for (unsigned k = 0; k < MOST_SERIES; k++) {
		const double *record;
		struct gate_series *series = series_of(&f, NOISY, k, COMMITS, &record);
		if (k == 0)
			((double *)series->history->values)[3] = 1.4 * level;
		fixture_candidate(&f, series, METRIC_TOTAL_TIME, k ? record[3] : 1.4 * level, 1000);
	}
	fixture_judge(&f);
	is_verdict(&f, "k0", "suspect");
	is_verdict(&f, "k1", "unproven");
	arena_free(&f.arena);
}
END_TEST

UNIT_MAIN("gate, copies", by_hand, what_is_deterministic_tells_nothing,
	  the_rest_of_the_file_is_copied_too, equal_repeats_are_a_simulator,
	  what_proves_nothing_decides_nothing, limits_are_held_by_measurements,
	  another_measurement_decides, what_is_bad_stays_bad)
