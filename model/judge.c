/* A candidate against the record of its series. */
#include "model/judge.h"

#include <math.h>

#include "model/detect.h"
#include "model/tails.h"

static const double winsor = 3.5, pool_weight = 8;

const char *judge_name(enum judge_verdict verdict)
{
	static const char *const names[] = {"regressed", "improved", "unchanged", "undecided"};
	return names[verdict];
}

struct judge_options judge_defaults(void)
{
	return (struct judge_options){
		.alpha = 0.01,
		.tolerance = 0.05,
		.least_effect = 0.01,
		.seen_before = 0.05,
		.least = 8,
		.most = 60,
		.pool_noise = NAN,
	};
}

static double clip(double value, double limit)
{
	return value > limit ? limit : value < -limit ? -limit : value;
}

struct level {
	double at, scale, widening, df;
};

/* Location and scale of the record; extreme values pull at both, but only so far. */
static struct level level_of(struct arena *arena, const double *x, size_t n, double sigma,
			     double pool)
{
	double *e = arena_array(arena, n, sizeof *e), sum = 0, squares = 0, around = 0,
	       products = 0;
	for (size_t i = 0; i < n; i++)
		e[i] = x[i];
	double middle = detect_median(e, n);
	for (size_t i = 0; i < n; i++) {
		e[i] = clip(x[i] - middle, winsor * sigma);
		sum += e[i];
		squares += e[i] * e[i];
	}
	double mean = sum / (double)n;
	for (size_t i = 0; i < n; i++) {
		around += (e[i] - mean) * (e[i] - mean);
		products += i ? (e[i] - mean) * (e[i - 1] - mean) : 0;
	}
	double scale = fmax(sqrt(squares / (double)(n - 1)), 0.8 * sigma);
	if (!isnan(pool) && n < pool_weight)
		scale = sqrt((pool_weight * pool * pool + (double)(n - 1) * scale * scale) /
			     (pool_weight + (double)n - 1));
	double rho = clip((around > 0 ? products / around : 0) + 1 / (double)n, 0.9);
	double ratio = rho > 0 ? (1 + rho) / (1 - rho) : 1;
	return (struct level){middle + mean, scale, 1 + ratio / (double)n,
			      fmax(4, (double)n / ratio)};
}

/* How many values are at least as far on one side as the candidate. */
static size_t count_beyond(const double *x, size_t n, double now, bool slower)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		count += slower ? x[i] >= now : x[i] <= now;
	return count;
}

struct decision {
	const struct judge_options *options;
	const double *x, *c; /* logs of the record and of the candidate's repeats */
	size_t n, repeats;
	double now, level;
};

/* Whether a difference with this p is believed: it is worth a word, hardly seen before, and most of
 * the repeats agree. */
static bool is_believed(const struct decision *d, double p, bool slower)
{
	const struct judge_options *o = d->options;
	double difference = slower ? d->now - d->level : d->level - d->now;
	double effect = slower ? expm1(difference) : -expm1(-difference);
	double seen = d->n < 20 ? 0 : o->seen_before * (double)d->n;
	double half = (d->now + d->level) / 2;
	size_t agree = count_beyond(d->c, d->repeats, half, slower);
	return p < o->alpha && effect >= o->least_effect &&
	       (double)count_beyond(d->x, d->n, d->now, slower) <= seen &&
	       (d->repeats < 3 || (double)agree >= 0.6 * (double)d->repeats);
}

static double *logs_of(struct arena *arena, const double *values, size_t count)
{
	double *logs = arena_array(arena, count, sizeof *logs);
	for (size_t i = 0; i < count; i++)
		logs[i] = log(values[i]);
	return logs;
}

struct judge_result judge(struct arena *arena, const double *record, size_t count,
			  const double *candidate, size_t repeats, const struct judge_options *o)
{
	size_t n = count > o->most ? o->most : count;
	struct judge_result r = {.verdict = JUDGE_UNDECIDED, .count = n};
	r.effect = r.low = r.high = r.p = r.p_faster = r.scale = r.detectable = NAN;
	if (n < 3 || repeats == 0)
		return r;
	struct decision d = {o,
			     logs_of(arena, record + (count - n), n),
			     logs_of(arena, candidate, repeats),
			     n,
			     repeats,
			     0,
			     0};
	double sigma = detect_noise(arena, d.x, n);
	struct level level = level_of(arena, d.x, n, sigma, o->pool_noise);
	d.now = detect_location(arena, d.c, repeats);
	d.level = level.at;
	double difference = d.now - d.level, reach = level.scale * sqrt(level.widening);
	double wide = student_upper_inverse(0.025, level.df) * reach;
	double sure = student_upper_inverse(0.01, level.df) * reach;
	r.p = student_upper(difference / reach, level.df);
	r.p_faster = student_upper(-difference / reach, level.df);
	r.effect = expm1(difference);
	r.low = expm1(difference - wide), r.high = expm1(difference + wide);
	r.scale = level.scale;
	r.detectable = expm1(sure + 0.84 * reach);
	if (n < o->least)
		return r;
	if (is_believed(&d, r.p, true))
		r.verdict = JUDGE_REGRESSED;
	else if (is_believed(&d, r.p_faster, false))
		r.verdict = JUDGE_IMPROVED;
	else if (difference + sure < log1p(o->tolerance))
		r.verdict = JUDGE_UNCHANGED;
	return r;
}
