/*
 * Dynamic programming over (commit, level): what it costs at best to be at a
 * level after a commit, and since when one is. Levels are values and means of
 * neighbours, a sixth of the noise apart; so the work grows with the range of
 * the series in units of its noise and not with the square of its length.
 *
 * Costs are whole numbers, relative to the cheapest level: the answer does not
 * depend on how a compiler orders sums, and nothing overflows.
 */
#include "model/changepoint/segmentation.h"

#include <limits.h>

#include "base/system/system.h"

/* Losses are in squares of the noise divided by NOISE_PARTS. */
enum { NOISE_PARTS = 16, UNIT = NOISE_PARTS * NOISE_PARTS };
static const int loss_cap = 6 * UNIT;
static const double penalty_weight = 2, penalty_least = 20, spacing = 1.0 / 6;

/* --- levels --- */

/* Hash of some levels by their index in steps; one may evict another. */
enum { SLOTS = 256 };

struct levels {
	float *at; /* rising, in parts of the noise above the first value */
	size_t count;
	float step, per_step;
	float *slots;
};

/* Steps from the first value to this one; any number for values far away. */
static unsigned steps_of(const struct levels *l, float value)
{
	static const float most = 1 << 30;
	float steps = value * l->per_step;
	int whole = (int)(steps < most ? steps > -most ? steps : -most : most);
	return (unsigned)(whole - (steps < (float)whole));
}

static float *slot_of(const struct levels *l, unsigned steps)
{
	return &l->slots[steps % SLOTS];
}

static float distance(const struct levels *l, unsigned steps, float value)
{
	return fabsf(*slot_of(l, steps) - value);
}

static void empty_slots(const struct levels *l)
{
	for (size_t i = 0; i < SLOTS; i++)
		l->slots[i] = INFINITY;
}

/* Whether a level in the slots is less than a step away, as for most values. */
static bool is_known(const struct levels *l, float value)
{
	unsigned steps = steps_of(l, value);
	float here = distance(l, steps, value), nearest = distance(l, steps - 1, value);
	nearest = here < nearest ? here : nearest;
	here = distance(l, steps + 1, value);
	nearest = here < nearest ? here : nearest;
	return nearest < l->step;
}

/* Index of the first level not below the value. Branch-free, because noise defeats branch
 * prediction. */
static size_t index_of(const struct levels *l, float value)
{
	size_t low = 0, left = l->count;
	while (left > 0) {
		size_t half = (left + 1) / 2;
		low += l->at[low + half - 1] < value ? half : 0;
		left -= half;
	}
	return low;
}

/* Doubles the spacing, which leaves about half of the levels. */
static void thin(struct levels *l)
{
	size_t used = 1;
	l->step *= 2;
	l->per_step /= 2;
	for (size_t i = 1; i < l->count; i++)
		if (l->at[i] - l->at[used - 1] >= l->step)
			l->at[used++] = l->at[i];
	l->count = used;
	empty_slots(l);
}

static void search_and_add(struct levels *l, float value)
{
	size_t at = index_of(l, value);
	if ((at < l->count && l->at[at] - value < l->step) ||
	    (at > 0 && value - l->at[at - 1] < l->step))
		return;
	if (l->count == SEGMENT_LEVELS) {
		thin(l);
		search_and_add(l, value);
		return;
	}
	memmove(l->at + at + 1, l->at + at, (l->count - at) * sizeof *l->at);
	l->at[at] = value;
	l->count++;
	*slot_of(l, steps_of(l, value)) = value;
}

static inline void add_level(struct levels *l, float value)
{
	if (!is_known(l, value))
		search_and_add(l, value);
}

const float *segmentation_levels(struct arena *scratch, const float *x, size_t n, size_t *count)
{
	struct levels l = {
		.at = arena_array(scratch, SEGMENT_LEVELS, sizeof *l.at),
		.step = (float)(spacing * NOISE_PARTS),
		.per_step = (float)(1 / (spacing * NOISE_PARTS)),
		.slots = arena_array(scratch, SLOTS, sizeof *l.slots),
	};
	empty_slots(&l);
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

int segmentation_loss(float x, float level)
{
	float e = x - level, square = e * e, cap = (float)loss_cap;
	return (int)(square < cap ? square : cap);
}

int segmentation_penalty(size_t n)
{
	return (int)(penalty_weight * log(fmax((double)n, penalty_least)) * UNIT);
}

/* Packs a cost with its level in the lowest bits, so that among equal costs the lower level
 * wins. */
enum { LEVEL_BITS = 10, LANES = 8, NO_COST = INT_MAX };
_Static_assert(SEGMENT_LEVELS + LANES < 1 << LEVEL_BITS, "levels have room");

struct states {
	const float *level;
	int *cost;  /* cost of the best path to the level, above that of the cheapest level */
	int *since; /* where the current segment began */
	int count;  /* a multiple of LANES; unused lanes are never the cheapest */
	int least;
};

static struct states start_states(struct arena *scratch, const float *levels, size_t count)
{
	size_t room = (count + LANES - 1) / LANES * LANES;
	struct states s = {.count = (int)room};
	float *level = arena_array(scratch, room, sizeof *level);
	s.cost = arena_array(scratch, room, sizeof *s.cost);
	s.since = arena_array(scratch, room, sizeof *s.since);
	for (size_t l = 0; l < room; l++) {
		level[l] = l < count ? levels[l] : INFINITY;
		s.cost[l] = (int)l;
	}
	s.level = level;
	return s;
}

static size_t cheapest(const struct states *s)
{
	return (size_t)s->least % (1 << LEVEL_BITS);
}

/* Advances by one commit. A new segment costs `fresh` more than the cheapest level. */
static inline __attribute__((always_inline)) void advance_by(struct states *s, float x, int commit,
							     int fresh)
{
	const float *restrict level = s->level;
	int *restrict cost = s->cost, *restrict since = s->since;
	int count = s->count, least = s->least >> LEVEL_BITS << LEVEL_BITS, low = NO_COST;
	for (int l = 0; l < count; l++) {
		int stay = cost[l] - least, anew = (fresh << LEVEL_BITS) + l;
		since[l] = anew < stay ? commit : since[l];
		int now = (anew < stay ? anew : stay) +
			  (segmentation_loss(x, level[l]) << LEVEL_BITS);
		cost[l] = now;
		low = now < low ? now : low;
	}
	s->least = low;
}

static void advance(struct states *s, float x, int commit, int fresh)
{
	advance_by(s, x, commit, fresh);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void advance_avx2(struct states *s, float x, int commit,
							 int fresh)
{
	advance_by(s, x, commit, fresh);
}
#else
#define advance_avx2 advance
#endif

size_t segmentation_bounds(struct arena *scratch, const double *x, size_t n, double sigma,
			   size_t *bounds)
{
	assert(n > 0 && sigma > 0);
	float *scaled = arena_array(scratch, n, sizeof *scaled);
	/* Start of the segment that ends before each commit, if one ends there. */
	int *before = arena_array(scratch, n, sizeof *before);
	for (size_t i = 0; i < n; i++)
		scaled[i] = (float)((x[i] - x[0]) / sigma * NOISE_PARTS);
	int fresh = segmentation_penalty(n);
	size_t level_count;
	const float *levels = segmentation_levels(scratch, scaled, n, &level_count);
	struct states s = start_states(scratch, levels, level_count);
	void (*step)(struct states *, float, int, int) =
		cpu_has(PROCESSOR_AVX2) ? advance_avx2 : advance;
	for (size_t i = 0; i < n; i++) {
		before[i] = s.since[cheapest(&s)];
		step(&s, scaled[i], (int)i, i ? fresh : 0);
	}
	size_t count = 0;
	for (int at = s.since[cheapest(&s)]; at > 0; at = before[at])
		bounds[count++] = (size_t)at;
	for (size_t i = 0; i < count / 2; i++) {
		size_t other = bounds[i];
		bounds[i] = bounds[count - 1 - i];
		bounds[count - 1 - i] = other;
	}
	return count;
}
