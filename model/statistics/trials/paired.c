/* The order of the processes, the exact test over their pairs, and the verdict. */
#include "model/statistics/trials/paired.h"

#include "model/statistics/statistics.h"

enum { LOOKS = 7, PAIRS_PER_CONTROL = 3, SLOTS_PER_ROUND = 2 * (PAIRS_PER_CONTROL + 1) };

/* The shares of the looks add up to less than 1 %. The first one is what 9 pairs can reach, all of
 * the same sign. */
static const struct look {
	size_t pairs;
	double alpha;
} looks[LOOKS] = {{9, 2.0 / 512}, {12, 1e-3}, {15, 1e-3}, {18, 1e-3},
		  {24, 1e-3},     {30, 1e-3}, {36, 1e-3}};

/* --- the order --- */

struct paired_slot paired_slot(size_t index)
{
	size_t round = index / SLOTS_PER_ROUND, place = index % SLOTS_PER_ROUND;
	if (place >= 2 * PAIRS_PER_CONTROL)
		return (struct paired_slot){PAIRED_BASE, true};
	/* AB BA BA AB, and again */
	size_t turn = (round * PAIRS_PER_CONTROL + place / 2) % 4;
	bool reversed = turn == 1 || turn == 2;
	return (struct paired_slot){(place % 2 == 1) != reversed ? PAIRED_CANDIDATE : PAIRED_BASE,
				    false};
}

size_t paired_slots(size_t pairs)
{
	return 2 * (pairs + pairs / PAIRS_PER_CONTROL);
}

size_t paired_next_look(size_t pairs)
{
	for (size_t i = 0; i < LOOKS; i++)
		if (looks[i].pairs > pairs)
			return looks[i].pairs;
	return 0;
}

size_t paired_most_pairs(void)
{
	return looks[LOOKS - 1].pairs;
}

/* 0: nothing is judged at this number of pairs. */
static double alpha_at(size_t pairs)
{
	for (size_t i = 0; i < LOOKS; i++)
		if (looks[i].pairs == pairs)
			return looks[i].alpha;
	return 0;
}

/* --- the signed rank test --- */

static int by_size(const void *a, const void *b)
{
	double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
	return (x > y) - (x < y);
}

/* Doubled ranks of the sorted differences; equal ones share the mean of their ranks. */
static size_t *doubled_ranks(struct arena *arena, const double *sorted, size_t count)
{
	size_t *ranks = arena_array(arena, count + 1, sizeof *ranks);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && fabs(sorted[end]) == fabs(sorted[i]);)
			end++;
		for (size_t k = i; k < end; k++)
			ranks[k] = i + 1 + end;
	}
	return ranks;
}

/* P(the sum of the ranks of those with a positive sign <= s) for each s up to the whole sum, if
 * both signs are equally likely. */
static double *rank_sums(struct arena *arena, const size_t *ranks, size_t count, size_t whole)
{
	double *chance = arena_array(arena, whole + 1, sizeof *chance);
	memset(chance, 0, (whole + 1) * sizeof *chance);
	chance[0] = 1;
	for (size_t i = 0, reached = 0; i < count; i++) {
		reached += ranks[i];
		for (size_t s = reached + 1; s-- > 0;) {
			double with = s >= ranks[i] ? chance[s - ranks[i]] : 0;
			chance[s] = (chance[s] + with) / 2;
		}
	}
	for (size_t s = 1; s <= whole; s++)
		chance[s] += chance[s - 1];
	return chance;
}

/* Differences of 0 show nothing and are left out. */
static double signed_rank_p(struct arena *arena, const double *differences, size_t count)
{
	double *sorted = arena_array(arena, count + 1, sizeof *sorted);
	size_t used = 0, whole = 0, positive = 0;
	for (size_t i = 0; i < count; i++)
		if (differences[i] != 0)
			sorted[used++] = differences[i];
	array_sort(sorted, used, sizeof *sorted, by_size);
	size_t *ranks = doubled_ranks(arena, sorted, used);
	for (size_t i = 0; i < used; i++) {
		whole += ranks[i];
		positive += sorted[i] > 0 ? ranks[i] : 0;
	}
	size_t lower = positive < whole - positive ? positive : whole - positive;
	return fmin(1, 2 * rank_sums(arena, ranks, used, whole)[lower]);
}

/* --- effect and interval --- */

/* The means of any two log ratios, and of each with itself, sorted. */
static double *walsh_means(struct arena *arena, const double *x, size_t count, size_t *means)
{
	double *list = arena_array(arena, count * (count + 1) / 2 + 1, sizeof *list);
	*means = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t k = i; k < count; k++)
			list[(*means)++] = (x[i] + x[k]) / 2;
	noise_sort(arena, list, *means);
	return list;
}

/* The rank, from 1, of the mean at which the 95 % interval begins; 0: none has 95 %. */
static size_t first_inside(struct arena *arena, size_t count)
{
	size_t *ranks = arena_array(arena, count + 1, sizeof *ranks);
	size_t whole = count * (count + 1) / 2, k = 0;
	for (size_t i = 0; i < count; i++)
		ranks[i] = i + 1;
	const double *chance = rank_sums(arena, ranks, count, whole);
	while (k < whole && chance[k] <= .025)
		k++;
	return k;
}

static void estimate(struct arena *arena, const double *ratios, struct paired_result *result)
{
	size_t means;
	if (!result->pairs)
		return;
	const double *list = walsh_means(arena, ratios, result->pairs, &means);
	size_t first = first_inside(arena, result->pairs);
	result->effect = expm1(median_of_sorted(list, means));
	if (first > 0) {
		result->low = expm1(list[first - 1]);
		result->high = expm1(list[means - first]);
	}
}

/* --- the verdict --- */

/* Log ratios, candidate to base, and those of the controls, second to first. */
struct ratios {
	double *pairs, *controls;
};

static bool is_known(double value)
{
	return isfinite(value) && value > 0;
}

static struct ratios collect(struct arena *arena, const double *values, size_t slots,
			     struct paired_result *result)
{
	double *sides[2] = {arena_array(arena, slots + 1, sizeof(double)),
			    arena_array(arena, slots + 1, sizeof(double))};
	struct ratios ratios = {arena_array(arena, slots + 1, sizeof(double)),
				arena_array(arena, slots + 1, sizeof(double))};
	for (size_t i = 0; i + 1 < slots; i += 2) {
		struct paired_slot slot = paired_slot(i);
		double first = values[i], second = values[i + 1];
		if (!is_known(first) || !is_known(second))
			continue;
		if (slot.control) {
			ratios.controls[result->controls++] = log(second / first);
			continue;
		}
		bool reversed = slot.side == PAIRED_CANDIDATE;
		double base = reversed ? second : first, candidate = reversed ? first : second;
		sides[PAIRED_BASE][result->pairs] = base;
		sides[PAIRED_CANDIDATE][result->pairs] = candidate;
		/* Not the logarithm of a ratio: opposite changes are ties. */
		ratios.pairs[result->pairs++] = log(candidate) - log(base);
	}
	if (result->pairs) {
		result->base = median_of(sides[PAIRED_BASE], result->pairs);
		result->candidate = median_of(sides[PAIRED_CANDIDATE], result->pairs);
	}
	if (result->controls)
		result->control = expm1(median_of(ratios.controls, result->controls));
	return ratios;
}

static enum paired_verdict judge(const struct paired_result *found, double alpha, double limit)
{
	if (found->low > -limit && found->high < limit)
		return PAIRED_SAME;
	if (!(found->p <= alpha))
		return PAIRED_UNCLEAR;
	if (fabs(found->control) >= fabs(found->effect))
		return PAIRED_UNFIT;
	return found->effect > 0 ? PAIRED_HIGHER : PAIRED_LOWER;
}

/* Pairs until the look that would decide. The interval shrinks with the square root of the pairs;
 * the last looks ask for 3.3 standard errors where the interval has 1.96. */
static double more_pairs(const struct paired_result *found, double limit)
{
	const double needed = 3.3 / 1.96;
	double half = (found->high - found->low) / 2, effect = fabs(found->effect);
	if (isnan(half))
		return NAN;
	double differ = effect > 0 ? half * needed / effect : INFINITY;
	double same = effect < limit ? half / (limit - effect) : INFINITY;
	double factor = fmin(differ, same), needed_pairs = (double)found->pairs * factor * factor;
	size_t look = paired_next_look(found->pairs);
	while (look && (double)look < needed_pairs)
		look = paired_next_look(look);
	return look ? (double)(look - found->pairs) : INFINITY;
}

struct paired_result paired_judge(struct arena *arena, const double *values, size_t slots,
				  const struct paired_rule *rule)
{
	struct paired_result result = {.base = NAN,
				       .candidate = NAN,
				       .effect = NAN,
				       .low = NAN,
				       .high = NAN,
				       .p = NAN,
				       .control = NAN,
				       .more = NAN};
	double alpha =
		slots % SLOTS_PER_ROUND ? 0 : alpha_at(slots / SLOTS_PER_ROUND * PAIRS_PER_CONTROL);
	struct ratios ratios = collect(arena, values, slots, &result);
	estimate(arena, ratios.pairs, &result);
	if (result.pairs)
		result.p = signed_rank_p(arena, ratios.pairs, result.pairs);
	if (alpha > 0)
		result.verdict = judge(&result, alpha / (double)(rule->series ? rule->series : 1),
				       rule->limit);
	if (result.verdict == PAIRED_UNCLEAR)
		result.more = more_pairs(&result, rule->limit);
	return result;
}
