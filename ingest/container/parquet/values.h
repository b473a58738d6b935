/* The values of one page. */
#pragma once

#include "base/base.h"
#include "ingest/container/parquet/page.h"
#include "ingest/container/parquet/parquet.h"
#include "ingest/container/parquet/runs.h"

/* The values that later pages of a column name by their number. */
struct parquet_dictionary {
	struct span bytes;
	uint64_t count;
	uint32_t *places;            /* of byte arrays: where each begins in `bytes` */
	struct parquet_value *known; /* all values, if they are few; else NULL */
	bool is_there;
};

/* Reads where the values of a dictionary's page are. NULL, or what is wrong with it. */
const char *parquet_dictionary_read(struct parquet_dictionary *dictionary,
				    const struct parquet_column *column,
				    const struct parquet_page *page);
void parquet_dictionary_free(struct parquet_dictionary *dictionary);

/* The values of a page that are not null, in order. */
struct parquet_values {
	const struct parquet_column *column;
	const struct parquet_dictionary *dictionary;
	enum parquet_encoding encoding;
	struct span rest;           /* PARQUET_PLAIN, and the bytes of byte arrays */
	struct parquet_runs runs;   /* numbers in the dictionary, and PARQUET_RLE */
	struct parquet_delta delta; /* PARQUET_DELTA_BINARY_PACKED, and lengths */
	struct parquet_delta prefixes;
	uint64_t *lengths, *shared; /* of byte arrays, read ahead because their bytes follow */
	uint64_t length_count, at;
	struct strbuf text; /* byte arrays of a batch that share their beginnings */
	struct strbuf last;
	size_t stride;     /* PARQUET_BYTE_STREAM_SPLIT: values of the page */
	unsigned bit;      /* of plain booleans */
	const char *fault; /* why fewer values were taken; NULL: they are damaged */
};

/* Begins with the bytes after the levels; `count` values of the page are not null, at most. NULL,
 * or what is wrong. */
const char *parquet_values_begin(struct parquet_values *values, const struct parquet_column *column,
				 const struct parquet_dictionary *dictionary,
				 enum parquet_encoding encoding, struct span bytes, uint64_t count);
/* Takes the next values, valid until the next call; fewer than `count` if the page is damaged. Each
 * is where `at` says: in `into`, which has room for all, or in the dictionary. */
size_t parquet_values_take(struct parquet_values *values, struct parquet_value *into,
			   const struct parquet_value **at, size_t count);
void parquet_values_free(struct parquet_values *values);
