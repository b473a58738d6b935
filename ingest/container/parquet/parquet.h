/*
 * Rows of Parquet files (https://github.com/apache/parquet-format), column by column in fixed
 * memory: only the chosen columns are read, and of each one page at a time.
 *
 * - Encodings: plain, dictionary, RLE, all deltas, byte stream split. Compressions: Snappy, zstd,
 *   gzip. Pages of both versions.
 * - Lists and groups below a group that may be null are refused, if they are chosen; so are columns
 *   of INT96 and of bytes of a fixed length that are not decimal numbers.
 * - Checksums of pages, which few writers add, are not verified; those of gzip are.
 *
 * Never add knowledge of what a column means.
 */
#pragma once

#include "base/base.h"
#include "ingest/input/input.h"

struct parquet;

/* Whether a file starts as a Parquet file does, or as an encrypted one, which is refused. */
bool parquet_detect(struct span head);

/* Reads the footer. The input must outlive the result. NULL and *err. */
struct parquet *parquet_open(struct input *input, struct error *err);
void parquet_close(struct parquet *file);
uint64_t parquet_row_count(const struct parquet *file);
size_t parquet_column_count(const struct parquet *file);
/* The name of a column; below groups "group.name". */
const char *parquet_column_name(const struct parquet *file, size_t column);
/* The number of the column with this name; parquet_column_count() if there is none. */
size_t parquet_find_column(const struct parquet *file, struct span name);
/* Adds the names of the first columns, for messages: "a", "b". */
void parquet_add_names(const struct parquet *file, struct strbuf *text);

enum parquet_kind {
	PARQUET_NULL = 0,
	PARQUET_WHOLE,  /* a whole number */
	PARQUET_NUMBER, /* any other number */
	PARQUET_TRUTH,
	PARQUET_TEXT /* bytes, of which the file says at most that they are UTF-8 */
};

struct parquet_value {
	enum parquet_kind kind;
	bool negative;      /* PARQUET_WHOLE */
	bool is_sound;      /* PARQUET_TEXT: UTF-8 without NUL */
	uint64_t magnitude; /* PARQUET_WHOLE; PARQUET_TRUTH: 0 or 1 */
	double number;      /* PARQUET_WHOLE, PARQUET_NUMBER; else NAN */
	struct span text;   /* PARQUET_TEXT; else empty */
};

/* Whether values of the column can be read. */
bool parquet_can_choose(const struct parquet *file, size_t column);
/* Chooses the columns of the rows to come. 0, or -1 and *err if one cannot be
 * read. */
int parquet_choose(struct parquet *file, const size_t *columns, size_t count, struct error *err);
/* Reads the next row: 1; 0 at the end; -1 and *err, which names the column and the row. */
int parquet_next(struct parquet *file, struct error *err);
/* The value of a chosen column in the current row; valid until the next row. */
const struct parquet_value *parquet_value(const struct parquet *file, size_t chosen);
/* As parquet_next(), for all rows that are decoded already: *count of them, at least one, whose
 * values parquet_values() has. Then parquet_value() has those of the first. */
int parquet_next_rows(struct parquet *file, size_t *count, struct error *err);
const struct parquet_value *const *parquet_values(const struct parquet *file, size_t chosen);
