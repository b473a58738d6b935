/* One column of a file, value by value: its groups, pages, levels and values. */
#pragma once

#include "base/base.h"
#include "ingest/container/parquet/footer.h"
#include "ingest/container/parquet/values.h"

enum { parquet_batch = 256 };

struct parquet_cursor {
	struct random_access *bytes;
	const struct parquet_footer *footer;
	size_t column;
	size_t group;        /* the next one */
	uint64_t at;         /* of the next page in the current group */
	uint64_t group_left; /* values of the group in pages to come */
	uint64_t page_left;  /* values of the page that are not in the batch yet */
	struct parquet_room room, dictionary_room;
	struct parquet_dictionary dictionary;
	bool has_levels;
	struct parquet_runs levels;
	struct parquet_values values;
	struct parquet_value room_of_batch[parquet_batch];
	const struct parquet_value *batch[parquet_batch]; /* by row */
	size_t batch_count, batch_at;
};

/* 0, or -1 and *err if columns of this type cannot be read. */
int parquet_cursor_check(const struct parquet_column *column, struct error *err);
/* Reads the values of the next rows, of which there must be one. */
int parquet_cursor_fill(struct parquet_cursor *cursor, struct error *err);
void parquet_cursor_free(struct parquet_cursor *cursor);
