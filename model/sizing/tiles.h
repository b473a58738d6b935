/*
 * Tiles of a matrix product C[M, N] = A[M, K] B[K, N] on the PE array of a Neuron core: the
 * stationary tensor fills 128 x 128 of it, the moving tensor streams up to 512 columns. Each size
 * is cut into whole tiles and the last one is padded, so the latency as a function of a size rises
 * in steps, after each multiple of its tile.
 *
 * Sizes are whole numbers >= 1; NAN (unknown) gives NAN.
 */
#pragma once

#include "base/base.h"

struct matmul {
	double m, k, n;
};

static const struct matmul tiles_pe = {128, 128, 512};

/* ceil(size / tile) */
double tiles_along(double size, double tile);
/* ceil(M / 128) ceil(K / 128) ceil(N / 512) */
double tiles_count(const struct matmul *matmul);
/* 1 - M K N / (the same with each size rounded up to its tile) */
double tiles_padding(const struct matmul *matmul);
/* 2 M K N */
double tiles_flops(const struct matmul *matmul);
/* The tile of a parameter of this name: 128 for M and K, 512 for N, NAN for any other. */
double tiles_of_param(const char *name);
/* The multiples of `tile` from `low` on and below `high`: a size just above a multiple needs one
 * tile more than the multiple itself. Writes at most `limit` of them; returns their number. */
size_t tiles_boundaries(double low, double high, double tile, double *multiples, size_t limit);
