/*
 * The footer of a Parquet file: its columns, its groups of rows, and where the bytes of each column
 * are. Numbers of fields and values of enumerations are those of
 * https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift.
 */
#pragma once

#include "base/base.h"
#include "ingest/input/random_access.h"

/* How values are stored. */
enum parquet_type {
	PARQUET_BOOLEAN = 0,
	PARQUET_INT32 = 1,
	PARQUET_INT64 = 2,
	PARQUET_INT96 = 3,
	PARQUET_FLOAT = 4,
	PARQUET_DOUBLE = 5,
	PARQUET_BYTE_ARRAY = 6,
	PARQUET_FIXED_BYTES = 7,
	PARQUET_TYPE_LIMIT
};

enum { parquet_no_scale = -1 };

struct parquet_column {
	const char *name; /* with the groups above it: "ids.list.element" */
	enum parquet_type type;
	int length;         /* of PARQUET_FIXED_BYTES */
	int max_definition; /* optional and repeated groups above it and itself */
	int max_repetition; /* above 0: a list */
	bool is_unsigned;   /* a whole number without a sign */
	int scale;          /* a decimal number, in units of 10^-scale; else parquet_no_scale */
};

/* The bytes of one column in one group of rows. */
struct parquet_chunk {
	int codec;
	uint64_t values;  /* with those that are null */
	uint64_t at, end; /* in the file */
};

struct parquet_group {
	uint64_t rows;
	struct parquet_chunk *chunks; /* one for each column */
};

struct parquet_footer {
	struct parquet_column *columns;
	size_t column_count;
	struct parquet_group *groups;
	size_t group_count;
	uint64_t rows;
};

/* 0, or -1 and *err: not a Parquet file, encrypted, cut off or damaged. */
int parquet_footer_read(struct arena *arena, struct random_access *bytes,
			struct parquet_footer *footer, struct error *err);
