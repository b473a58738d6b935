/*
 * Reader of the summary fields of neuron-profile as people and scripts write them down:
 *
 *   == MODULE_7577  size=123904
 *      total_time = 0.003895006165
 *      event_count = 1162   trace_count = 5875
 *
 * Names and values are the profiler's own, in its units; other lines are skipped. If no field
 * repeats, the text is one result, whatever its headings. If fields repeat, each part under a
 * heading is a result, which the heading names; a field that repeats inside a part is an error.
 * A heading begins with "#" or "==".
 */

#include "base/text/text.h"
#include "ingest/collect/collect.h"
#include "ingest/neuron/summary.h"
#include "ingest/reader.h"
#include "ingest/table/tables.h"

static const size_t size_limit = 4u << 20; /* bytes */
/* fields_needed: known fields that a text must have to be detected. */
enum { field_limit = 20000, fields_needed = 3, name_limit = 120 };

struct field {
	struct span key, value;
	size_t line;
	struct span heading; /* above it; empty if there is none */
	size_t part;         /* number of the heading */
};

struct reading {
	struct arena *arena;
	struct {
		struct field *items;
		size_t count, capacity;
	} fields;
	struct run_list runs;
};

/* --- lines --- */

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || ascii_is_digit(c) || c == '_';
}

static struct span skip_blanks(struct span text)
{
	while (text.len && ascii_is_blank(text.ptr[0]))
		text = span_from(text, 1);
	return text;
}

/* Cuts "key = value" off the line. The value ends before two blanks. */
static bool cut_field(struct span *line, struct span *key, struct span *value)
{
	struct span rest = skip_blanks(*line);
	size_t len = 0, end;
	while (len < rest.len && is_name(rest.ptr[len]))
		len++;
	*key = (struct span){rest.ptr, len};
	rest = skip_blanks(span_from(rest, len));
	if (len == 0 || !span_starts(rest, "=") || span_starts(rest, "=="))
		return false;
	rest = skip_blanks(span_from(rest, 1));
	end = span_find(rest, "  ");
	size_t tab = span_find(rest, "\t");
	end = tab < end ? tab : end;
	*value = span_trim((struct span){rest.ptr, end});
	*line = span_from(rest, end);
	return value->len > 0;
}

/* The name in "== MODULE_7577  size=123904" or "## decode". */
static bool is_heading(struct span line, struct span *name)
{
	if (!span_starts(line, "==") && !span_starts(line, "#"))
		return false;
	while (line.len && memchr("=# ", line.ptr[0], 3))
		line = span_from(line, 1);
	struct span text = span_trim((struct span){line.ptr, span_find(line, "  ")});
	while (text.len && memchr("=# ", text.ptr[text.len - 1], 3))
		text.len--;
	/* A rule below a heading is not one. */
	if (text.len)
		*name = text;
	return text.len > 0;
}

static int read_lines(struct reading *r, struct span text, struct error *err)
{
	struct lines lines = lines_of(text);
	struct span line, key, value, heading = {"", 0};
	size_t part = 0;
	while (lines_next(&lines, &line)) {
		if (is_heading(line, &heading)) {
			part++;
			continue;
		}
		while (cut_field(&line, &key, &value)) {
			if (!neuron_summary_is_number(key) && !span_ends(key, "_version"))
				continue;
			if (r->fields.count == field_limit)
				return error_set(err, ERR_FORMAT, "more than %d fields",
						 (int)field_limit);
			*arena_add(r->arena, &r->fields) =
				(struct field){key, value, lines.number, heading, part};
		}
	}
	return 0;
}

/* --- results --- */

static int by_key(const void *a, const void *b)
{
	const struct field *const *x = a, *const *y = b;
	size_t len = (*x)->key.len < (*y)->key.len ? (*x)->key.len : (*y)->key.len;
	int order = memcmp((*x)->key.ptr, (*y)->key.ptr, len);
	if (!order)
		order = ((*x)->key.len > (*y)->key.len) - ((*x)->key.len < (*y)->key.len);
	return order ? order : ((*x)->line > (*y)->line) - ((*x)->line < (*y)->line);
}

/* Whether a field repeats. A repetition under one heading is an error. */
static int has_several(const struct reading *r, bool *several, struct error *err)
{
	size_t count = r->fields.count;
	const struct field **sorted = arena_array(r->arena, count + 1, sizeof *sorted);
	for (size_t i = 0; i < count; i++)
		sorted[i] = &r->fields.items[i];
	array_sort(sorted, count, sizeof *sorted, by_key);
	*several = false;
	for (size_t i = 1; i < count; i++) {
		const struct field *a = sorted[i - 1], *b = sorted[i];
		if (!span_eq(a->key, b->key))
			continue;
		*several = true;
		if (a->part == b->part || !b->heading.len)
			return error_set(err, ERR_FORMAT,
					 "line %zu: %.*s again, first in line %zu; put a heading "
					 "that names the result (\"# NAME\") above each",
					 b->line, (int)b->key.len, b->key.ptr, a->line);
	}
	return 0;
}

static int add_field(const struct reading *r, struct run *run, const struct field *field,
		     struct error *err)
{
	char excerpt[lines_excerpt_size];
	double number;
	if (!neuron_summary_is_number(field->key)) {
		if (utf8_is_line(field->value))
			neuron_summary_text(r->arena, run, field->key, field->value);
		return 0;
	}
	if (!span_number(field->value, &number))
		return error_set(err, ERR_FORMAT,
				 "line %zu: %.*s is \"%s\", not a number as neuron-profile writes "
				 "it, without a unit",
				 field->line, (int)field->key.len, field->key.ptr,
				 lines_excerpt(excerpt, field->value));
	neuron_summary_number(r->arena, run, field->key, number);
	return 0;
}

/* Adds the fields from `first` that are in the same part, or all; *first is the next one. */
static int add_result(struct reading *r, size_t *first, bool several, struct error *err)
{
	const struct field *begin = &r->fields.items[*first];
	struct run *run = run_new(r->arena);
	for (; *first < r->fields.count; ++*first) {
		const struct field *field = &r->fields.items[*first];
		if (several && field->part != begin->part)
			break;
		if (add_field(r, run, field, err) < 0)
			return -1;
	}
	if (!neuron_summary_is_known(run))
		return 0;
	neuron_summary_finish(r->arena, run);
	if (several && begin->heading.len <= name_limit && utf8_is_line(begin->heading))
		run->kernel = arena_strndup(r->arena, begin->heading.ptr, begin->heading.len);
	run_list_add(r->arena, &r->runs, run);
	return 0;
}

/* --- the file --- */

static int read_values(struct arena *arena, struct input *input, struct ingest_result *result,
		       struct error *err)
{
	struct span bytes;
	bool several;
	struct reading r = {.arena = arena};
	if (input_read_all(arena, input, size_limit, &bytes, err) < 0 ||
	    read_lines(&r, bytes, err) < 0 || has_several(&r, &several, err) < 0)
		return -1;
	for (size_t first = 0; first < r.fields.count;)
		if (add_result(&r, &first, several, err) < 0)
			return -1;
	if (r.runs.count == 0)
		return error_set(err, ERR_FORMAT, "no summary field has a number");
	run_list_add_all(arena, &result->runs, &r.runs);
	return 0;
}

static bool detect(struct span head)
{
	struct lines lines = lines_of(head);
	struct span line, key, value, text = span_trim(head);
	size_t known = 0;
	if (span_starts(text, "{") || span_starts(text, "[") || memchr(head.ptr, 0, head.len))
		return false;
	while (known < fields_needed && lines_next(&lines, &line))
		while (cut_field(&line, &key, &value))
			known += neuron_summary_is_number(key);
	return known >= fields_needed;
}

const struct reader neuron_summary_values_reader = {"neuron-summary-values",
						    "summary fields as \"key = value\"",
						    NEEDS_NEURON, detect, read_values};
