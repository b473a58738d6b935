/* Judges a candidate by the history of its series. */
#include "model/verdict/judge.h"

#include "model/changepoint/changepoint.h"
#include "model/statistics/statistics.h"
#include "model/verdict/excursion.h"

/*
 * The constants were tuned on one half of the synthetic suite and checked on the other half.
 * docs/statistics.md has the results, docs/user/verdicts.md ("How one series is judged") the
 * conditions on a difference. bench/verdicts/verdicts.sh repeats the measurement. Values are logs,
 * or multiples of the mean's size if some are not positive, so all spreads are relative.
 */

/* Relative. Smaller spreads count as this one, so that a history that never varied has a scale,
 * too. */
static const double least_scale = 1e-4;
/* Standard deviations. Values farther out count as if they were at this distance, so that one
 * outlier does not widen the noise. One in two thousand normal errors is farther out. */
static const double winsor = 3.5;
/* Standard deviations: the median distance of normal errors from their median. */
static const double usual_distance = 0.6744897501960817;
/* Share of the robust estimate below which the measured spread is not believed. */
static const double least_share_of_noise = 0.8;
/* Autocorrelation: larger estimates are cut, because a short history would widen the test without
 * limit. */
static const double most_correlation = 0.9;
/* Fewest degrees of freedom: with fewer, no slowdown would exceed the noise. */
static const double least_freedom = 4;
/* Degrees of freedom that the noise of similar series is worth ("record" in the table). */
static const double pool_weight = 8;
/* The same of a noise that is only assumed. */
static const double assumed_weight = 4;
/* Standard deviations of chance by which a history may differ from lent noise that keeps its
 * weight. */
static const double lent_within = 1.5;
/* Share of the repeats beyond half of the effect, of LEAST_REPEATS or more ("repeats agree"). */
static const double agreement = 0.6;
/* Differences below this share of the tolerance are believed only at this share of alpha ("p" in
 * the table), because most differences made by noise are small. With five repeats: a third fewer
 * false alarms, no power lost at +5 % ("the same with five repeats"). */
const double judge_small_share = 0.6, judge_small_alpha = 0.1;
/* In standard deviations within a mode: smallest distance of two modes ("p" in the table). It
 * separates slowdowns of a tenth from modes of builds or runs: 3 points more power at +10 %, one
 * more false alarm in a thousand ("one commit, 1 % noise"). */
static const double modes_apart = 4;
/* In scales of the history's bulk: how far a known mode is from it, and how near to that mode the
 * candidate is ("new level" in the table). With 300 kernels per night, 0.65 instead of 1.1 were
 * wrongly flagged, for 1 point of power ("a night of 300 kernels"). */
static const double level_away = 3.5, level_near = 2;
/* Standard normal quantile of the power with which a slowdown is called detectable: 80 %. */
static const double power_quantile = 0.84;
/* Chance of error of "unchanged": 99 % confidence. */
static const double unsure = 0.01;
static const char *const gate_names[] = {"record",      "p",         "effect",
					 "seen before", "new level", "repeats agree"};
enum {
	LEAST_EQUAL = 3,   /* equal commits that make a counter's history ("record") */
	LEAST_RANKED = 20, /* commits from which on a share of them may be as slow ("seen before"),
			    * and two modes are looked for */
	LEAST_REPEATS = 3, /* repeats that can disagree ("repeats agree") */
	LEAST_MODE = 3,    /* commits that make a mode */
	KNOWN_LIMIT = 1,   /* stretches in a known mode that may have been accidents ("new
			    * level") */
};

const char *judge_name(enum judge_verdict verdict)
{
	static const char *const names[] = {"regressed", "improved", "unchanged", "undecided"};
	assert(verdict < sizeof names / sizeof *names);
	return names[verdict];
}

struct judge_options judge_defaults(void)
{
	return (struct judge_options){
		.alpha = 0.01,
		.tolerance = 0.05,
		.least_effect = 0.01,
		.seen_before = 0.10,
		.least = 8,
		.most = 60,
		.pool_noise = NAN,
		.assumed_noise = NAN,
		.noise_of_all = NAN,
	};
}

/* --- values as they are judged: logs, or multiples of their usual size --- */

struct judging {
	struct arena *arena;
	const struct judge_options *options;
	const double *x, *c; /* values of the history and of the candidate */
	size_t n, repeats;
	const double *kept; /* the history without what was fixed: level and noise */
	size_t kept_count;
	bool relative, exact;
	double size, noise;
	/* Of the history, in the unit of x. */
	double level, scale, rho, widening, df;
	double bulk; /* scale of the half nearest to the median */
	double now;
};

/* The usual distance of the values from 0: their median size, else their mean size, else
 * `otherwise`, else 1. */
static double size_of(struct arena *arena, const double *values, size_t n, double otherwise)
{
	double *sizes = arena_array(arena, n, sizeof *sizes), sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += sizes[i] = fabs(values[i]);
	double middle = median_in_place(sizes, n);
	return middle > 0 ? middle : sum > 0 ? sum / (double)n : otherwise > 0 ? otherwise : 1;
}

static const double *as_judged(const struct judging *j, const double *values, size_t count)
{
	double *x = arena_array(j->arena, count, sizeof *x);
	for (size_t i = 0; i < count; i++)
		x[i] = j->relative ? log(values[i]) : values[i] / j->size;
	return x;
}

static double effect_of(const struct judging *j, double difference)
{
	if (j->relative)
		return expm1(difference);
	return j->level == 0 ? NAN : difference / fabs(j->level);
}

/* The difference that corresponds to a relative change; 0 if the mean is 0. */
static double difference_of(const struct judging *j, double effect)
{
	return j->relative ? log1p(effect) : effect * fabs(j->level);
}

static bool all_positive(const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!(values[i] > 0))
			return false;
	return true;
}

/* --- the history --- */

static bool mostly_equal(const double *x, size_t n, double middle)
{
	size_t equal = 0;
	for (size_t i = 0; i < n; i++)
		equal += x[i] == middle;
	return 2 * equal > n;
}

/* Leaves out what was fixed. */
static void leave_out(struct judging *j, struct judge_result *r)
{
	struct excursion away = excursion_find(j->arena, j->x, j->n, j->now);
	size_t after = away.first + away.count;
	double *kept = arena_array(j->arena, j->n, sizeof *kept);
	memcpy(kept, j->x, away.first * sizeof *kept);
	memcpy(kept + away.first, j->x + after, (j->n - after) * sizeof *kept);
	j->kept = kept;
	j->kept_count = j->n - away.count;
	if (away.count)
		j->noise = NAN;
	r->away = away;
	r->count = j->kept_count;
}

/* Location and scale of the history. Both are winsorized: extreme values count, but only up to a
 * bound. */
static void measure_history(struct judging *j)
{
	const double *x = j->kept;
	size_t n = j->kept_count;
	assert(n > 0);
	double *e = arena_array(j->arena, n, sizeof *e), sum = 0, squares = 0, around = 0,
	       products = 0, sigma = j->noise;
	if (isnan(sigma))
		sigma = noise_measure(j->arena, x, n);
	for (size_t i = 0; i < n; i++)
		e[i] = x[i];
	double middle = median_in_place(e, n);
	j->exact = mostly_equal(x, n, middle);
	for (size_t i = 0; i < n; i++)
		e[i] = fabs(x[i] - middle);
	j->bulk = fmax(median_in_place(e, n) / usual_distance, least_scale);
	for (size_t i = 0; i < n; i++) {
		e[i] = noise_clip(x[i] - middle, winsor * sigma);
		sum += e[i];
		squares += e[i] * e[i];
	}
	double mean = sum / (double)n;
	for (size_t i = 0; i < n; i++) {
		around += (e[i] - mean) * (e[i] - mean);
		products += i ? (e[i] - mean) * (e[i - 1] - mean) : 0;
	}
	double rho = j->rho =
		noise_clip((around > 0 ? products / around : 0) + 1 / (double)n, most_correlation);
	double ratio = rho > 0 && n >= LEAST_EQUAL ? (1 + rho) / (1 - rho) : 1;
	j->level = middle + mean;
	j->scale = fmax(n > 1 ? sqrt(squares / (double)(n - 1)) : 0, least_share_of_noise * sigma);
	j->widening = 1 + ratio / (double)n;
	j->df = fmax(least_freedom, (double)n / ratio);
}

static bool is_assuming(const struct judge_options *o)
{
	return isnan(o->pool_noise) && !isnan(o->assumed_noise);
}

/* Noise that a short history borrows, in the unit of x; NAN: there is none. A share of 0 says
 * nothing, and the assumption is for positive values. */
static double lent_noise(const struct judging *j)
{
	const struct judge_options *o = j->options;
	if (is_assuming(o))
		return j->relative ? o->assumed_noise : NAN;
	double noise = o->pool_noise * (j->relative ? 1 : fabs(j->level));
	return noise > 0 ? noise : NAN;
}

static bool is_borrowing(const struct judging *j)
{
	return j->kept_count < JUDGE_LENT_TO && !isnan(lent_noise(j)) &&
	       !(j->exact && j->kept_count >= LEAST_EQUAL);
}

/* 1 where the history's own scale may well be drawn from the lent noise, near 0 where it cannot: a
 * normal approximation of the chi-square distribution (Wilson and Hilferty). */
static double agreement_with(double lent, double own, double freedom)
{
	double spread = 2 / (9 * freedom);
	double away = (cbrt(own * own / (lent * lent)) - (1 - spread)) / sqrt(spread);
	double beyond = fmax(0, fabs(away) - lent_within);
	return exp(-beyond * beyond);
}

/* Degrees of freedom that lent noise is worth next to n commits: less with each one from the eighth
 * on, 0 from the twentieth on. */
static double lent_weight(const struct judging *j, size_t n)
{
	size_t least = j->options->least;
	double weight = is_assuming(j->options) ? assumed_weight : pool_weight;
	if (n >= JUDGE_LENT_TO)
		return 0;
	return n < least
		       ? weight
		       : weight * (double)(JUDGE_LENT_TO - n) / (double)(JUDGE_LENT_TO + 1 - least);
}

/* Degrees of freedom of n commits. What a short history says of its autocorrelation is as uncertain
 * as the rest, so that it widens by it with each commit more. */
static double own_freedom(size_t n, double ratio)
{
	double own = (double)n - 1;
	return own / (1 + (ratio - 1) * fmin(1, own / (JUDGE_LENT_TO - 1)));
}

/* The larger part of the variance that autocorrelation makes of that of a mean. */
static double ratio_of(const struct judging *j)
{
	return (j->widening - 1) * (double)j->kept_count;
}

/* Blends the noise of a short history with that of similar series, weighted by degrees of freedom.
 * What is lent fades with each commit, and where the history contradicts it: the more, the longer
 * it is. */
static void borrow_noise(struct judging *j)
{
	double lent = lent_noise(j), own = (double)j->kept_count - 1;
	double weight = lent_weight(j, j->kept_count);
	double share = fmin(1, own / (double)(j->options->least - 1));
	if (j->kept_count > 1)
		weight *= pow(agreement_with(lent, j->scale, own), share * share);
	j->scale = sqrt((weight * lent * lent + own * j->scale * j->scale) / (weight + own));
	j->df = fmax(least_freedom, weight + own_freedom(j->kept_count, ratio_of(j)));
}

/* --- histories with two modes --- */

struct modes {
	bool are_two;
	double means[2], weights[2], scale;
};

/* Splits the sorted values into two modes: the split with the least squares around both means, with
 * at least a tenth of the history on each side. */
static struct modes find_modes(const struct judging *j)
{
	struct modes modes = {.are_two = false};
	size_t n = j->kept_count, least = n / 10 + 1 > LEAST_MODE ? n / 10 + 1 : LEAST_MODE,
	       split = 0;
	double *x = arena_array(j->arena, n, sizeof *x), total = 0, sum = 0, best = -1;
	if (n < LEAST_RANKED)
		return modes;
	for (size_t i = 0; i < n; i++)
		total += x[i] = j->kept[i] - j->level;
	noise_sort(j->arena, x, n);
	for (size_t i = 1; i + least <= n; i++) {
		double low = (double)i, high = (double)(n - i);
		sum += x[i - 1];
		double between = sum * sum / low + (total - sum) * (total - sum) / high;
		if (i >= least && between > best) {
			best = between, split = i;
			modes.means[0] = sum / low, modes.means[1] = (total - sum) / high;
		}
	}
	double squares = 0;
	for (size_t i = 0; i < n; i++) {
		double e = x[i] - modes.means[i >= split];
		squares += e * e;
	}
	assert(split >= least && split + least <= n);
	modes.scale = fmax(sqrt(squares / (double)(n - 2)), least_scale);
	modes.weights[0] = (double)split / (double)n, modes.weights[1] = 1 - modes.weights[0];
	modes.are_two = modes.means[1] - modes.means[0] > modes_apart * modes.scale;
	return modes;
}

/* Probability that one of two modes makes a value this far on the side of `sign`. */
static double modes_tail(const struct judging *j, const struct modes *modes, double sign)
{
	double p = 0, n = (double)j->kept_count;
	for (size_t i = 0; i < 2; i++) {
		double reach = modes->scale * sqrt(1 + 1 / (n * modes->weights[i]));
		double away = sign * (j->now - j->level - modes->means[i]);
		p += modes->weights[i] * student_upper(away / reach, n - 2);
	}
	return p;
}

/* Counts stretches of commits that were where the candidate is now, away from the other commits: a
 * known mode of the builds or of the machine. A single stretch may have been an accident. */
static size_t count_known(const struct judging *j, bool slower)
{
	size_t spells = 0;
	bool was = false;
	for (size_t i = 0; i < j->n; i++) {
		double away = slower ? j->x[i] - j->level : j->level - j->x[i];
		bool is = away > level_away * j->bulk &&
			  fabs(j->x[i] - j->now) < level_near * j->bulk;
		spells += is && !was;
		was = is;
	}
	return spells;
}

/* --- gates --- */

static size_t needed_commits(const struct judging *j)
{
	size_t least = j->options->least;
	if (is_borrowing(j))
		return 1;
	return j->exact && j->kept_count > 1 && least > LEAST_EQUAL ? LEAST_EQUAL : least;
}

/* Counts the values that are at least as far on one side as `limit`. */
static size_t count_beyond(const double *x, size_t n, double limit, bool slower)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		count += slower ? x[i] >= limit : x[i] <= limit;
	return count;
}

static void pass_gates(const struct judging *j, struct judge_result *r)
{
	const struct judge_options *o = j->options;
	double difference = fabs(j->now - j->level), half = (j->now + j->level) / 2;
	double needed = (double)needed_commits(j), p = r->slower ? r->p : r->p_faster;
	double worth =
		r->slower ? difference_of(j, o->least_effect) : -difference_of(j, -o->least_effect);
	/* What was fixed may come back: a regression as any other. */
	size_t n = j->kept_count;
	double seen = (double)count_beyond(j->kept, n, j->now, r->slower);
	double seen_limit = n < LEAST_RANKED ? 0 : floor(o->seen_before * (double)n);
	double agree = (double)count_beyond(j->c, j->repeats, half, r->slower);
	double share = agree / (double)j->repeats;
	double share_limit = j->repeats < LEAST_REPEATS ? 0 : agreement;
	double known = (double)count_known(j, r->slower);
	bool is_small = difference < difference_of(j, judge_small_share * o->tolerance);
	double alpha = o->alpha * (is_small ? judge_small_alpha : 1);
	const struct judge_gate gates[] = {
		{NULL, (double)j->kept_count >= needed, (double)j->kept_count, needed},
		{NULL, p < alpha, p, alpha},
		{NULL, difference >= worth && difference > 0, r->slower ? r->effect : -r->effect,
		 o->least_effect},
		{NULL, seen <= seen_limit, seen, seen_limit},
		{NULL, known <= KNOWN_LIMIT, known, KNOWN_LIMIT},
		{NULL, share >= share_limit, share, share_limit},
	};
	for (size_t i = 0; i < JUDGE_GATE_LIMIT; i++) {
		r->gates[i] = gates[i];
		r->gates[i].name = gate_names[i];
	}
}

struct judge_interval judge_interval(const struct judge_result *r)
{
	const struct judging j = {.relative = r->relative, .level = r->judged.level};
	double difference = r->judged.difference;
	if (isnan(difference))
		return (struct judge_interval){NAN, NAN};
	double wide = student_upper_inverse(0.025, r->df) * r->judged.error;
	return (struct judge_interval){effect_of(&j, difference - wide),
				       effect_of(&j, difference + wide)};
}

enum judge_verdict judge_decide(const struct judge_result *r, bool small_enough)
{
	bool believed = small_enough;
	if (!r->gates[JUDGE_GATE_COMMITS].passed)
		return JUDGE_UNDECIDED;
	for (size_t i = 0; i < JUDGE_GATE_LIMIT; i++)
		believed = believed && (i == JUDGE_GATE_P || r->gates[i].passed);
	if (believed)
		return r->slower ? JUDGE_REGRESSED : JUDGE_IMPROVED;
	return r->equivalent ? JUDGE_UNCHANGED : JUDGE_UNDECIDED;
}

/* --- the verdict --- */

/* Commits that a history of this noise lacks until a candidate at its level is within the
 * tolerance; 0: none would be enough. */
static size_t count_helpful(const struct judging *j)
{
	double limit = difference_of(j, j->options->tolerance) / j->scale;
	double ratio = ratio_of(j);
	bool borrows = !isnan(lent_noise(j));
	for (size_t n = j->kept_count + 1; n <= j->options->most; n++) {
		double df = fmax(least_freedom, borrows && n < JUDGE_LENT_TO
							? lent_weight(j, n) + own_freedom(n, ratio)
							: (double)n / ratio);
		if (student_upper_inverse(unsure, df) * sqrt(1 + ratio / (double)n) < limit)
			return n - j->kept_count;
	}
	return 0;
}

static void compare(const struct judging *j, struct judge_result *r)
{
	double difference = j->now - j->level, reach = j->scale * sqrt(j->widening);
	double sure = student_upper_inverse(unsure, j->df);
	double tail = student_upper(fabs(difference) / reach, j->df);
	r->p = r->slower ? tail : 1 - tail;
	r->p_faster = r->slower ? 1 - tail : tail;
	struct modes modes = find_modes(j);
	if (modes.are_two) {
		r->p = fmin(r->p, modes_tail(j, &modes, 1));
		r->p_faster = fmin(r->p_faster, modes_tail(j, &modes, -1));
	}
	assert(j->scale > 0 && j->widening > 1 && j->df > 0);
	r->judged.difference = difference;
	r->judged.error = reach;
	r->judged.level = j->level;
	r->scale = j->relative ? j->scale : effect_of(j, j->scale);
	r->autocorrelation = j->rho;
	r->widening = j->widening;
	r->df = j->df;
	r->error = j->relative ? reach : effect_of(j, reach);
	r->ruled_out = effect_of(j, difference + sure * reach);
	r->detectable = effect_of(j, (sure + power_quantile) * reach);
	r->level_error = j->scale * sqrt(j->widening - 1) * (j->relative ? r->level : j->size);
	r->resolves = sure * reach < difference_of(j, j->options->tolerance);
	r->helpful_commits = r->resolves ? 0 : count_helpful(j);
	double far = j->options->both_ways ? fabs(difference) : difference;
	r->equivalent = (j->exact && difference == 0) ||
			far + sure * reach < difference_of(j, j->options->tolerance);
}

struct judge_result judge(struct arena *arena, const double *history, size_t count,
			  const double *candidate, size_t repeats, const struct judge_options *o)
{
	size_t n = count > o->most ? o->most : count;
	struct judging j = {.arena = arena, .options = o, .n = n, .repeats = repeats};
	struct judge_result r = {.verdict = JUDGE_UNDECIDED, .count = n};
	r.level = r.level_error = r.effect = r.judged.difference = NAN;
	r.p = r.p_faster = r.scale = r.detectable = NAN;
	r.own_scale = r.autocorrelation = r.widening = r.df = r.candidate = NAN;
	r.ruled_out = r.error = NAN;
	for (size_t i = 0; i < JUDGE_GATE_LIMIT; i++)
		r.gates[i] = (struct judge_gate){gate_names[i], false, NAN, NAN};
	history += count - n;
	if (n == 0 || repeats == 0) {
		r.missing_commits = n ? 0 : isnan(o->pool_noise) && !is_assuming(o) ? o->least : 1;
		return r;
	}
	j.relative = r.relative = all_positive(history, n) && all_positive(candidate, repeats);
	j.size = j.relative ? 1 : size_of(arena, history, n, fabs(candidate[0]));
	j.noise = j.relative && n == count ? o->noise_of_all : NAN;
	j.x = as_judged(&j, history, n);
	j.c = as_judged(&j, candidate, repeats);
	j.now = noise_location(arena, j.c, repeats);
	leave_out(&j, &r);
	measure_history(&j);
	r.borrowed = is_borrowing(&j);
	r.assumed = r.borrowed && is_assuming(o);
	if (j.kept_count > 1)
		r.own_scale = j.relative ? j.scale : effect_of(&j, j.scale);
	if (r.borrowed)
		borrow_noise(&j);
	r.level = j.relative ? exp(j.level) : j.level * j.size;
	r.effect = effect_of(&j, j.now - j.level);
	r.candidate = j.relative ? exp(j.now) : j.now * j.size;
	r.slower = j.now > j.level;
	if (n >= LEAST_EQUAL || is_borrowing(&j))
		compare(&j, &r);
	pass_gates(&j, &r);
	size_t needed = needed_commits(&j);
	r.missing_commits = j.kept_count < needed ? needed - j.kept_count : 0;
	r.verdict = judge_decide(&r, r.gates[JUDGE_GATE_P].passed);
	return r;
}
