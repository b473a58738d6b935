/* Records that were as bad as the candidate now and then: what is said of it, and why. */
#include "tests/unit/gate_fixture.h"
#include "tests/unit/unit.h"
#include "render/vocabulary/vocabulary.h"

static const double level = 1e-3, noise = 0.005;

static const char *reason_of(struct gate_fixture *f)
{
	return vocabulary_say(&f->arena, f->gate.comparisons[0].judged.reason);
}

static void is_verdict(struct gate_fixture *f, size_t row, const char *verdict)
{
	const char *found = verdict_name(f->gate.comparisons[0].judged.verdict);
	ck_assert_msg(strcmp(found, verdict) == 0, "row %zu: %s, %s, not %s", row, found,
		      reason_of(f), verdict);
}

/* A quiet record, but for some commits. */
static struct gate_series *with_bad(struct gate_fixture *f, size_t count, const size_t *bad,
				    double factor)
{
	double *record = arena_array(&f->arena, count, sizeof *record);
	memcpy(record, fixture_noise(f, level, noise, count, 3), count * sizeof *record);
	for (size_t i = 0; bad[i]; i++)
		record[bad[i] - 1] *= factor;
	return fixture_series(f, "a", METRIC_TOTAL_TIME, record, count);
}

/* +30 % is seen at the first look, and stands when it is measured again. */
START_TEST(a_slow_change_after_bad_nights)
{
	static const struct {
		size_t commits, bad[8]; /* from 1 on, the oldest */
		double factor;
		const char *first, *again, *cleared;
	} rows[] = {
		{21, {0}, 1, "suspect", "regressed", "unchanged"},
		{21, {9}, 1.4, "suspect", "regressed", "unchanged"},
		{21, {9, 15}, 1.4, "suspect", "regressed", "unchanged"},
		{21, {9, 15}, 1.3, "suspect", "regressed", "unchanged"},
		{21, {9, 15}, 1.25, "suspect", "regressed", "unchanged"},
		{21, {18, 19}, 1.4, "suspect", "regressed", "unchanged"},
		{14, {9}, 1.4, "suspect", "regressed", "unchanged"},
		/* The newest one as well: accidents, as before. */
		{21, {9, 21}, 1.4, "suspect", "regressed", "unchanged"},
		/* It is as bad for the first time, or still: it may be a change. */
		{21, {21}, 1.4, "undecided", "undecided", "unchanged"},
		{21, {20, 21}, 1.4, "undecided", "undecided", "unchanged"},
		/* More than one in ten is how the series is. */
		{21, {5, 9, 15}, 1.4, "undecided", "undecided", "undecided"},
		{14, {5, 9}, 1.4, "undecided", "undecided", "undecided"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		for (int look = 0; look < 3; look++) {
			struct gate_fixture f;
			fixture_init(&f);
			struct gate_series *series =
				with_bad(&f, rows[i].commits, rows[i].bad, rows[i].factor);
			fixture_candidate(&f, series, METRIC_TOTAL_TIME, 1.3 * level, 1000);
			if (look)
				fixture_candidate(&f, series, METRIC_TOTAL_TIME,
						  (look == 1 ? 1.31 : 1.001) * level, 2000);
			fixture_judge(&f);
			is_verdict(&f, i,
				   look == 0   ? rows[i].first
				   : look == 1 ? rows[i].again
					       : rows[i].cleared);
			arena_free(&f.arena);
		}
	}
}
END_TEST

/* One measurement is not enough where the record was there, whatever the row says. */
START_TEST(rare_needs_a_second_measurement)
{
	static const size_t bad[] = {9, 15, 0};
	for (int again = 0; again < 2; again++) {
		struct gate_fixture f;
		fixture_init(&f);
		f.policies[0].confirm = false;
		struct gate_series *series = with_bad(&f, 21, bad, 1.3);
		for (int i = 0; i <= again; i++)
			fixture_candidate(&f, series, METRIC_TOTAL_TIME, 1.3 * level, 1000 + i);
		fixture_judge(&f);
		is_verdict(&f, 0, again ? "regressed" : "suspect");
		arena_free(&f.arena);
	}
}
END_TEST

/* The reason is what stops the verdict, and not what would stop another one. */
START_TEST(reasons_are_true)
{
	static const struct {
		size_t commits, bad[8];
		double factor, now[4], later;
		const char *reason;
	} rows[] = {
		{14,
		 {5, 9},
		 1.4,
		 {1.3},
		 0,
		 "beyond noise, but 2 of the 14 earlier commits were as far off"},
		/* The noise would show 8 %, and this is 30 %. */
		{21,
		 {5, 9, 15},
		 1.4,
		 {1.3},
		 0,
		 "beyond noise, but 3 of the 21 earlier commits were as far off"},
		{40,
		 {5, 11, 17, 23, 29},
		 1.295,
		 {1.3},
		 0,
		 "beyond noise, but the history was at this level before, 5 separate times in 40 "
		 "commits"},
		{30,
		 {0},
		 1,
		 {1, 1, 1.3, 1.3},
		 0,
		 "beyond noise, but the repeats disagree: 50 % of them show it, 60 % required: "
		 "re-measure"},
		{14,
		 {14},
		 1.4,
		 {1.3},
		 0,
		 "beyond noise (p = 5e-15), although 1 of the 14 earlier commits was no better; "
		 "but "
		 "0000000000 before it is no better, so the cause is older"},
		{14,
		 {5, 9},
		 1.4,
		 {1.5},
		 1.3,
		 "looked worse at first; re-measurement leaves it unclear: beyond noise, but 2 of "
		 "the 14 earlier commits were as far off"},
		{30, {0}, 1, {1.04}, 0, NULL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		struct gate_series *series =
			with_bad(&f, rows[i].commits, rows[i].bad, rows[i].factor);
		for (size_t k = 0; k < 4 && rows[i].now[k] > 0; k++)
			fixture_candidate(&f, series, METRIC_TOTAL_TIME, rows[i].now[k] * level,
					  1000);
		if (rows[i].later > 0)
			fixture_candidate(&f, series, METRIC_TOTAL_TIME, rows[i].later * level,
					  2000);
		fixture_judge(&f);
		if (rows[i].reason)
			ck_assert_msg(strcmp(reason_of(&f), rows[i].reason) == 0, "row %zu: %s", i,
				      reason_of(&f));
		arena_free(&f.arena);
	}
}
END_TEST

UNIT_MAIN("gate, accidents", a_slow_change_after_bad_nights, rare_needs_a_second_measurement,
	  reasons_are_true)
