/* Calibration: noise and shape of made histories, and whether limits that were found on one half of
 * a history keep what they promise on the other. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/calibrate/calibrate.h"
#include "model/verdict/verdict.h"
#include "tests/unit/unit.h"

enum { SERIES = 20, COMMITS = 1000, DAY = 86400 };

struct source {
	unsigned long long state;
};

static double uniform(struct source *source)
{
	source->state = source->state * 6364136223846793005ULL + 1442695040888963407ULL;
	return ((double)(source->state >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(struct source *source)
{
	double radius = sqrt(-2 * log(uniform(source)));
	return radius * cos(6.283185307179586 * uniform(source));
}

enum family {
	FAMILY_NORMAL,
	FAMILY_LOGNORMAL,
	FAMILY_FOLLOWING,
	FAMILY_OUTLIERS,
	FAMILY_MODES,
	FAMILY_LIMIT
};
static const char *const family_names[] = {"normal", "lognormal", "following", "outliers",
					   "two modes"};

/* Noise of one commit after `last`, in multiples of the usual one. */
static double noise_of(enum family family, struct source *source, double last)
{
	double z = normal(source), choice = uniform(source), far = uniform(source);
	switch (family) {
	case FAMILY_LOGNORMAL:
		return (exp(0.6 * z) - 1) / 0.7;
	case FAMILY_FOLLOWING:
		return 0.7 * last + 0.714 * z;
	case FAMILY_OUTLIERS:
		return z + (choice < 0.02 ? 5 + 15 * far : 0);
	case FAMILY_MODES:
		return 0.3 * z + (choice < 0.3 ? 4 : 0);
	default:
		return z;
	}
}

struct made {
	struct arena arena;
	struct revision *chain;
	double *values[SERIES]; /* oldest first */
	struct run *identities[SERIES];
};

static void make(struct made *made, enum family family, unsigned seed)
{
	memset(made, 0, sizeof *made);
	made->chain = arena_array(&made->arena, COMMITS, sizeof *made->chain);
	for (size_t i = 0; i < COMMITS; i++)
		made->chain[i] = (struct revision){
			.oid = "", .parent = "", .time = (int64_t)(COMMITS - i) * DAY};
	for (size_t k = 0; k < SERIES; k++) {
		struct source source = {(seed * 1000ULL + k + 1) * 2654435761ULL};
		double sigma = 0.003 + 0.001 * (double)k, last = 0;
		struct run *run = run_new(&made->arena);
		run->kernel = arena_printf(&made->arena, "kernel-%02zu", k);
		run->variant = "";
		run->device = "trn2";
		run->tool = "test";
		made->identities[k] = run;
		made->values[k] = arena_array(&made->arena, COMMITS, sizeof *made->values[k]);
		for (size_t i = 0; i < 50; i++)
			uniform(&source);
		for (size_t i = 0; i < COMMITS; i++) {
			last = noise_of(family, &source, last);
			/* A change of level that the calibration must not take for noise. */
			double level = k % 4 == 0 && i >= 200 && i < 700 ? 1.3e-4 : 1e-4;
			made->values[k][i] = level * exp(sigma * last);
		}
	}
}

/* The commits from..to-1, oldest first, as the store gives them. */
static const struct history_set *slice(struct made *made, size_t from, size_t to)
{
	static const enum metric metrics[] = {METRIC_TOTAL_TIME};
	struct history_set *set = arena_new(&made->arena, struct history_set);
	size_t count = to - from;
	set->chain = made->chain + (COMMITS - to);
	set->chain_count = count;
	set->metrics = metrics;
	set->metric_count = 1;
	set->items = arena_array(&made->arena, SERIES, sizeof *set->items);
	set->count = SERIES;
	for (size_t k = 0; k < SERIES; k++) {
		struct history *history = &set->items[k];
		history->series = made->identities[k]->kernel;
		history->identity = made->identities[k];
		history->runs = arena_array(&made->arena, count, sizeof *history->runs);
		history->run_count = count;
		history->values = made->values[k] + from;
		for (size_t i = 0; i < count; i++)
			history->runs[i] =
				(struct history_run){(int64_t)i, (uint32_t)(count - 1 - i), false};
	}
	return set;
}

static struct calibration *replayed(struct made *made, const struct history_set *set,
				    const struct policy_list *policies)
{
	struct calibration *c = arena_new(&made->arena, struct calibration);
	c->set = set;
	c->policies = policies;
	c->settings = &default_settings;
	calibrate_read(&made->arena, c);
	calibrate_replay(&made->arena, c);
	return c;
}

/* The default row, refined by what was chosen. */
static const struct policy_list *rows_of(struct made *made, const struct calibration *c)
{
	struct policy_list *list = arena_new(&made->arena, struct policy_list);
	list->items = arena_array(&made->arena, c->group_count + 1, sizeof *list->items);
	list->items[list->count++] = default_policy;
	for (size_t i = 0; i < c->group_count; i++) {
		struct policy *row = &list->items[list->count++];
		*row = c->groups[i].limits;
		row->kernel = c->groups[i].kernel;
		row->refines = default_policy.name;
		row->name = c->groups[i].kernel;
		row->given = POLICY_ALPHA | POLICY_RELATIVE | POLICY_TOLERANCE | POLICY_NOISE;
	}
	return list;
}

static double a_call(const struct calibration *c)
{
	return (double)c->before.flagged / (double)c->calls;
}

/* How often each family's second half is flagged with the limits that its first half gave. A limit
 * that was found with 90 % confidence may be a little too low on other commits, not by half. */
START_TEST(the_promise_holds_on_other_commits)
{
	static const double wishes[] = {0.5, 0.1, 0.02};
	struct policy base = default_policy;
	struct policy_list plain = {&base, 1, 1};
	printf("false alarms a call of %d series\n"
	       "family     wished  found  on other commits  as it was  undecided  shows\n",
	       SERIES);
	for (int family = 0; family < FAMILY_LIMIT; family++) {
		struct made made;
		make(&made, (enum family)family, 7);
		struct calibration *first = replayed(&made, slice(&made, 0, COMMITS / 2), &plain);
		const struct history_set *rest = slice(&made, COMMITS / 2, COMMITS);
		const struct calibration *was = replayed(&made, rest, &plain);
		for (size_t w = 0; w < sizeof wishes / sizeof *wishes; w++) {
			first->target = wishes[w];
			calibrate_choose(&made.arena, first);
			const struct calibration *then =
				replayed(&made, rest, rows_of(&made, first));
			double undecided =
				(double)then->before.undecided / (double)then->before.judged;
			printf("%-10s %6.3f  %.4f            %.4f     %.4f     %5.1f %%  "
			       "%.1f %%\n",
			       family_names[family], wishes[w],
			       (double)first->after.flagged / (double)first->calls, a_call(then),
			       a_call(was), undecided * 100, first->groups[10].shown_after * 100);
			ck_assert_double_le(a_call(then), 1.5 * wishes[w]);
			ck_assert_double_le(undecided, 0.15);
		}
		arena_free(&made.arena);
	}
}
END_TEST

/* A slowdown that is said to show with 80 % power is flagged in eight of ten commits. */
START_TEST(what_is_said_to_show_shows)
{
	enum { RECORD = 60 };
	for (int family = 0; family < FAMILY_LIMIT; family++) {
		struct made made;
		struct policy base = default_policy;
		struct policy_list plain = {&base, 1, 1};
		size_t asked = 0, flagged = 0;
		make(&made, (enum family)family, 3);
		struct calibration *c = replayed(&made, slice(&made, 0, COMMITS / 2), &plain);
		c->target = 0.02;
		calibrate_choose(&made.arena, c);
		for (size_t k = 1; k < SERIES; k += 4) {
			const struct calibrate_series *one = &c->series[k];
			struct policy row = c->groups[one->group].limits;
			row.alpha = fmin(row.alpha, default_settings.false_discovery / SERIES);
			for (size_t i = COMMITS / 2; i < COMMITS; i++) {
				struct arena scratch = {NULL, 0};
				double now = made.values[k][i] * (1 + one->shown_after);
				struct judgement judged = verdict_by_history(
					&scratch, &row, METRIC_TOTAL_TIME,
					(struct verdict_values){&made.values[k][i - RECORD],
								RECORD},
					(struct verdict_noise){NAN, NAN},
					(struct verdict_values){&now, 1});
				asked++;
				flagged += judged.verdict == VERDICT_REGRESSED;
				arena_free(&scratch);
			}
		}
		double power = (double)flagged / (double)asked;
		printf("%-10s power %.3f\n", family_names[family], power);
		ck_assert_double_ge(power, 0.70);
		/* Where there are two modes, the judge knows better than what is said here. */
		ck_assert_double_le(power, family == FAMILY_MODES ? 1 : 0.92);
		arena_free(&made.arena);
	}
}
END_TEST

/* What is said of other limits is what the gate says when it has them. */
START_TEST(the_arithmetic_is_the_gates)
{
	for (int family = 0; family < FAMILY_LIMIT; family++) {
		struct made made;
		struct policy base = default_policy;
		struct policy_list plain = {&base, 1, 1};
		make(&made, (enum family)family, 11);
		const struct history_set *set = slice(&made, 0, 300);
		struct calibration *c = replayed(&made, set, &plain);
		c->target = 0.2;
		calibrate_choose(&made.arena, c);
		/* The noise that rows give changes what short records say. */
		for (size_t i = 0; i < c->group_count; i++)
			c->groups[i].limits.noise = NAN;
		const struct calibration *again = replayed(&made, set, rows_of(&made, c));
		printf("%-10s flagged %zu and %zu, undecided %zu and %zu, before %zu\n",
		       family_names[family], c->after.flagged, again->before.flagged,
		       c->after.undecided, again->before.undecided, c->before.flagged);
		ck_assert_uint_eq(c->after.judged, again->before.judged);
		ck_assert_double_le(fabs((double)c->after.flagged - (double)again->before.flagged),
				    2 + 0.05 * (double)c->after.flagged);
		ck_assert_double_le(
			fabs((double)c->after.undecided - (double)again->before.undecided),
			2 + 0.02 * (double)c->after.undecided);
		arena_free(&made.arena);
	}
}
END_TEST

UNIT_MAIN("calibrate", the_promise_holds_on_other_commits, what_is_said_to_show_shows,
	  the_arithmetic_is_the_gates)
