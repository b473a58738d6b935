/*
 * Two encodings of whole numbers in Parquet
 * (https://github.com/apache/parquet-format/blob/master/Encodings.md): runs of equal and of packed
 * numbers (RLE), and differences in packed blocks (DELTA_BINARY_PACKED).
 */
#pragma once

#include "base/base.h"

/* Reads a number of up to 9 groups of 7 bits; false if the bytes end in it or it is longer. */
bool parquet_varint(struct span *rest, uint64_t *number);

struct parquet_runs {
	struct span rest;
	unsigned width; /* bits of a number, at most 32 */
	uint64_t left;  /* numbers of the current run */
	bool is_packed;
	uint32_t value; /* of a run of equal numbers */
	unsigned bit;   /* of the first byte of `rest`, in a packed run */
};

/* Takes `count` numbers, or fewer if the bytes end; returns how many. */
size_t parquet_runs_take(struct parquet_runs *runs, uint32_t *numbers, size_t count);

struct parquet_delta {
	struct span rest;
	uint64_t left; /* numbers, of `count` */
	uint64_t count;
	uint64_t last;               /* the number before; sums wrap around */
	uint64_t least;              /* of the block's differences */
	unsigned block, minis;       /* numbers in a block; parts of a block */
	const unsigned char *widths; /* of the parts of the block */
	unsigned mini;               /* the part that is read */
	unsigned mini_left;          /* numbers in it */
	unsigned bit;
	bool first; /* the first number, which stands in the head, was not taken yet */
};

/* Reads the head. False if it is damaged. */
bool parquet_delta_begin(struct parquet_delta *delta, struct span bytes);
/* Takes `count` numbers, or fewer if they end or are damaged; returns how many. */
size_t parquet_delta_take(struct parquet_delta *delta, uint64_t *numbers, size_t count);
/* The bytes after the numbers, once all were taken. */
struct span parquet_delta_rest(const struct parquet_delta *delta);
