/*
 * Compares the tiles and cycles in a matmul table with those computed from the sizes of its rows.
 * Such tables disagree: some divide N into tiles of 512, some into tiles of 128, and their cycles
 * are computed from the shape, not measured. The table's values are never used. If they differ from
 * the computed ones, a warning says which tile sizes they fit.
 */
#pragma once

#include "ingest/table/tables.h"
#include "model/run/run.h"

struct npu_tiling {
	size_t counted;    /* rows with total_tiles and all sizes */
	size_t differing;  /* of these, rows whose total_tiles is not tiles_count() */
	size_t first_line; /* line of the first of these; 0 none */
	double first[2];   /* its total_tiles and its tiles_count() */
	size_t products;   /* rows whose num_tiles_* do not multiply to total_tiles */
	unsigned fits[3];  /* bits of the tile sizes that fit all rows so far, for M, K, N */
	size_t cycles, arithmetic; /* rows with cycles; rows with M + K + N - 2 cycles */
};

struct npu_tiling npu_tiling_new(void);
/* Adds the current row. -1 and *err if a cell is not a number. */
int npu_tiling_add(struct npu_tiling *tiling, const struct csv *csv, struct error *err);
/* Adds at most one warning about tiles and one about cycles. */
void npu_tiling_note(const struct npu_tiling *tiling, struct arena *arena, struct run *run);
