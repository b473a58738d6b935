/*
 * Dynamic programming over (commit, level): what it costs at best to be at a
 * level after a commit, and since when one is. Levels are values and means of
 * neighbours, a sixth of the noise apart; so the work grows with the range of
 * the series in units of its noise and not with the square of its length.
 *
 * Costs are whole numbers, relative to the cheapest level: the answer does not
 * depend on how a compiler orders sums, and nothing overflows.
 */
#include "model/segment.h"

#include <math.h>
#include <string.h>

/* Losses in squares of this part of the noise. */
enum { NOISE_PARTS = 16, UNIT = NOISE_PARTS * NOISE_PARTS };
static const int loss_cap = 6 * UNIT;
static const double penalty_weight = 2, penalty_least = 20, spacing = 1.0 / 6;

/* --- levels --- */

struct levels {
	float *at; /* rising, in parts of the noise above the first value */
	size_t count;
	float step;
};

/* The first level that is not below the value. Values are noise: no branch could be predicted. */
static size_t place_of(const struct levels *l, float value)
{
	size_t low = 0, left = l->count;
	while (left > 0) {
		size_t half = (left + 1) / 2;
		low += l->at[low + half - 1] < value ? half : 0;
		left -= half;
	}
	return low;
}

/* Twice the spacing: about half of the levels stay. */
static void thin(struct levels *l)
{
	size_t kept = 1;
	l->step *= 2;
	for (size_t i = 1; i < l->count; i++)
		if (l->at[i] - l->at[kept - 1] >= l->step)
			l->at[kept++] = l->at[i];
	l->count = kept;
}

static void add_level(struct levels *l, float value)
{
	size_t at = place_of(l, value);
	if ((at < l->count && l->at[at] - value < l->step) ||
	    (at > 0 && value - l->at[at - 1] < l->step))
		return;
	if (l->count == SEGMENT_LEVELS) {
		thin(l);
		add_level(l, value);
		return;
	}
	memmove(l->at + at + 1, l->at + at, (l->count - at) * sizeof *l->at);
	l->at[at] = value;
	l->count++;
}

const float *segment_levels(struct arena *scratch, const float *x, size_t n, size_t *count)
{
	struct levels l = {arena_array(scratch, SEGMENT_LEVELS, sizeof *l.at), 0,
			   (float)(spacing * NOISE_PARTS)};
	for (size_t i = 0; i < n; i++) {
		add_level(&l, x[i]);
		if (i < 1 || i + 1 >= n)
			continue;
		float three = x[i - 1] + x[i] + x[i + 1];
		add_level(&l, three / 3);
		if (i < 2 || i + 2 >= n)
			continue;
		add_level(&l, (x[i - 2] + three + x[i + 2]) / 5);
	}
	*count = l.count;
	return l.at;
}

/* --- segments --- */

int segment_loss(float x, float level)
{
	float e = x - level, square = e * e, cap = (float)loss_cap;
	return (int)(square < cap ? square : cap);
}

int segment_penalty(size_t n)
{
	return (int)(penalty_weight * log(fmax((double)n, penalty_least)) * UNIT);
}

struct states {
	const float *level;
	int *cost;  /* of the best way to be at the level now, above that of the cheapest level */
	int *since; /* where the segment that one is in began */
	size_t count;
	size_t best;
};

/* One more commit. A new segment costs `fresh` more than the cheapest level does. */
static void advance(struct states *s, float x, int commit, int fresh)
{
	int least = s->cost[s->best], low = loss_cap + fresh + 1;
	for (size_t l = 0; l < s->count; l++) {
		int stay = s->cost[l] - least;
		s->since[l] = fresh < stay ? commit : s->since[l];
		int cost = (fresh < stay ? fresh : stay) + segment_loss(x, s->level[l]);
		s->cost[l] = cost;
		low = cost < low ? cost : low;
	}
	for (s->best = 0; s->cost[s->best] != low;)
		s->best++;
}

size_t segment_bounds(struct arena *scratch, const double *x, size_t n, double sigma,
		      size_t *bounds)
{
	float *scaled = arena_array(scratch, n, sizeof *scaled);
	/* Where the segment began that ends before each commit, if one ends there. */
	int *before = arena_array(scratch, n, sizeof *before);
	for (size_t i = 0; i < n; i++)
		scaled[i] = (float)((x[i] - x[0]) / sigma * NOISE_PARTS);
	struct states s = {0};
	int fresh = segment_penalty(n);
	s.level = segment_levels(scratch, scaled, n, &s.count);
	s.cost = arena_array(scratch, s.count, sizeof *s.cost);
	s.since = arena_array(scratch, s.count, sizeof *s.since);
	for (size_t i = 0; i < n; i++) {
		before[i] = s.since[s.best];
		advance(&s, scaled[i], (int)i, i ? fresh : 0);
	}
	size_t count = 0;
	for (int at = s.since[s.best]; at > 0; at = before[at])
		bounds[count++] = (size_t)at;
	for (size_t i = 0; i < count / 2; i++) {
		size_t other = bounds[i];
		bounds[i] = bounds[count - 1 - i];
		bounds[count - 1 - i] = other;
	}
	return count;
}
