/*
 * A file of Parquet: columns of texts, whole numbers, numbers and truths, each of which may be
 * NULL. Row groups of 65,536 rows, one page a column, without compression; texts by a dictionary
 * unless they are unique. Format: https://github.com/apache/parquet-format
 */
#pragma once

#include "base/base.h"

enum column_type {
	COLUMN_TEXT,
	COLUMN_UNIQUE,
	COLUMN_WHOLE,
	COLUMN_TIME,
	COLUMN_NUMBER,
	COLUMN_TRUTH
};

struct column_kind {
	const char *name;
	enum column_type type; /* UNIQUE: text; TIME: Unix seconds, stored as milliseconds */
};

struct columns;
/* The columns must live until the end. */
struct columns *columns_begin(const struct column_kind *columns, size_t count, struct strbuf *out,
			      const struct strbuf_drain *drain);
/* Values of the row that is being made; those that are not set are NULL, and so is a text that is
 * NULL, and a number that is NAN. */
void columns_set_text(struct columns *file, size_t column, const char *text);
void columns_set_whole(struct columns *file, size_t column, int64_t number);
void columns_set_number(struct columns *file, size_t column, double number);
void columns_end_row(struct columns *file);
/* Writes what is left, and frees the file. Returns the number of rows. */
size_t columns_end(struct columns *file);
/* Frees it. */
void columns_abandon(struct columns *file);
