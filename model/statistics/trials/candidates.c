/* Speed-ups with intervals that hold for all candidates together, and the ranks. */
#include "model/statistics/trials/candidates.h"

#include "model/statistics/statistics.h"

static const double family_error = 0.05;

/* Mean and squared standard error of logarithms. */
struct log_mean {
	double mean, variance;
	size_t count;
};

static struct log_mean log_mean_of(const double *numbers, size_t count)
{
	struct log_mean result = {NAN, NAN, count};
	double sum = 0, squares = 0;
	for (size_t i = 0; i < count; i++)
		sum += log(numbers[i]);
	if (count)
		result.mean = sum / (double)count;
	for (size_t i = 0; i < count; i++)
		squares += pow(log(numbers[i]) - result.mean, 2);
	if (count > 1)
		result.variance = squares / (double)(count - 1) / (double)count;
	return result;
}

/* Satterthwaite's degrees of freedom. */
static double freedom(const struct log_mean *a, const struct log_mean *b)
{
	double sum = a->variance + b->variance;
	return sum * sum /
	       (a->variance * a->variance / (double)(a->count - 1) +
		b->variance * b->variance / (double)(b->count - 1));
}

static void compare(const struct log_mean *base, bool lower_is_better, size_t tries,
		    struct candidate *candidate)
{
	struct log_mean own = log_mean_of(candidate->numbers, candidate->count);
	double gain = (base->mean - own.mean) * (lower_is_better ? 1 : -1);
	double error = sqrt(base->variance + own.variance), half = NAN;
	double apart = log(candidate->highest / candidate->lowest);
	double worst = lower_is_better ? candidate->highest : candidate->lowest;
	if (error > 0)
		half = error *
		       student_upper_inverse(family_error / 2 / (double)tries, freedom(base, &own));
	/* Numbers that never vary are exact; of one tick's difference that is not known. */
	else if (error == 0 && gain == 0)
		half = 0;
	candidate->least = exp((base->mean - log(worst)) * (lower_is_better ? 1 : -1) - apart);
	candidate->speedup = exp(gain);
	candidate->low = exp(gain - half);
	candidate->high = exp(gain + half);
}

static bool is_ranked(const struct candidate *candidate)
{
	return candidate->state >= CANDIDATE_CORRECT && !isnan(candidate->low);
}

static int best_first(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	if (is_ranked(x) != is_ranked(y))
		return is_ranked(x) ? -1 : 1;
	if (!is_ranked(x) && x->state != y->state)
		return x->state > y->state ? -1 : 1;
	if (isnan(x->speedup) != isnan(y->speedup))
		return isnan(x->speedup) ? 1 : -1;
	if (x->speedup > y->speedup || x->speedup < y->speedup)
		return x->speedup > y->speedup ? -1 : 1;
	return strcmp(x->name, y->name);
}

void candidates_rank(const double *base, size_t base_count, bool lower_is_better,
		     struct candidate *candidates, size_t count)
{
	const struct log_mean from = log_mean_of(base, base_count);
	for (size_t i = 0; i < count; i++)
		compare(&from, lower_is_better, count, &candidates[i]);
	array_sort(candidates, count, sizeof *candidates, best_first);
	for (size_t i = 0; i < count; i++) {
		candidates[i].rank = is_ranked(&candidates[i]);
		for (size_t k = 0; k < count && candidates[i].rank; k++)
			candidates[i].rank +=
				is_ranked(&candidates[k]) && candidates[k].low > candidates[i].high;
	}
}

const struct candidate *candidates_best(const struct candidate *candidates, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (candidates[i].rank && candidates[i].state == CANDIDATE_CONFIRMED &&
		    candidates[i].low > 1 && candidates[i].least > 1)
			return &candidates[i];
	return NULL;
}
