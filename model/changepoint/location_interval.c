/* Computes the probability of each position, and cuts it at both ends. */
#include "model/changepoint/location_interval.h"
#include "model/statistics/statistics.h"

static const double level_clip = 2;
enum { NEAR = 60, ROUNDS = 20 }; /* NEAR: values on each side that determine the mean */

/* The mean of values[from..to-1], with the pull of each value bounded by two standard
 * deviations. */
static double level_of(const struct border_series *s, size_t from, size_t to)
{
	double at = s->values[from], limit = level_clip * s->noise;
	double least = HUGE_VAL;
	/* Start at the value with the smallest distance to all others. */
	for (size_t i = from; i < to; i++) {
		double sum = 0;
		for (size_t k = from; k < to; k++)
			sum += fabs(s->values[k] - s->values[i]);
		at = sum < least ? s->values[i] : at;
		least = fmin(least, sum);
	}
	for (int round = 0; round < ROUNDS; round++) {
		double sum = 0;
		for (size_t i = from; i < to; i++)
			sum += noise_clip(s->values[i] - at, limit);
		at += sum / (double)(to - from);
	}
	return at;
}

struct location_interval location_interval_given(const struct border_series *s, size_t good,
						 size_t bad)
{
	struct location_interval b = {.good = good, .bad = bad};
	assert(good < bad && bad < s->count && s->noise > 0);
	size_t from = good + 1 > NEAR ? good + 1 - NEAR : 0;
	size_t to = s->count - bad > NEAR ? bad + NEAR : s->count;
	b.before = level_of(s, from, good + 1);
	b.after = level_of(s, bad, to);
	b.count_before = good + 1 - from;
	b.count_after = to - bad;
	return b;
}

static double log_density(double value, double level, double noise)
{
	double u = (value - level) / noise;
	return log((1 - noise_outlier_share) * noise_normal_peak * exp(-u * u / 2) +
		   noise_outlier_density(u));
}

/* Log likelihood ratio: that values[at] is the first value after the change, relative to values[at
 * - 1] being it. */
static double step(const struct border_series *s, const struct location_interval *b, size_t at)
{
	double value = s->values[at - 1];
	return log_density(value, b->before, s->noise) - log_density(value, b->after, s->noise);
}

struct location_interval location_interval_of(const struct border_series *s, double error)
{
	assert(s->change > 0 && s->change < s->count);
	struct location_interval b = location_interval_given(s, s->change - 1, s->change);
	size_t from = s->change > NEAR ? s->change - NEAR : 1;
	size_t to = s->count - s->change > NEAR ? s->change + NEAR : s->count;
	double p[2 * NEAR + 1], sum = 0, log_p = 0, tail = 0;
	/* From the detected position in both directions, so that nothing overflows far from it. */
	for (size_t at = s->change; at < to; at++) {
		log_p += at > s->change ? step(s, &b, at) : 0;
		sum += p[at - from] = s->gaps[at] * exp(log_p);
	}
	log_p = 0;
	for (size_t at = s->change; at-- > from;) {
		log_p -= step(s, &b, at + 1);
		sum += p[at - from] = s->gaps[at] * exp(log_p);
	}
	size_t good = from, bad = to - 1;
	while (good < s->change && tail + p[good - from] <= error * sum)
		tail += p[good++ - from];
	for (tail = 0; bad > s->change && tail + p[bad - from] <= error * sum; bad--)
		tail += p[bad - from];
	return location_interval_given(s, good - 1, bad);
}
