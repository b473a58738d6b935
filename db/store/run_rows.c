/* Reads the rows that belong to many runs. */
#include "db/store/run_rows.h"

static int by_row(const void *a, const void *b)
{
	int64_t left = (*(struct run *const *)a)->row, right = (*(struct run *const *)b)->row;
	return (left > right) - (left < right);
}

struct run_rows store_run_rows_of(struct arena *arena, const struct run_list *list)
{
	struct run_rows rows = {arena_array(arena, list->count, sizeof(struct run *)), list->count};
	if (rows.count) {
		memcpy(rows.runs, list->items, rows.count * sizeof *rows.runs);
		qsort(rows.runs, rows.count, sizeof *rows.runs, by_row);
	}
	return rows;
}

/* The end of the range of consecutive rowids that begins at index `first`. */
static size_t range_end(const struct run_rows *rows, size_t first)
{
	size_t end = first + 1;
	assert(first < rows->count);
	while (end < rows->count && (rows->runs[end]->row == rows->runs[end - 1]->row ||
				     rows->runs[end]->row - 1 == rows->runs[end - 1]->row))
		end++;
	return end;
}

int store_run_rows_read(struct store *store, const struct run_rows *rows, const char *statement,
			run_rows_take *take, void *context, struct error *err)
{
	for (size_t at = 0, end; at < rows->count; at = end) {
		struct query query = query_start(store->sql, statement);
		end = range_end(rows, at);
		assert(end > at);
		query_bind_integer(&query, rows->runs[at]->row);
		query_bind_integer(&query, rows->runs[end - 1]->row);
		while (query_next(&query)) {
			int64_t row = query_integer(&query);
			int columns = query.at;
			while (at < end && rows->runs[at]->row < row)
				at++;
			/* The list may contain a run more than once. */
			for (size_t i = at; i < end && rows->runs[i]->row == row; i++) {
				query.at = columns;
				if (take(&query, rows->runs[i], context, err) < 0)
					return query_abandon(&query);
			}
		}
		if (query_finish(&query, err) < 0)
			return -1;
	}
	return 0;
}
