/* Reads the rows that belong to many runs. */
#include "db/store/internal.h"

static int by_row(const void *a, const void *b)
{
	int64_t left = ((const struct run_row *)a)->run->row;
	int64_t right = ((const struct run_row *)b)->run->row;
	return (left > right) - (left < right);
}

struct run_rows store_run_rows_of(struct arena *arena, const struct run_list *list,
				  struct run_seals *seals)
{
	struct run_rows rows = {.items = arena_array(arena, list->count, sizeof *rows.items),
				.count = list->count};
	for (size_t i = 0; i < rows.count; i++)
		rows.items[i] = (struct run_row){list->items[i], seals ? &seals[i] : NULL};
	array_sort(rows.items, rows.count, sizeof *rows.items, by_row);
	return rows;
}

struct run_rows store_run_rows_for(const struct run_rows *rows, enum seal_part part, int tag)
{
	struct run_rows others = *rows;
	others.part = part;
	others.tag = tag;
	return others;
}

/* The end of the range of consecutive rowids that begins at index `first`. */
static size_t range_end(const struct run_rows *rows, size_t first)
{
	size_t end = first + 1;
	assert(first < rows->count);
	while (end < rows->count &&
	       (rows->items[end].run->row == rows->items[end - 1].run->row ||
		rows->items[end].run->row - 1 == rows->items[end - 1].run->row))
		end++;
	return end;
}

static void begin_seal(const struct run_rows *rows, const struct run_row *row, struct query *query)
{
	query->seal = row->seals ? &row->seals->parts[rows->part] : NULL;
	if (query->seal)
		seal_add_integer(query->seal, rows->tag);
}

int store_run_rows_read(struct store *store, const struct run_rows *rows, const char *statement,
			run_rows_take *take, void *context, struct error *err)
{
	for (size_t at = 0, end; at < rows->count; at = end) {
		struct query query = query_start(store->sql, statement);
		end = range_end(rows, at);
		assert(end > at);
		query_bind_integer(&query, rows->items[at].run->row);
		query_bind_integer(&query, rows->items[end - 1].run->row);
		while (query_next(&query)) {
			int64_t row = query_integer(&query);
			int columns = query.at;
			while (at < end && rows->items[at].run->row < row)
				at++;
			/* The list may contain a run more than once. */
			for (size_t i = at; i < end && rows->items[i].run->row == row; i++) {
				query.at = columns;
				begin_seal(rows, &rows->items[i], &query);
				if (take(&query, rows->items[i].run, context, err) < 0)
					return query_abandon(&query);
			}
			query.seal = NULL;
		}
		if (query_finish(&query, err) < 0)
			return -1;
	}
	return 0;
}
