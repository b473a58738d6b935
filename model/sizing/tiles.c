/* Counting tiles. */
#include "model/sizing/tiles.h"

double tiles_along(double size, double tile)
{
	return ceil(size / tile);
}

double tiles_count(const struct matmul *matmul)
{
	return tiles_along(matmul->m, tiles_pe.m) * tiles_along(matmul->k, tiles_pe.k) *
	       tiles_along(matmul->n, tiles_pe.n);
}

double tiles_padding(const struct matmul *matmul)
{
	double tile = tiles_pe.m * tiles_pe.k * tiles_pe.n;
	return 1 - matmul->m * matmul->k * matmul->n / (tiles_count(matmul) * tile);
}

double tiles_flops(const struct matmul *matmul)
{
	return 2 * matmul->m * matmul->k * matmul->n;
}

double tiles_of_param(const char *name)
{
	static const struct {
		const char *name;
		const double *tile;
	} params[] = {{"M", &tiles_pe.m}, {"K", &tiles_pe.k}, {"N", &tiles_pe.n}};
	for (size_t i = 0; i < sizeof params / sizeof *params; i++)
		if (strcmp(params[i].name, name) == 0)
			return *params[i].tile;
	return NAN;
}

size_t tiles_boundaries(double low, double high, double tile, double *multiples, size_t limit)
{
	size_t count = 0;
	double first = fmax(1, ceil(low / tile));
	for (double k = first; count < limit && k * tile < high; k++)
		multiples[count++] = k * tile;
	return count;
}
