/* Steps through the pages of a column. */
#include "ingest/container/parquet/column.h"

enum { length_size = 4 };

int parquet_cursor_check(const struct parquet_column *column, struct error *err)
{
	if (column->max_repetition || column->max_definition > 1)
		return error_set(err, ERR_FORMAT,
				 "the column %.100s is a list or below a group that may be null; "
				 "only plain columns are read",
				 column->name);
	if (column->type == PARQUET_INT96 ||
	    (column->type == PARQUET_FIXED_BYTES && column->scale == parquet_no_scale))
		return error_set(err, ERR_FORMAT,
				 "the column %.100s has the type %s, which is not read; write it "
				 "as a number or text",
				 column->name,
				 column->type == PARQUET_INT96 ? "INT96" : "FIXED_LEN_BYTE_ARRAY");
	return 0;
}

static int fail(const struct parquet_cursor *cursor, const char *fault, struct error *err)
{
	return error_set(err, ERR_FORMAT, "group %zu of rows has %s", cursor->group, fault);
}

/* Splits levels off the page: its bytes after them, or NULL and *fault. */
static struct span take_levels(struct parquet_cursor *cursor, const struct parquet_page *page,
			       const char **fault)
{
	struct span rest = page->bytes;
	size_t size = page->definition_size;
	cursor->has_levels = cursor->footer->columns[cursor->column].max_definition > 0;
	if (page->kind == PARQUET_DATA_2) {
		rest.ptr += page->repetition_size;
		rest.len -= page->repetition_size;
	} else if (cursor->has_levels) {
		if (page->levels != PARQUET_RLE || rest.len < length_size) {
			*fault = "levels in an unknown encoding";
			return rest;
		}
		size = (uint8_t)rest.ptr[0] | (size_t)(uint8_t)rest.ptr[1] << 8 |
		       (size_t)(uint8_t)rest.ptr[2] << 16 | (size_t)(uint8_t)rest.ptr[3] << 24;
		rest.ptr += length_size;
		rest.len -= length_size;
	}
	if (size > rest.len) {
		*fault = "levels that are longer than their page";
		return rest;
	}
	cursor->levels = (struct parquet_runs){.rest = {rest.ptr, size}, .width = 1};
	return span_from(rest, size);
}

/* A dictionary's page has a room of its own, because data pages refer to it. */
static int read_page(struct parquet_cursor *cursor, struct error *err)
{
	const struct parquet_column *column = &cursor->footer->columns[cursor->column];
	const struct parquet_chunk *chunk =
		&cursor->footer->groups[cursor->group - 1].chunks[cursor->column];
	struct parquet_page page;
	const char *fault = NULL;
	if (cursor->at >= chunk->end)
		return fail(cursor, "fewer values than rows", err);
	if (parquet_page_read(cursor->bytes, chunk, &cursor->at, &cursor->room, &page, err) < 0)
		return -1;
	if (page.kind == PARQUET_INDEX)
		return 0;
	if (page.kind == PARQUET_DICTIONARY) {
		struct parquet_room room = cursor->dictionary_room;
		cursor->dictionary_room = cursor->room;
		cursor->room = room;
		fault = parquet_dictionary_read(&cursor->dictionary, column, &page);
		return fault ? fail(cursor, fault, err) : 0;
	}
	struct span rest = take_levels(cursor, &page, &fault);
	if (!fault && page.values > cursor->group_left)
		fault = "more values than rows";
	if (!fault)
		fault = parquet_values_begin(&cursor->values, column, &cursor->dictionary,
					     page.encoding, rest, page.values);
	cursor->page_left = page.values;
	cursor->group_left -= fault ? 0 : page.values;
	return fault ? fail(cursor, fault, err) : 0;
}

/* Puts values in the rows that have one; `defined` is 1 for those. From the end, because values
 * move towards it. */
static void spread(const struct parquet_value **batch, const uint32_t *defined, size_t count,
		   size_t given)
{
	static const struct parquet_value null = {.number = NAN};
	for (size_t i = count; i-- > 0;) {
		batch[i] = defined[i] ? batch[--given] : &null;
	}
}

static int fill_batch(struct parquet_cursor *cursor, struct error *err)
{
	uint32_t defined[parquet_batch];
	size_t count =
		cursor->page_left < parquet_batch ? (size_t)cursor->page_left : parquet_batch;
	size_t given = count;
	if (cursor->has_levels) {
		if (parquet_runs_take(&cursor->levels, defined, count) < count)
			return fail(cursor, "levels that end before their page", err);
		given = 0;
		for (size_t i = 0; i < count; i++)
			given += defined[i];
	}
	if (parquet_values_take(&cursor->values, cursor->room_of_batch, cursor->batch, given) <
	    given)
		return fail(cursor,
			    cursor->values.fault ? cursor->values.fault : "values that are damaged",
			    err);
	if (given < count)
		spread(cursor->batch, defined, count, given);
	cursor->batch_count = count;
	cursor->batch_at = 0;
	cursor->page_left -= count;
	return 0;
}

int parquet_cursor_fill(struct parquet_cursor *cursor, struct error *err)
{
	while (cursor->page_left == 0) {
		if (cursor->group_left == 0) {
			assert(cursor->group < cursor->footer->group_count);
			const struct parquet_chunk *chunk =
				&cursor->footer->groups[cursor->group++].chunks[cursor->column];
			cursor->at = chunk->at;
			cursor->group_left = chunk->values;
			cursor->dictionary.is_there = false;
		} else if (read_page(cursor, err) < 0) {
			return -1;
		}
	}
	return fill_batch(cursor, err);
}

void parquet_cursor_free(struct parquet_cursor *cursor)
{
	parquet_values_free(&cursor->values);
	parquet_dictionary_free(&cursor->dictionary);
	parquet_room_free(&cursor->room);
	parquet_room_free(&cursor->dictionary_room);
}
