/* Rows across the columns of a file. */
#include "ingest/container/parquet/parquet.h"

#include "ingest/input/random_access.h"
#include "ingest/container/parquet/column.h"

struct parquet {
	struct arena arena;
	struct random_access *bytes;
	struct parquet_footer footer;
	struct parquet_cursor *cursors;
	size_t cursor_count;
	uint64_t row; /* rows before the current ones */
	size_t step;  /* current rows */
};

bool parquet_detect(struct span head)
{
	return span_starts(head, "PAR1") || span_starts(head, "PARE");
}

struct parquet *parquet_open(struct input *input, struct error *err)
{
	struct random_access *bytes = random_access_open(input, err);
	if (!bytes)
		return NULL;
	struct parquet *file = memory_allocate(1, sizeof *file);
	file->bytes = bytes;
	if (parquet_footer_read(&file->arena, bytes, &file->footer, err) == 0)
		return file;
	parquet_close(file);
	return NULL;
}

static void free_cursors(struct parquet *file)
{
	for (size_t i = 0; i < file->cursor_count; i++)
		parquet_cursor_free(&file->cursors[i]);
	free(file->cursors);
	file->cursors = NULL;
	file->cursor_count = 0;
}

void parquet_close(struct parquet *file)
{
	if (!file)
		return;
	free_cursors(file);
	random_access_close(file->bytes);
	arena_free(&file->arena);
	free(file);
}

uint64_t parquet_row_count(const struct parquet *file)
{
	return file->footer.rows;
}

size_t parquet_column_count(const struct parquet *file)
{
	return file->footer.column_count;
}

const char *parquet_column_name(const struct parquet *file, size_t column)
{
	return file->footer.columns[column].name;
}

size_t parquet_find_column(const struct parquet *file, struct span name)
{
	size_t column = 0;
	while (column < file->footer.column_count &&
	       !span_is(name, file->footer.columns[column].name))
		column++;
	return column;
}

void parquet_add_names(const struct parquet *file, struct strbuf *text)
{
	enum { shown = 500 }; /* bytes */
	size_t begin = text->len;
	for (size_t i = 0; i < file->footer.column_count && text->len - begin < shown; i++)
		strbuf_addf(text, "%s\"%s\"", i ? ", " : "", file->footer.columns[i].name);
}

bool parquet_can_choose(const struct parquet *file, size_t column)
{
	struct error ignored;
	return parquet_cursor_check(&file->footer.columns[column], &ignored) == 0;
}

int parquet_choose(struct parquet *file, const size_t *columns, size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++)
		if (parquet_cursor_check(&file->footer.columns[columns[i]], err) < 0)
			return -1;
	free_cursors(file);
	file->cursors = memory_allocate(count ? count : 1, sizeof *file->cursors);
	file->cursor_count = count;
	file->row = file->step = 0;
	for (size_t i = 0; i < count; i++)
		file->cursors[i] = (struct parquet_cursor){
			.bytes = file->bytes, .footer = &file->footer, .column = columns[i]};
	return 0;
}

/* Leaves the current rows for the next ones, at most `limit`. */
static int advance(struct parquet *file, uint64_t limit, struct error *err)
{
	const size_t done = file->step;
	file->row += done;
	file->step = 0;
	uint64_t step = file->footer.rows - file->row;
	step = step < limit ? step : limit;
	for (size_t i = 0; i < file->cursor_count && step; i++) {
		struct parquet_cursor *cursor = &file->cursors[i];
		cursor->batch_at += done;
		if (cursor->batch_at == cursor->batch_count && parquet_cursor_fill(cursor, err) < 0)
			return error_prefix(err, "column %.100s, row %" PRIu64,
					    file->footer.columns[cursor->column].name,
					    file->row + 1);
		size_t there = cursor->batch_count - cursor->batch_at;
		step = step < there ? step : there;
	}
	file->step = (size_t)step;
	return step > 0;
}

int parquet_next(struct parquet *file, struct error *err)
{
	return advance(file, 1, err);
}

int parquet_next_rows(struct parquet *file, size_t *count, struct error *err)
{
	int more = advance(file, parquet_batch, err);
	*count = file->step;
	return more;
}

const struct parquet_value *parquet_value(const struct parquet *file, size_t chosen)
{
	const struct parquet_cursor *cursor = &file->cursors[chosen];
	return cursor->batch[cursor->batch_at];
}

const struct parquet_value *const *parquet_values(const struct parquet *file, size_t chosen)
{
	const struct parquet_cursor *cursor = &file->cursors[chosen];
	return &cursor->batch[cursor->batch_at];
}
