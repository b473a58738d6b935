/* Locates a boundary by smoothed likelihood. */
#include "model/changepoint/boundary_position.h"

/* Weight of the likelihood at an index, and of those one and two commits away. Of two neighbours
 * that share the likelihood the likelier one has the larger sum. */
static const double weights[] = {1, 0.99, 0.5};
/* Share of the likelihood that decides alone, and share of the largest one that a place needs. */
static const double decisive = 0.9, least_share = 0.05;

enum { WEIGHTS = sizeof weights / sizeof *weights, POSITIONS = 2 * POSITION_NEAR };

static double mass_about(const double *likelihood, size_t count, size_t at)
{
	double mass = 0;
	for (size_t off = 0; off < WEIGHTS; off++) {
		mass += at >= off ? weights[off] * likelihood[at - off] : 0;
		mass += off > 0 && at + off < count ? weights[off] * likelihood[at + off] : 0;
	}
	return mass;
}

/* Log likelihood of an error: of those that are noise, or an outlier. */
static double likeliness(const struct error_density *density, double error)
{
	double widths = fabs(error) / density->sigma;
	double noise = widths < DENSITY_REACH ? exp(error_density_log(density, error)) : 0;
	return log((1 - noise_outlier_share) * noise_normal_peak * noise +
		   noise_outlier_density(widths));
}

size_t boundary_position_find(const struct error_density *density, const double *x,
			      const size_t range[3], const double level[2])
{
	assert(range[0] < range[1] && range[1] < range[2]);
	double likelihood[POSITIONS], sum = 0, top = -HUGE_VAL, most = 0, all = 0;
	size_t from = range[1] - range[0] > POSITION_NEAR ? range[1] - POSITION_NEAR : range[0];
	size_t to = range[2] - range[1] > POSITION_NEAR ? range[1] + POSITION_NEAR : range[2];
	size_t count = to - from - 1, best = range[1];
	for (size_t i = 0; i < count; i++) {
		sum += likeliness(density, x[from + i] - level[0]) -
		       likeliness(density, x[from + i] - level[1]);
		likelihood[i] = sum;
		top = fmax(top, sum);
	}
	for (size_t i = 0; i < count; i++)
		all += likelihood[i] = exp(likelihood[i] - top);
	for (size_t i = 0; i < count; i++)
		if (likelihood[i] > decisive * all)
			return from + i + 1;
	for (size_t i = 0; i < count; i++) {
		double mass = mass_about(likelihood, count, i);
		if (mass > most && likelihood[i] >= least_share) {
			most = mass;
			best = from + i + 1;
		}
	}
	return best;
}
