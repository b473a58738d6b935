/* Kernel density estimation on a grid. */
#include "model/statistics/error_density.h"
#include "model/statistics/noise.h"

/* In units of the noise: the bound beyond which an error does not widen the kernel further. */
static const double reach = DENSITY_REACH, winsor = 2.5;
/* The width of the kernel is this times the spread of the errors over the fifth root of their
 * number. */
static const double smoothing = 1.3;
/* Prior: the normal distribution counts as this many errors. */
static const double prior = 8;

/* Position in cells, 0 to DENSITY_CELLS. */
static double position_of(const struct error_density *d, double error)
{
	return (noise_clip(error / d->sigma / reach, 1) + 1) * (DENSITY_CELLS / 2.0);
}

void error_density_start(struct error_density *density, double sigma, double floor)
{
	assert(sigma > 0 && floor > 0);
	memset(density, 0, sizeof *density);
	density->sigma = sigma;
	density->floor = floor;
}

void error_density_add(struct error_density *density, double error)
{
	double at = position_of(density, error), near = noise_clip(error / density->sigma, winsor);
	size_t cell = (size_t)at;
	density->mass[cell] += 1 - (at - (double)cell);
	if (cell < DENSITY_CELLS)
		density->mass[cell + 1] += at - (double)cell;
	density->squares += near * near;
	density->count++;
}

/* Spreads the mass of the cells over their neighbours. */
static void smooth(struct error_density *d, double *sums, double width)
{
	double kernel[DENSITY_CELLS + 1];
	int last = (int)fmin(ceil(4 * width), DENSITY_CELLS);
	for (int i = 0; i <= last; i++)
		kernel[i] = exp(-0.5 * (i / width) * (i / width));
	for (int k = 0; k <= DENSITY_CELLS; k++) {
		int from = k > last ? k - last : 0;
		int to = k + last < DENSITY_CELLS ? k + last : DENSITY_CELLS;
		for (int i = from; d->mass[k] > 0 && i <= to; i++)
			sums[i] += d->mass[k] * kernel[i > k ? i - k : k - i];
	}
}

void error_density_settle(struct error_density *density)
{
	const double cell = 2 * reach / DENSITY_CELLS;
	double sums[DENSITY_CELLS + 1] = {0}, count = (double)density->count;
	double variance = (density->squares + prior) / (count + prior);
	double width = fmax(smoothing * sqrt(variance) * pow(count + 1, -0.2), cell);
	smooth(density, sums, width / cell);
	double normal[DENSITY_CELLS / 2 + 1]; /* by the distance from 0 */
	for (int i = 0; i <= DENSITY_CELLS / 2; i++) {
		double z = i * cell;
		normal[i] = prior * exp(-0.5 * z * z / variance) / sqrt(variance);
	}
	for (int i = 0; i <= DENSITY_CELLS; i++) {
		double normal_here = normal[abs(i - DENSITY_CELLS / 2)];
		density->logs[i] =
			log((sums[i] / width + normal_here) / (count + prior) + density->floor);
	}
}

double error_density_log(const struct error_density *density, double error)
{
	double at = position_of(density, error);
	size_t cell = (size_t)at;
	assert(cell <= DENSITY_CELLS);
	if (cell == DENSITY_CELLS)
		return density->logs[cell];
	double part = at - (double)cell;
	return density->logs[cell] * (1 - part) + density->logs[cell + 1] * part;
}

double error_density_cost(const struct error_density *density)
{
	double sum = 0;
	for (int i = 0; i <= DENSITY_CELLS; i++)
		sum += density->mass[i] * density->logs[i];
	return -2 * sum;
}
