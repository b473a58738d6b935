/* Rank correlation, and the order of successive times. */
#include "model/sizing/dependence.h"

#include "model/statistics/statistics.h"

static const double level = 0.01;

static double two_sided(double z)
{
	return fmin(1, 2 * normal_upper(fabs(z)));
}

/* Kendall's S by normal approximation, with ties of times (Kendall, Rank Correlation Methods, 4.10:
 * sizes have none). */
static double trend_of(struct arena *arena, const struct sweep_point *points, size_t count)
{
	double s = 0, n = (double)count, ties = 0;
	double *times = arena_array(arena, count, sizeof *times);
	for (size_t i = 0; i < count; i++) {
		times[i] = points[i].seconds;
		for (size_t k = 0; k < i; k++)
			s += (points[i].seconds > points[k].seconds) -
			     (points[i].seconds < points[k].seconds);
	}
	qsort(times, count, sizeof *times, array_by_double);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && times[next] == times[i];)
			next++;
		double t = (double)(next - i);
		ties += t * (t - 1) * (2 * t + 5);
	}
	double variance = (n * (n - 1) * (2 * n + 5) - ties) / 18;
	double step = s > 0 ? 1 : s < 0 ? -1 : 0;
	return variance > 0 ? two_sided((s - step) / sqrt(variance)) : 1;
}

/* The ratio's mean is 2 n / (n - 1), its variance about 4 (n - 2) / (n^2 - 1). */
static double order_of(size_t count, double differences, double squares)
{
	double n = (double)count;
	if (!(squares > 0))
		return 1;
	double ratio = differences / (n - 1) / (squares / n);
	return two_sided((ratio - 2 * n / (n - 1)) / sqrt(4 * (n - 2) / (n * n - 1)));
}

struct dependence dependence_of(struct arena *arena, const struct sweep_point *points, size_t count)
{
	struct dependence found = {.trend = NAN, .order = NAN};
	double least = INFINITY, most = 0, mean = 0, squares = 0, differences = 0;
	for (size_t i = 0; i < count; i++) {
		least = fmin(least, points[i].seconds);
		most = fmax(most, points[i].seconds);
		mean += points[i].seconds / (double)count;
	}
	for (size_t i = 0; i < count; i++) {
		double step = i ? points[i].seconds - points[i - 1].seconds : 0;
		squares += (points[i].seconds - mean) * (points[i].seconds - mean);
		differences += step * step;
	}
	found.spread = most / least - 1;
	found.noise = sqrt(differences / 2 / (double)(count - 1)) / mean;
	if (count < DEPENDENCE_LEAST)
		return found;
	found.trend = trend_of(arena, points, count);
	found.order = order_of(count, differences, squares);
	found.none = found.trend >= level && found.order >= level;
	return found;
}
