/* Cost of a series under drifting noise. */
#include "model/changepoint/random_walk.h"

#include "model/statistics/statistics.h"

/* Innovations are bounded by this many times the noise. */
static const double cap = 3;
/* Smallest density of an innovation. */
static const double floor_density = 0.005;
/* The grid. memories: share of the drift that remains after one commit. gains: share of an
 * innovation that is attributed to drift and not to measurement noise (1: all, i.e. AR(1)); the
 * steady state of a Kalman filter. */
static const double memories[] = {0, 0.15, 0.3, 0.45, 0.6, 0.7, 0.8, 0.9};
static const double gains[] = {1, 0.6, 0.35, 0.2};

enum {
	MEMORIES = sizeof memories / sizeof *memories,
	GAINS = sizeof gains / sizeof *gains,
	LANES = MEMORIES * GAINS
};

/* Adds the innovations under one noise model of the grid. */
static void add_surprises(struct error_density *density, const double *deviations, size_t n,
			  double keep, double take)
{
	double limit = cap * density->sigma, guess = 0;
	for (size_t k = 0; k < n; k++) {
		double surprise = deviations[k] - guess;
		error_density_add(density, surprise);
		guess = keep * guess + take * noise_clip(surprise, limit);
	}
	error_density_settle(density);
}

double random_walk_cost(const double *deviations, size_t n, double sigma)
{
	double keep[LANES], take[LANES], guess[LANES] = {0}, squares[LANES] = {0};
	double limit = cap * sigma, length = (double)n;
	assert(n > 0 && sigma > 0);
	int least = 0;
	for (int i = 0; i < LANES; i++) {
		keep[i] = memories[i / GAINS];
		take[i] = gains[i % GAINS] * keep[i];
	}
	for (size_t k = 0; k < n; k++)
		for (int i = 0; i < LANES; i++) {
			double surprise = noise_clip(deviations[k] - guess[i], limit);
			squares[i] += surprise * surprise;
			guess[i] = keep[i] * guess[i] + take[i] * surprise;
		}
	for (int i = 1; i < LANES; i++)
		least = squares[i] < squares[least] ? i : least;
	struct error_density density;
	error_density_start(&density, sigma, floor_density);
	add_surprises(&density, deviations, n, keep[least], take[least]);
	double normal = length * log(fmax(squares[least] / length, 1e-20));
	return (normal + error_density_cost(&density)) / 2;
}
