/* Tables of series, read in one pass. All series share three growing arrays. */
#include "ingest/table/series_csv.h"

#include "base/text/text.h"
#include "ingest/table/csv.h"

struct reading {
	struct csv csv;
	size_t name_column, index_column, value_column;
	bool named;
	double *values;
	size_t value_count, value_capacity;
	struct measured_commit *commits;
	size_t commit_count, commit_capacity;
	struct measured_series *series;
	size_t series_count, series_capacity;
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

static struct measured_series *start_series(struct arena *arena, struct reading *r,
					    struct span name)
{
	struct measured_series *series =
		arena_next(arena, r->series, r->series_count, r->series_capacity);
	*series = (struct measured_series){.name = arena_strndup(arena, name.ptr, name.len)};
	return series;
}

static int read_row(struct arena *arena, struct reading *r, struct error *err)
{
	struct span name = r->named ? csv_at(&r->csv, r->name_column) : (struct span){"", 0};
	double index, value;
	if (!span_number(csv_at(&r->csv, r->index_column), &index) || index != floor(index) ||
	    fabs(index) > 9e15)
		return fail(r, err, "index is no whole number");
	if (!span_number(csv_at(&r->csv, r->value_column), &value) || !isfinite(value))
		return fail(r, err, "value is no finite number");
	struct measured_series *series = r->series_count ? &r->series[r->series_count - 1] : NULL;
	if (!utf8_is_line(name))
		return fail(r, err, "the name of the series is no line of text");
	if (!series || !span_is(name, series->name))
		series = start_series(arena, r, name);
	struct measured_commit *last = series->count ? &r->commits[r->commit_count - 1] : NULL;
	if (last && index < (double)last->index)
		return fail(r, err,
			    "index is smaller than the one before: sort the rows of a "
			    "series by index");
	*arena_next(arena, r->values, r->value_count, r->value_capacity) = value;
	if (last && index == (double)last->index) {
		last->count++;
		return 0;
	}
	*arena_next(arena, r->commits, r->commit_count, r->commit_capacity) =
		(struct measured_commit){(long long)index, NULL, 1};
	series->count++;
	return 0;
}

/* The arrays do not move any more. */
/* Sets the pointers into the arrays, which no longer grow and move. */
static void connect(struct reading *r)
{
	const double *values = r->values;
	struct measured_commit *commits = r->commits;
	for (size_t i = 0; i < r->series_count; i++) {
		r->series[i].commits = commits;
		for (size_t k = 0; k < r->series[i].count; k++, commits++) {
			commits->values = values;
			values += commits->count;
		}
	}
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
	connect(&r);
	*list = (struct measured_series_list){r.series, r.series_count};
	return 0;
}
