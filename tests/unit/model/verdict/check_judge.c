/* One commit against the record before it: verdicts of made-up records whose answer is plain. */
#include "model/verdict/judge.h"

#include <math.h>
#include <string.h>

#include "unit/unit.h"

enum { RECORD = 30 };

/* A record around 100 whose commits differ by `noise`, in a fixed pattern without a trend. */
static void make(double *record, size_t count, double noise)
{
	static const double pattern[] = {0.3, -1.1, 0.8, -0.2, 1.4, -0.7,
					 0.1, -1.6, 1.0, 0.0,  -0.4};
	for (size_t i = 0; i < count; i++)
		record[i] = 100 * (1 + noise * pattern[i * 7 % 11]);
}

static const struct {
	double noise;
	size_t count;
	double candidate[5];
	size_t repeats;
	enum judge_verdict verdict;
} cases[] = {
	{0.01, 30, {100}, 1, JUDGE_UNCHANGED},
	{0.01, 30, {110}, 1, JUDGE_REGRESSED},
	{0.01, 30, {90}, 1, JUDGE_IMPROVED},
	{0.02, 30, {103}, 1, JUDGE_UNDECIDED},
	{0.01, 30, {110, 111, 109}, 3, JUDGE_REGRESSED},
	/* Repeats that disagree are not evidence about the code. */
	{0.001, 30, {103, 100, 100, 103, 100}, 5, JUDGE_UNCHANGED},
	/* Too short a history, and an empty one. */
	{0.01, 7, {150}, 1, JUDGE_UNDECIDED},
	{0.01, 0, {150}, 1, JUDGE_UNDECIDED},
	/* As slow as one in twenty commits of the history is not new; nor is a difference too small
	 * to count. */
	{0.0001, 30, {100.5}, 1, JUDGE_UNCHANGED},
	{0.05, 30, {104}, 1, JUDGE_UNDECIDED},
	{0.2, 30, {100}, 1, JUDGE_UNDECIDED},
};

static struct judge_result judged(struct arena *arena, size_t i)
{
	struct judge_options options = judge_defaults();
	double record[RECORD];
	make(record, cases[i].count, cases[i].noise);
	return judge(arena, record, cases[i].count, cases[i].candidate, cases[i].repeats, &options);
}

START_TEST(verdicts)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena arena = {0};
		struct judge_result result = judged(&arena, i);
		ck_assert_msg(result.verdict == cases[i].verdict, "case %zu: %s, p %g, effect %g",
			      i, judge_name(result.verdict), result.p, result.effect);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(numbers_behind_a_verdict)
{
	struct arena arena = {0};
	struct judge_result result = judged(&arena, 1);
	ck_assert_double_eq_tol(result.effect, 0.1, 0.01);
	struct judge_interval interval = judge_interval(&result);
	ck_assert(interval.low < result.effect && result.effect < interval.high);
	ck_assert(result.p < 0.01 && result.p_faster > 0.99);
	ck_assert(result.detectable > 0.01 && result.detectable < 0.06);
	ck_assert_double_eq_tol(result.p + result.p_faster, 1, 1e-9);
	ck_assert_uint_eq(result.count, 30);
	arena_free(&arena);
}
END_TEST

/* One spike in the history does not hide a regression, however high it was. */
START_TEST(a_spike_hides_nothing)
{
	struct arena arena = {0};
	struct judge_options options = judge_defaults();
	double record[RECORD], candidate = 108;
	make(record, RECORD, 0.01);
	record[12] = 150;
	ck_assert_int_eq(judge(&arena, record, RECORD, &candidate, 1, &options).verdict,
			 JUDGE_REGRESSED);
	record[3] = 140, record[20] = 130;
	ck_assert_int_eq(judge(&arena, record, RECORD, &candidate, 1, &options).verdict,
			 JUDGE_REGRESSED);
	record[25] = 120; /* one in ten may be so slow; four of thirty are more */
	ck_assert_int_eq(judge(&arena, record, RECORD, &candidate, 1, &options).verdict,
			 JUDGE_UNDECIDED);
	record[25] = record[3] = record[20] = 100;
	options.seen_before = 0;
	ck_assert_int_eq(judge(&arena, record, RECORD, &candidate, 1, &options).verdict,
			 JUDGE_UNDECIDED);
	arena_free(&arena);
}
END_TEST

/* Steps of a record around 100 with 1 % of noise: commits `from` to `end` - 1 are at `level`. */
static const struct {
	struct {
		size_t from, end;
		double level;
	} away[2];
	size_t count;
	double candidate;
	struct excursion found;
	enum judge_verdict verdict;
} excursions[] = {
	{{{15, 17, 150}}, 20, 100, {15, 2}, JUDGE_UNCHANGED},
	{{{15, 17, 60}}, 20, 100, {15, 2}, JUDGE_UNCHANGED},
	{{{15, 17, 150}}, 20, 110, {15, 2}, JUDGE_REGRESSED},
	/* What was fixed comes back: it was not seen before. */
	{{{15, 17, 150}}, 20, 150, {15, 2}, JUDGE_REGRESSED},
	{{{7, 10, 120}}, 18, 120, {7, 3}, JUDGE_REGRESSED},
	{{{15, 19, 120}}, 25, 120, {15, 4}, JUDGE_REGRESSED},
	/* The candidate ends it, or goes on with it. */
	{{{18, 20, 150}}, 20, 100, {18, 2}, JUDGE_UNCHANGED},
	{{{18, 20, 150}}, 20, 150, {0, 0}, JUDGE_REGRESSED},
	/* One commit is noise; two stretches are a mode; ten commits are a level. */
	{{{15, 16, 150}}, 20, 100, {0, 0}, JUDGE_UNCHANGED},
	{{{8, 10, 150}, {15, 17, 150}}, 20, 100, {0, 0}, JUDGE_UNDECIDED},
	{{{10, 20, 150}}, 30, 100, {0, 0}, JUDGE_UNDECIDED},
	/* Not back where it was; nothing before it; more than a third. */
	{{{12, 14, 150}, {14, 20, 140}}, 20, 140, {0, 0}, JUDGE_UNDECIDED},
	{{{2, 4, 150}}, 20, 100, {0, 0}, JUDGE_UNCHANGED},
	{{{4, 8, 150}}, 10, 100, {0, 0}, JUDGE_UNDECIDED},
};

static void check_excursion(size_t at)
{
	struct judge_options options = judge_defaults();
	struct arena arena = {0};
	double record[RECORD];
	make(record, excursions[at].count, 0.01);
	for (size_t k = 0; k < 2; k++)
		for (size_t i = excursions[at].away[k].from; i < excursions[at].away[k].end; i++)
			record[i] *= excursions[at].away[k].level / 100;
	struct judge_result result =
		judge(&arena, record, excursions[at].count, &excursions[at].candidate, 1, &options);
	ck_assert_msg(result.away.first == excursions[at].found.first &&
			      result.away.count == excursions[at].found.count,
		      "case %zu: %zu from %zu on", at, result.away.count, result.away.first);
	ck_assert_uint_eq(result.count, excursions[at].count - excursions[at].found.count);
	ck_assert_msg(result.verdict == excursions[at].verdict, "case %zu: %s", at,
		      judge_name(result.verdict));
	ck_assert_double_eq(result.gates[JUDGE_GATE_SEEN].limit,
			    result.count < 20 ? 0 : (double)(result.count / 10));
	arena_free(&arena);
}

START_TEST(what_was_made_good_is_no_noise)
{
	for (size_t i = 0; i < sizeof excursions / sizeof *excursions; i++)
		check_excursion(i);
}
END_TEST

/* Only a limited number of the newest commits counts. */
START_TEST(old_commits_are_forgotten)
{
	struct arena arena = {0};
	struct judge_options options = judge_defaults();
	double record[RECORD + 60], candidate = 100;
	make(record, RECORD, 0.01);
	for (size_t i = 0; i < RECORD; i++)
		record[i] *= 2;
	make(record + RECORD, 60, 0.01);
	struct judge_result result = judge(&arena, record, RECORD + 60, &candidate, 1, &options);
	ck_assert_uint_eq(result.count, 60);
	ck_assert_int_eq(result.verdict, JUDGE_UNCHANGED);
	arena_free(&arena);
}
END_TEST

/* Records without ratios, without noise, or too short for their own. */
static const struct {
	const char *what;
	double record[10];
	size_t count;
	double candidate, pool;
	enum judge_verdict verdict;
	double effect; /* NAN: has none */
	size_t missing;
} records[] = {
	/* Differences where ratios are undefined; with a level of 0 the share is unknown. */
	{"negative",
	 {-100, -101, -99, -100, -101, -99, -100, -100},
	 8,
	 -80,
	 NAN,
	 JUDGE_REGRESSED,
	 0.2,
	 0},
	{"negative, better",
	 {-100, -101, -99, -100, -101, -99, -100, -100},
	 8,
	 -120,
	 NAN,
	 JUDGE_IMPROVED,
	 -0.2,
	 0},
	{"negative, same",
	 {-100, -101, -99, -100, -101, -99, -100, -100},
	 8,
	 -100,
	 NAN,
	 JUDGE_UNCHANGED,
	 0,
	 0},
	{"no spills", {0, 0, 0, 0}, 4, 0, NAN, JUDGE_UNCHANGED, NAN, 0},
	{"spills", {0, 0, 0, 0}, 4, 5, NAN, JUDGE_REGRESSED, NAN, 0},
	{"no more spills", {5, 5, 5, 5}, 4, 0, NAN, JUDGE_IMPROVED, -1, 0},
	{"around 0", {1, -1, 1, -1, 1, -1, 1, -1}, 8, 0, NAN, JUDGE_UNDECIDED, NAN, 0},
	{"candidate 0", {100, 101, 99, 100, 101, 99, 100, 100}, 8, 0, NAN, JUDGE_IMPROVED, -1, 0},
	/* Three equal values are enough, two are not. */
	{"counter", {7, 7, 7}, 3, 8, NAN, JUDGE_REGRESSED, 1. / 7, 0},
	{"counter, same", {7, 7, 7}, 3, 7, NAN, JUDGE_UNCHANGED, 0, 0},
	{"counter, 0.5 % more", {1000, 1000, 1000}, 3, 1005, NAN, JUDGE_UNCHANGED, 0.005, 0},
	{"counter, mostly", {7, 7, 7, 7, 7.01}, 5, 8, NAN, JUDGE_REGRESSED, 1. / 7, 0},
	{"two equal", {7, 7}, 2, 8, NAN, JUDGE_UNDECIDED, 1. / 7, 1},
	{"two equal, and noise is lent", {7, 7}, 2, 8, 0.01, JUDGE_REGRESSED, 1. / 7, 0},
	{"two equal, noise is lent, same", {7, 7}, 2, 7, 0.01, JUDGE_UNCHANGED, 0, 0},
	{"a share of 0 is no noise", {0, 0}, 2, 5, 0.01, JUDGE_UNDECIDED, NAN, 1},
	{"not equal", {7, 7.1, 7.2}, 3, 9, NAN, JUDGE_UNDECIDED, 0.26, 5},
	/* Sisters lend their noise. */
	{"one commit", {100}, 1, 110, 0.01, JUDGE_REGRESSED, 0.1, 0},
	{"one commit, same", {100}, 1, 100, 0.01, JUDGE_UNCHANGED, 0, 0},
	{"one commit, noisy sisters", {100}, 1, 110, 0.05, JUDGE_UNDECIDED, 0.1, 0},
	{"one commit, no sisters", {100}, 1, 110, NAN, JUDGE_UNDECIDED, 0.1, 7},
	{"two commits", {100, 100.1}, 2, 90, 0.01, JUDGE_IMPROVED, -0.1, 0},
	{"own noise counts", {100, 120, 95, 118, 99}, 5, 125, 0.01, JUDGE_UNDECIDED, 0.18, 0},
	{"nothing", {0}, 0, 110, 0.01, JUDGE_UNDECIDED, NAN, 1},
};

START_TEST(short_exact_and_signed_records)
{
	for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
		struct arena arena = {0};
		struct judge_options options = judge_defaults();
		options.pool_noise = records[i].pool;
		struct judge_result r = judge(&arena, records[i].record, records[i].count,
					      &records[i].candidate, 1, &options);
		ck_assert_msg(r.verdict == records[i].verdict, "%s: %s, p %g, effect %g",
			      records[i].what, judge_name(r.verdict), r.p, r.effect);
		ck_assert_msg(isnan(records[i].effect) ? isnan(r.effect)
						       : fabs(r.effect - records[i].effect) < 0.01,
			      "%s: effect %g", records[i].what, r.effect);
		ck_assert_msg(r.missing_commits == records[i].missing, "%s: %zu missing",
			      records[i].what, r.missing_commits);
		arena_free(&arena);
	}
}
END_TEST

/* s^2 = (w pool^2 + (n-1) s^2) / (w + n-1); of one commit all is the sisters', w = 8. */
START_TEST(noise_is_borrowed)
{
	struct arena arena = {0};
	struct judge_options options = judge_defaults();
	double record[] = {100}, candidate = 103;
	options.pool_noise = 0.02;
	struct judge_result r = judge(&arena, record, 1, &candidate, 1, &options);
	ck_assert_double_eq_tol(r.scale, 0.02, 1e-12);
	/* t = log(1.03) / (0.02 sqrt(2)) = 1.0451 with 8 df */
	ck_assert_double_eq_tol(r.p, 0.16322, 1e-4);
	arena_free(&arena);
}
END_TEST

/* What is lent fades: no commit makes a verdict vaguer, and from the twentieth on nothing is lent.
 */
START_TEST(lent_noise_fades)
{
	enum { MOST = 24 };
	struct arena arena = {0};
	struct judge_options options = judge_defaults();
	double record[MOST], candidate = 104, last = 0;
	options.pool_noise = 0.01;
	for (size_t i = 0; i < MOST; i++)
		record[i] = i % 2 ? 99.2 : 100.8;
	for (size_t n = 2; n < JUDGE_LENT_TO; n += 2) {
		struct judge_result r = judge(&arena, record, n, &candidate, 1, &options);
		ck_assert_msg(r.borrowed && r.df > last && r.verdict == JUDGE_REGRESSED,
			      "%zu commits: %g df after %g, p %g", n, r.df, last, r.p);
		last = r.df;
	}
	ck_assert(!judge(&arena, record, JUDGE_LENT_TO, &candidate, 1, &options).borrowed);
	arena_free(&arena);
}
END_TEST

/* A record that contradicts the noise that is lent is believed. */
START_TEST(contradicted_noise_is_not_borrowed)
{
	struct arena arena = {0};
	struct judge_options options = judge_defaults();
	double record[] = {99, 101, 99.2, 100.8, 98.9, 101.1, 99, 101}, candidate = 103;
	options.pool_noise = 0.2;
	struct judge_result wide = judge(&arena, record, 8, &candidate, 1, &options);
	options.pool_noise = 0.001;
	struct judge_result narrow = judge(&arena, record, 8, &candidate, 1, &options);
	ck_assert_double_eq_tol(wide.scale, wide.own_scale, 0.002);
	ck_assert_double_eq_tol(narrow.scale, narrow.own_scale, 0.002);
	arena_free(&arena);
}
END_TEST

/* The same with 4 instead of 8 where the noise is assumed, which is only where none is lent. */
START_TEST(noise_is_assumed)
{
	struct arena arena = {0};
	struct judge_options options = judge_defaults();
	double record[] = {100, 100}, candidate = 110;
	options.assumed_noise = 0.01;
	struct judge_result r = judge(&arena, record, 1, &candidate, 1, &options);
	ck_assert_double_eq_tol(r.scale, 0.01, 1e-12);
	ck_assert_double_eq_tol(r.df, 4, 1e-12);
	ck_assert(r.assumed && r.borrowed && r.verdict == JUDGE_REGRESSED);
	r = judge(&arena, record, 2, &candidate, 1, &options); /* equal values need none */
	ck_assert(r.missing_commits == 0 && r.verdict == JUDGE_REGRESSED);
	ck_assert_uint_eq(judge(&arena, record, 0, &candidate, 1, &options).missing_commits, 1);
	options.pool_noise = 0.02;
	r = judge(&arena, record, 1, &candidate, 1, &options);
	ck_assert(r.borrowed && !r.assumed);
	ck_assert_double_eq_tol(r.df, 8, 1e-12);
	double below[] = {-100, -101}; /* of values below 0 nothing is assumed */
	options.pool_noise = NAN;
	ck_assert(!judge(&arena, below, 2, &candidate, 1, &options).borrowed);
	arena_free(&arena);
}
END_TEST

/* With noise of 1.9 % a change of 5 % shows after some more commits, with noise of 20 % never. */
START_TEST(more_commits)
{
	enum { FEW = 10 };
	struct arena arena = {0};
	struct judge_options options = judge_defaults();
	double record[RECORD], candidate = 100;
	make(record, RECORD, 0.021);
	struct judge_result r = judge(&arena, record, FEW, &candidate, 1, &options);
	ck_assert(!r.resolves && !r.equivalent && r.helpful_commits > 0);
	size_t needed = FEW + r.helpful_commits;
	ck_assert_uint_lt(needed, RECORD);
	r = judge(&arena, record, RECORD, &candidate, 1, &options);
	ck_assert(r.resolves && r.equivalent && r.helpful_commits == 0);
	make(record, RECORD, 0.2);
	r = judge(&arena, record, FEW, &candidate, 1, &options);
	ck_assert(!r.resolves && r.helpful_commits == 0);
	arena_free(&arena);
}
END_TEST

START_TEST(gates_say_why)
{
	static const struct {
		double candidate[5];
		size_t repeats, count;
		enum judge_gate_kind failed; /* JUDGE_GATE_LIMIT: none */
	} rows[] = {
		{{110}, 1, 30, JUDGE_GATE_LIMIT},
		{{100.4}, 1, 30, JUDGE_GATE_EFFECT},
		{{101.5}, 1, 30, JUDGE_GATE_P},
		{{110}, 1, 7, JUDGE_GATE_COMMITS},
		{{110, 100, 100, 100.5, 118}, 5, 30, JUDGE_GATE_REPEATS},
		{{90}, 1, 30, JUDGE_GATE_LIMIT},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct judge_options options = judge_defaults();
		double record[RECORD];
		make(record, rows[i].count, 0.01);
		struct judge_result r = judge(&arena, record, rows[i].count, rows[i].candidate,
					      rows[i].repeats, &options);
		bool all = true;
		for (size_t k = 0; k < JUDGE_GATE_LIMIT; k++)
			all = all && r.gates[k].passed;
		ck_assert_int_eq(all, rows[i].failed == JUDGE_GATE_LIMIT);
		if (!all)
			ck_assert_msg(!r.gates[rows[i].failed].passed, "row %zu", i);
		/* Whoever judges many series says when p is small enough. */
		if (all) {
			ck_assert_int_eq(judge_decide(&r, true), r.verdict);
			ck_assert_int_ne(judge_decide(&r, false), r.verdict);
		}
		arena_free(&arena);
	}
}
END_TEST

/* Builds of two kinds, 100 and 106: what is far from both is new, though the scale of all is wide;
 * what is where one of them is, is not. */
START_TEST(two_modes)
{
	static const struct {
		double candidate;
		enum judge_verdict verdict;
	} rows[] = {{100, JUDGE_UNDECIDED}, {106, JUDGE_UNDECIDED}, {107.5, JUDGE_UNDECIDED},
		    {112, JUDGE_REGRESSED}, {95, JUDGE_IMPROVED},   {99, JUDGE_UNDECIDED}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct judge_options options = judge_defaults();
		double record[RECORD];
		make(record, RECORD, 0.01);
		for (size_t k = 0; k < RECORD; k++)
			record[k] *= k % 5 == 1 || k % 5 == 3 ? 1.06 : 1;
		struct judge_result r =
			judge(&arena, record, RECORD, &rows[i].candidate, 1, &options);
		ck_assert_msg(r.verdict == rows[i].verdict, "%g: %s, p %g", rows[i].candidate,
			      judge_name(r.verdict), r.p);
		ck_assert_double_gt(r.scale, 0.02);
		arena_free(&arena);
	}
}
END_TEST

/* Two of thirty commits were where the candidate is: few enough not to count as seen before, but a
 * known level when they were two spells and not one accident. */
START_TEST(a_known_level_is_not_new)
{
	struct arena arena = {0};
	struct judge_options options = judge_defaults();
	double record[RECORD], candidate = 110;
	make(record, RECORD, 0.01);
	record[11] = record[12] = 110;
	struct judge_result r = judge(&arena, record, RECORD, &candidate, 1, &options);
	ck_assert_double_eq(r.gates[JUDGE_GATE_KNOWN].value, 1);
	ck_assert_int_eq(r.verdict, JUDGE_REGRESSED);
	record[12] = 100, record[22] = 110.5;
	r = judge(&arena, record, RECORD, &candidate, 1, &options);
	ck_assert(!r.gates[JUDGE_GATE_KNOWN].passed && r.gates[JUDGE_GATE_SEEN].passed);
	ck_assert_int_eq(r.verdict, JUDGE_UNDECIDED);
	candidate = 116;
	ck_assert_int_eq(judge(&arena, record, RECORD, &candidate, 1, &options).verdict,
			 JUDGE_REGRESSED);
	arena_free(&arena);
}
END_TEST

/* What is small against the tolerance needs ten times the evidence. */
START_TEST(small_differences_need_more)
{
	struct arena arena = {0};
	struct judge_options options = judge_defaults();
	double record[RECORD], candidate = 102.6;
	make(record, RECORD, 0.01);
	struct judge_result r = judge(&arena, record, RECORD, &candidate, 1, &options);
	ck_assert(r.p > 0.001 && r.p < 0.01);
	ck_assert_int_ne(r.verdict, JUDGE_REGRESSED);
	options.tolerance = 0.03;
	r = judge(&arena, record, RECORD, &candidate, 1, &options);
	ck_assert_double_eq(r.gates[JUDGE_GATE_P].limit, 0.01);
	ck_assert_int_eq(r.verdict, JUDGE_REGRESSED);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("judge", verdicts, numbers_behind_a_verdict, a_spike_hides_nothing,
	  what_was_made_good_is_no_noise, old_commits_are_forgotten, short_exact_and_signed_records,
	  noise_is_borrowed, lent_noise_fades, contradicted_noise_is_not_borrowed, noise_is_assumed,
	  more_commits, gates_say_why, two_modes, a_known_level_is_not_new,
	  small_differences_need_more)
