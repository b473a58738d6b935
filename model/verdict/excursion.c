/* Finds what a regression that was repaired leaves in a history. */
#include "model/verdict/excursion.h"

#include "model/statistics/statistics.h"

enum {
	SHORTEST = 2, /* commits: a single one is an outlier, which the noise has anyway */
	LONGEST = 9,  /* the detector finds longer ones */
	BEFORE = 3,   /* commits that say where it left from */
};
/* Noise widths: a larger step to a neighbour is not noise. Series that wander do not jump like this
 * twice. */
static const double far = 6;
/* The share of the commits that may be away; beyond it either level may be the usual one. */
static const double most = 1.0 / 3;

struct steps {
	const double *x;
	size_t count; /* without the candidate */
	double now, least;
};

static double value_at(const struct steps *s, size_t i)
{
	return i < s->count ? s->x[i] : s->now;
}

/* The first step at or after `from`; count + 1: none. */
static size_t next_step(const struct steps *s, size_t from)
{
	size_t i = from > 0 ? from : 1;
	while (i <= s->count && fabs(value_at(s, i) - value_at(s, i - 1)) <= s->least)
		i++;
	return i;
}

/* Whether the values on both sides are nearer to each other than half of the way. */
static bool is_back(const struct steps *s, size_t first, size_t end)
{
	double before = value_at(s, first - 1), away = value_at(s, first), after = value_at(s, end);
	return fabs(after - before) < fabs(away - before) / 2;
}

struct excursion excursion_find(struct arena *arena, const double *x, size_t count, double now)
{
	struct steps steps = {x, count, now, far * noise_measure(arena, x, count)};
	struct excursion found = {0};
	size_t first = next_step(&steps, 0);
	while (first < count) {
		size_t end = next_step(&steps, first + 1);
		bool away = end <= count && is_back(&steps, first, end);
		if (away && end - first >= SHORTEST && end - first <= LONGEST && first >= BEFORE) {
			if (found.count)
				return (struct excursion){0};
			found = (struct excursion){first, end - first};
		}
		first = away ? next_step(&steps, end + 1) : end;
	}
	return (double)found.count <= most * (double)count ? found : (struct excursion){0};
}
