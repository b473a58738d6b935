/* summary-json: every top-level member whose name begins with "n_" is a run. */
#include "ingest/neuron/summary_json.h"

#include "ingest/collect/collect.h"
#include "ingest/neuron/summary.h"

/* Bytes of arena that all nodes together may use. */
static const size_t memory_limit = 64u << 20;

struct collector {
	struct arena *arena;
	struct run_list runs;
	struct run *run;                   /* run of the current node */
	size_t arena_used;                 /* before the first node, bytes */
	struct json_stream_counts counts;  /* of the whole file so far */
	struct json_stream_counts settled; /* `counts` at the end of the previous member */
};

int neuron_summary_json_member(struct arena *arena, struct run *run, struct span name,
			       const struct json_value *value, struct error *err)
{
	static const char *const kinds[] = {"", "", "a text", "true or false",
					    "an object or array"};
	assert((size_t)value->kind < sizeof kinds / sizeof *kinds);
	bool number = neuron_summary_is_number(name);
	if (value->kind == JSON_VALUE_NUMBER)
		neuron_summary_number(arena, run, name, value->number);
	else if (number && value->kind == JSON_VALUE_MISSING)
		neuron_summary_number(arena, run, name, NAN);
	else if (number)
		return error_set(err, ERR_FORMAT, "%s where a number is expected",
				 kinds[value->kind]);
	else if (value->kind == JSON_VALUE_TEXT)
		neuron_summary_text(arena, run, name, value->text);
	return 0;
}

void neuron_note_counts(struct arena *arena, struct run *run,
			const struct json_stream_counts *counts)
{
	if (counts->not_numbers)
		run_add_note(arena, run, "rooflog",
			     arena_printf(arena,
					  "NaN or infinite values, read as unknown: %" PRIu64,
					  counts->not_numbers));
	if (counts->duplicates)
		run_add_note(arena, run, "rooflog",
			     arena_printf(arena,
					  "fields repeated: %" PRIu64
					  "; the last value of each was "
					  "used",
					  counts->duplicates));
}

static bool is_node(struct span name)
{
	return span_starts(name, "n_");
}

static int node_member(void *context, struct span section, struct span name,
		       const struct json_value *value, struct error *err)
{
	struct collector *c = context;
	if (!is_node(section))
		return 0;
	if (!c->run && c->runs.count == neuron_node_limit)
		return error_set(err, ERR_FORMAT, "there are more than %d nodes",
				 (int)neuron_node_limit);
	if (!c->run)
		c->run = run_new(c->arena);
	return neuron_summary_json_member(c->arena, c->run, name, value, err);
}

static int node_end(void *context, struct span section, const struct json_value *values,
		    struct error *err)
{
	struct collector *c = context;
	(void)values;
	const struct json_stream_counts own = {c->counts.not_numbers - c->settled.not_numbers,
					       c->counts.duplicates - c->settled.duplicates};
	c->settled = c->counts;
	if (!is_node(section))
		return 0;
	if (!c->run || !neuron_summary_is_known(c->run))
		return error_set(err, ERR_FORMAT, "the node has no summary field that is known");
	if (c->arena->used - c->arena_used > memory_limit)
		return error_set(err, ERR_FORMAT, "the nodes hold more than %zu MiB",
				 memory_limit >> 20);
	c->run->node = bounded_text_of(c->arena, section);
	neuron_note_counts(c->arena, c->run, &own);
	run_list_add(c->arena, &c->runs, c->run);
	c->run = NULL;
	return 0;
}

static int by_node(const void *a, const void *b)
{
	return strcmp((*(struct run *const *)a)->node, (*(struct run *const *)b)->node);
}

static int finish(struct collector *c, struct ingest_result *result, struct error *err)
{
	if (c->runs.count == 0)
		return error_set(err, ERR_FORMAT, "the document has no node \"n_...\"");
	qsort(c->runs.items, c->runs.count, sizeof *c->runs.items, by_node);
	for (size_t i = 0; i < c->runs.count; i++) {
		struct run *run = c->runs.items[i];
		if (i && strcmp(run->node, c->runs.items[i - 1]->node) == 0)
			return error_set(err, ERR_FORMAT, "the node %s appears twice", run->node);
		neuron_summary_finish(c->arena, run);
	}
	for (size_t i = 0; i < c->runs.count; i++)
		run_list_add(c->arena, &result->runs, c->runs.items[i]);
	return 0;
}

static int read_summary(struct arena *arena, struct input *input, struct ingest_result *result,
			struct error *err)
{
	static const struct json_section sections[] = {
		{"*", NULL, node_member, node_end},
		{NULL, NULL, NULL, NULL},
	};
	struct collector c = {.arena = arena, .arena_used = arena->used};
	struct json_stream stream = {.sections = sections, .context = &c, .skip_preamble = true};
	if (json_stream_read(&stream, input, &c.counts, err) < 0)
		return -1;
	return finish(&c, result, err);
}

static struct span skip_blanks(struct span text)
{
	while (text.len && memchr(" \t\r\n", text.ptr[0], 4)) {
		text.ptr++;
		text.len--;
	}
	return text;
}

/* Whether a text begins with `{ "n_<hex digits>" : {`. */
static bool begins_with_node(struct span text)
{
	text = skip_blanks((struct span){text.ptr + 1, text.len - 1});
	if (!span_starts(text, "\"n_"))
		return false;
	size_t i = 3;
	while (i < text.len && memchr("0123456789abcdefABCDEF", text.ptr[i], 22))
		i++;
	if (i == 3 || i == text.len || text.ptr[i] != '"')
		return false;
	text = skip_blanks((struct span){text.ptr + i + 1, text.len - i - 1});
	if (!span_starts(text, ":"))
		return false;
	return span_starts(skip_blanks((struct span){text.ptr + 1, text.len - 1}), "{");
}

static bool detect(struct span head)
{
	while (head.len) {
		struct span line = skip_blanks(head);
		if (span_starts(line, "\xef\xbb\xbf"))
			line = skip_blanks((struct span){line.ptr + 3, line.len - 3});
		if (span_starts(line, "{"))
			return begins_with_node(line);
		head = line;
		span_cut(&head, '\n');
	}
	return false;
}

const struct reader neuron_summary_json_reader = {
	"neuron-summary-json", "neuron-profile view --output-format summary-json", NEEDS_NEURON,
	detect, read_summary};
