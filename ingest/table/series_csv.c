/* Tables of series, read in one pass. Rows that are not sorted yet are sorted then; the values and
 * commits of all series share two arrays. */
#include "ingest/table/series_csv.h"

#include "base/text/text.h"
#include "ingest/table/csv.h"

struct row {
	size_t series; /* the stretch of rows that it is in; once sorted, the first of its series */
	long long index;
	size_t number; /* in the file */
	double value;
};

/* Consecutive rows of one series. */
struct stretch {
	const char *name;
	size_t number;
};

struct reading {
	struct csv csv;
	size_t name_column, index_column, value_column;
	bool named;
	struct row *rows;
	size_t row_count, row_capacity;
	struct stretch *stretches;
	size_t stretch_count, stretch_capacity;
};

static int fail(const struct reading *r, struct error *err, const char *what)
{
	return error_set(err, ERR_FORMAT, "line %zu: %s", r->csv.line, what);
}

static int read_header(struct reading *r, struct error *err)
{
	int more = csv_header(&r->csv, err);
	if (more < 0)
		return -1;
	r->index_column = csv_column(&r->csv, "index");
	r->value_column = csv_column(&r->csv, "value");
	r->name_column = csv_column(&r->csv, "series");
	if (r->name_column == csv_column_limit)
		r->name_column = csv_column(&r->csv, "case");
	r->named = r->name_column != csv_column_limit;
	if (more == 0 || r->index_column == csv_column_limit || r->value_column == csv_column_limit)
		return error_set(err, ERR_FORMAT,
				 "line 1: expected a header with the columns index and value, and "
				 "series or case where there are several");
	return 0;
}

static int read_row(struct arena *arena, struct reading *r, struct error *err)
{
	struct span name = r->named ? csv_at(&r->csv, r->name_column) : (struct span){"", 0};
	double index, value;
	if (!span_number(csv_at(&r->csv, r->index_column), &index) || index != floor(index) ||
	    fabs(index) > 9e15)
		return fail(r, err, "index is not a whole number");
	if (!span_number(csv_at(&r->csv, r->value_column), &value) || !isfinite(value))
		return fail(r, err, "value is not a finite number");
	if (!utf8_is_line(name))
		return fail(r, err, "the series name must be one line of text");
	if (!r->stretch_count || !span_is(name, r->stretches[r->stretch_count - 1].name)) {
		const struct stretch next = {arena_strndup(arena, name.ptr, name.len),
					     r->stretch_count};
		*arena_next(arena, r->stretches, r->stretch_count, r->stretch_capacity) = next;
	}
	const struct row row = {r->stretch_count - 1, (long long)index, r->row_count, value};
	*arena_next(arena, r->rows, r->row_count, r->row_capacity) = row;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	const struct stretch *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ? order : (x->number > y->number) - (x->number < y->number);
}

static int by_place(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	if (x->series != y->series)
		return x->series < y->series ? -1 : 1;
	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* A series keeps the place of its first row, and repeats the order of the file. */
static void sort_rows(struct arena *arena, struct reading *r)
{
	struct stretch *sorted = arena_array(arena, r->stretch_count + 1, sizeof *sorted);
	size_t *first = arena_array(arena, r->stretch_count + 1, sizeof *first);
	bool in_order = true;
	for (size_t i = 0; i < r->stretch_count; i++)
		sorted[i] = r->stretches[i];
	array_sort(sorted, r->stretch_count, sizeof *sorted, by_name);
	for (size_t i = 0; i < r->stretch_count; i++) {
		bool again = i && strcmp(sorted[i].name, sorted[i - 1].name) == 0;
		first[sorted[i].number] = again ? first[sorted[i - 1].number] : sorted[i].number;
	}
	for (size_t i = 0; i < r->row_count; i++) {
		r->rows[i].series = first[r->rows[i].series];
		in_order = in_order && (i == 0 || by_place(&r->rows[i - 1], &r->rows[i]) < 0);
	}
	if (!in_order)
		array_sort(r->rows, r->row_count, sizeof *r->rows, by_place);
}

static struct measured_series_list series_of(struct arena *arena, const struct reading *r)
{
	struct measured_series_list list = {
		arena_array(arena, r->stretch_count + 1, sizeof *list.items), 0};
	struct measured_commit *commits = arena_array(arena, r->row_count + 1, sizeof *commits);
	double *values = arena_array(arena, r->row_count + 1, sizeof *values);
	size_t commit_count = 0;
	for (size_t i = 0; i < r->row_count; i++) {
		const struct row *row = &r->rows[i], *before = i ? row - 1 : NULL;
		bool starts = !before || before->series != row->series;
		values[i] = row->value;
		if (starts)
			list.items[list.count++] =
				(struct measured_series){.name = r->stretches[row->series].name,
							 .commits = commits + commit_count};
		if (starts || before->index != row->index) {
			commits[commit_count++] =
				(struct measured_commit){row->index, values + i, 0};
			list.items[list.count - 1].count++;
		}
		commits[commit_count - 1].count++;
	}
	return list;
}

int series_csv_read(struct arena *arena, struct span text, struct measured_series_list *list,
		    struct error *err)
{
	struct reading r = {.csv = csv_of(arena, text, ',')};
	int more;
	if (read_header(&r, err) < 0)
		return -1;
	while ((more = csv_next(&r.csv, err)) == 1)
		if (read_row(arena, &r, err) < 0)
			return -1;
	if (more < 0)
		return -1;
	sort_rows(arena, &r);
	*list = series_of(arena, &r);
	return 0;
}
