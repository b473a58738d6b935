/* Levels against drift. */
#include "model/drift.h"

#include <math.h>

/* A surprise counts up to so many times the noise. */
static const double cap = 3;
/* How much of the drift is left after a commit, and how much of a surprise is taken for drift and
 * not for measurement noise (1: all, noise is AR(1)); the steady state of a Kalman filter. */
static const double memories[] = {0, 0.15, 0.3, 0.45, 0.6, 0.7, 0.8, 0.9};
static const double gains[] = {1, 0.6, 0.35, 0.2};

enum {
	MEMORIES = sizeof memories / sizeof *memories,
	GAINS = sizeof gains / sizeof *gains,
	LANES = MEMORIES * GAINS
};

double drift_cost(const double *deviations, size_t n, double sigma)
{
	double keep[LANES], take[LANES], guess[LANES] = {0}, squares[LANES] = {0};
	double limit = cap * sigma, least = HUGE_VAL, length = (double)n;
	for (int i = 0; i < LANES; i++) {
		keep[i] = memories[i / GAINS];
		take[i] = gains[i % GAINS] * keep[i];
	}
	for (size_t k = 0; k < n; k++)
		for (int i = 0; i < LANES; i++) {
			double surprise = deviations[k] - guess[i];
			surprise = surprise < limit ? surprise : limit;
			surprise = surprise > -limit ? surprise : -limit;
			squares[i] += surprise * surprise;
			guess[i] = keep[i] * guess[i] + take[i] * surprise;
		}
	for (int i = 0; i < LANES; i++)
		least = fmin(least, squares[i]);
	return length * log(fmax(least / length, 1e-20));
}
