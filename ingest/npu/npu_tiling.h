/*
 * What a matmul table says about tiles and cycles, held against the sizes of its rows. Such
 * tables disagree: some cut N into tiles of 512, some into tiles of 128; and their cycles are
 * arithmetic over the shape. The table's figures are never taken over; where they differ from
 * ours, one note says which tile sizes they fit.
 */
#pragma once

#include "ingest/table/tables.h"
#include "model/run/run.h"

struct npu_tiling {
	size_t counted;            /* rows with total_tiles and all sizes */
	size_t differing;          /* of them, those with another count than tiles_count() */
	size_t first_line;         /* of those, the first; 0 none */
	double first[2];           /* its count and ours */
	size_t products;           /* rows where num_tiles_* multiplied give another total_tiles */
	unsigned fits[3];          /* tile sizes that every num_tiles_M, K, N so far fits */
	size_t cycles, arithmetic; /* rows with cycles; those equal to M + K + N - 2 */
};

struct npu_tiling npu_tiling_new(void);
/* Takes the last row in. -1 and *err for what is no number. */
int npu_tiling_add(struct npu_tiling *tiling, const struct csv *csv, struct error *err);
/* Adds at most one note for tiles and one for cycles. */
void npu_tiling_note(const struct npu_tiling *tiling, struct arena *arena, struct run *run);
