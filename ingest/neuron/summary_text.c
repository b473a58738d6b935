/*
 * Reader of "neuron-profile view --output-format summary-text", as copied from a terminal. There
 * may be any text before and after the blocks, one per node:
 *
 *   n_<hex digits>
 *       key    value
 *
 * Log lines between the fields are skipped. A log may hold several captures: each block is a run,
 * in the order of the file.
 */

#include "base/text/text.h"
#include "base/base.h"
#include "ingest/collect/collect.h"
#include "ingest/reader.h"
#include "ingest/table/tables.h"
#include "ingest/neuron/summary.h"

static const size_t size_limit = 64u << 20; /* bytes */

struct reading {
	struct arena *arena;
	struct lines lines;
	struct run *run;   /* of the current block; NULL outside of blocks */
	size_t first_line; /* of the current block */
	bool gap;          /* the last field was followed by a blank line */
	struct span *keys; /* of the current block, to find repeated ones */
	size_t key_count, key_capacity;
	struct run_list runs;
};

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* Splits an indented line into a name, blanks, and a value, which may be empty. */
static bool cut_field(struct span line, struct span *key, struct span *value)
{
	size_t len = 0;
	if (line.len == 0 || !ascii_is_blank(line.ptr[0]))
		return false;
	line = span_trim(line);
	while (len < line.len && is_name(line.ptr[len]))
		len++;
	if (len == 0 || (len < line.len && !ascii_is_blank(line.ptr[len])))
		return false;
	*key = (struct span){line.ptr, len};
	*value = span_trim(span_from(line, len));
	return true;
}

/* Numbers as Go prints them, with its own spellings of NaN and infinity. */
static bool parse_number(struct span text, double *number)
{
	if (span_is(text, "NaN"))
		*number = NAN;
	else if (span_is(text, "+Inf") || span_is(text, "Inf"))
		*number = INFINITY;
	else if (span_is(text, "-Inf"))
		*number = -INFINITY;
	else
		return span_number(text, number);
	return true;
}

static bool is_printable(struct span text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.ptr[i] < ' ' && text.ptr[i] != '\t')
			return false;
	return utf8_valid_prefix(text) == text.len;
}

static int fail_field(const struct reading *r, struct span key, struct span value, const char *what,
		      struct error *err)
{
	char name[lines_excerpt_size], text[lines_excerpt_size];
	return error_set(err, ERR_FORMAT, "line %zu: %s is \"%s\", %s", r->lines.number,
			 lines_excerpt(name, key), lines_excerpt(text, value), what);
}

static int fail_empty(const struct reading *r, struct span key, struct error *err)
{
	char name[lines_excerpt_size];
	return error_set(err, ERR_FORMAT, "line %zu: %s has no value%s", r->lines.number,
			 lines_excerpt(name, key),
			 r->lines.terminated ? "" : "; the file is truncated there");
}

/* A truncated number may still be a valid number. It is accepted with a warning, because a log
 * copied from a terminal may lack the last line end. */
static void note_open_end(struct reading *r, struct span key)
{
	char name[lines_excerpt_size];
	run_warn(r->arena, r->run,
		 "the last line has no line end; if the file was truncated there, %s is wrong",
		 lines_excerpt(name, key));
}

static int read_field(struct reading *r, struct span key, struct span value, struct error *err)
{
	double number;
	bool wanted = neuron_summary_is_number(key);
	if (value.len == 0 && (wanted || !r->lines.terminated))
		return fail_empty(r, key, err);
	if (!is_printable(value))
		return fail_field(r, key, value, "not printable text", err);
	if (!wanted)
		neuron_summary_text(r->arena, r->run, key, value);
	else if (parse_number(value, &number))
		neuron_summary_number(r->arena, r->run, key, number);
	else
		return fail_field(r, key, value, "not a number", err);
	*arena_next(r->arena, r->keys, r->key_count, r->key_capacity) = key;
	r->gap = false;
	if (wanted && !r->lines.terminated)
		note_open_end(r, key);
	return 0;
}

static int by_text(const void *a, const void *b)
{
	const struct span *left = a, *right = b;
	size_t len = left->len < right->len ? left->len : right->len;
	int order = memcmp(left->ptr, right->ptr, len);
	return order ? order : (left->len > right->len) - (left->len < right->len);
}

static void note_repeated(struct reading *r)
{
	size_t repeated = 0;
	array_sort(r->keys, r->key_count, sizeof *r->keys, by_text);
	for (size_t i = 1; i < r->key_count; i++)
		repeated += span_eq(r->keys[i - 1], r->keys[i]);
	if (repeated)
		run_warn(r->arena, r->run, "fields repeated: %zu; the last value of each is used",
			 repeated);
}

static int close_block(struct reading *r, struct error *err)
{
	if (!r->run)
		return 0;
	if (!neuron_summary_is_known(r->run))
		return error_set(err, ERR_FORMAT, "line %zu: no known summary field after the node",
				 r->first_line);
	note_repeated(r);
	neuron_summary_finish(r->arena, r->run);
	run_list_add(r->arena, &r->runs, r->run);
	r->run = NULL;
	return 0;
}

static int open_block(struct reading *r, struct span line, struct error *err)
{
	if (close_block(r, err) < 0)
		return -1;
	if (r->runs.count == neuron_node_limit)
		return error_set(err, ERR_FORMAT, "line %zu: more than %d nodes", r->lines.number,
				 (int)neuron_node_limit);
	r->run = run_new(r->arena);
	r->run->node = bounded_text_of(r->arena, span_trim(line));
	r->first_line = r->lines.number;
	r->gap = false;
	r->key_count = 0;
	return 0;
}

static int read_line(struct reading *r, struct span line, struct error *err)
{
	struct span key, value;
	char text[lines_excerpt_size];
	if (neuron_summary_is_node(span_trim(line)))
		return open_block(r, line, err);
	if (!r->run)
		return 0;
	if (span_trim(line).len == 0) {
		r->gap = true;
		return 0;
	}
	if (cut_field(line, &key, &value))
		return read_field(r, key, value, err);
	if (lines_is_log(line))
		return 0;
	/* After a blank line, or without indentation, other output begins: a prompt, a script. */
	if (r->gap || !ascii_is_blank(line.ptr[0]))
		return close_block(r, err);
	return error_set(err, ERR_FORMAT, "line %zu: unknown summary field \"%s\"", r->lines.number,
			 lines_excerpt(text, span_trim(line)));
}

static int read_summary(struct arena *arena, struct input *input, struct ingest_result *result,
			struct error *err)
{
	struct span bytes, line;
	if (input_read_all(arena, input, size_limit, &bytes, err) < 0)
		return -1;
	struct reading r = {.arena = arena, .lines = lines_of(bytes)};
	while (lines_next(&r.lines, &line))
		if (read_line(&r, line, err) < 0)
			return -1;
	if (close_block(&r, err) < 0)
		return -1;
	if (r.runs.count == 0)
		return error_set(err, ERR_FORMAT, "no \"n_<hash>\" line found");
	run_list_add_all(arena, &result->runs, &r.runs);
	return 0;
}

/* Whether a node line is followed by a field. Log lines and blank lines may be between them, and
 * the field may lie beyond the head. */
static bool detect(struct span head)
{
	struct lines lines = lines_of(head);
	struct span line, key, value;
	bool in_node = false;
	while (lines_next(&lines, &line)) {
		if (in_node && cut_field(line, &key, &value))
			return true;
		if (neuron_summary_is_node(span_trim(line)))
			in_node = true;
		else if (span_trim(line).len && !lines_is_log(line))
			in_node = false;
	}
	return in_node && head.len >= input_head_size;
}

const struct reader neuron_summary_text_reader = {
	"neuron-summary-text", "neuron-profile view --output-format summary-text", NEEDS_NEURON,
	detect, read_summary};
