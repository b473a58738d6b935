/* The self-test agrees, series by series, with a gate whose candidate really is slower there. */
#include "render/vocabulary/vocabulary.h"
#include "tests/unit/gate_fixture.h"
#include "tests/unit/unit.h"

struct many {
	size_t count;
	double spread; /* between candidates, as a multiple of their noise */
	size_t moved;  /* the first ones moved together, by `by` */
	double by, share;
};

/* Candidates scattered around their records; that of `planted` is slower by the share. */
static void judge_many(struct gate_fixture *f, const struct many *many, size_t planted)
{
	static const double noise = 0.005;
	fixture_init(f);
	f->policies[0].confirm = false;
	f->policies[0].tolerance = 0.02;
	for (size_t i = 0; i < many->count; i++) {
		unsigned seed = (unsigned)i + 1;
		struct gate_series *series =
			fixture_series(f, arena_printf(&f->arena, "k%03zu", i), METRIC_TOTAL_TIME,
				       fixture_noise(f, 1e-4, noise, 30, seed), 30);
		double value = *fixture_noise(f, 1e-4, noise * many->spread, 1, seed + 1000);
		value *= i < many->moved ? 1 + many->by : 1;
		value *= i == planted ? 1 + many->share : 1;
		fixture_candidate(f, series, METRIC_TOTAL_TIME, value, 1);
	}
	fixture_judge(f);
}

START_TEST(it_agrees_with_the_gate)
{
	static const struct many rows[] = {
		{1, 1, 0, 0, 0.25},       /* alone */
		{40, 1, 0, 0, 0.25},      /* all are flagged */
		{60, 1, 0, 0, 0.0145},    /* for some it is chance among 60 */
		{60, 2, 0, 0, 0.0145},    /* others look slower, too */
		{40, 1, 12, 0.06, 0.06},  /* another one moved with twelve */
		{40, 1, 12, 0.06, 0.115}, /* or nearly twice as far */
		{40, 1, 4, 0.06, 0.06},   /* the fifth is too few among 40 */
		{12, 1, 4, 0.06, 0.03},   /* the fifth, and of twelve enough */
		{40, 1, 12, -0.06, 0.06},
	};
	for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
		struct gate_fixture f, real;
		judge_many(&f, &rows[row], SIZE_MAX);
		struct gate_selftest_plan plan =
			gate_selftest_plan(&f.arena, &f.gate, rows[row].share);
		struct gate_selftest test = gate_selftest_run(&f.arena, &plan);
		ck_assert_uint_eq(test.count, rows[row].count);
		for (size_t i = 0; i < test.count; i++) {
			const char *key = test.rows[i].one->series->key;
			const char *why = vocabulary_say(&f.arena, test.rows[i].why_not);
			judge_many(&real, &rows[row], strtoul(key + 1, NULL, 10));
			const struct judgement *judged = &fixture_of(&real, key)->judged;
			const char *reason = vocabulary_say(&real.arena, judged->reason);
			bool flagged = judged->verdict == VERDICT_REGRESSED;
			ck_assert_msg(flagged == !why, "row %zu, %s: %s, but %s", row, key,
				      verdict_name(judged->verdict), why ? why : "flagged");
			ck_assert_msg(flagged || strstr(why, reason), "row %zu, %s: %s is not %s",
				      row, key, why, reason);
			arena_free(&real.arena);
		}
		arena_free(&f.arena);
	}
}
END_TEST

UNIT_MAIN("selftest", it_agrees_with_the_gate)
