/*
 * Reader of "neuron-profile view --output-format summary-json": one object with a member "n_<hash>"
 * per node, each an object of summary fields. Log lines of the profiler may precede it. One run per
 * node, sorted by node.
 */
#include "ingest/json/document/peek.h"
#include "ingest/neuron/collect.h"
#include "ingest/neuron/summary.h"
#include "ingest/reader.h"
#include "ingest/table/tables.h"

/* Bytes of arena that all nodes together may use. */
static const size_t memory_limit = 64u << 20;

struct nodes {
	struct arena *arena;
	struct run_list runs;
	struct run *run;                   /* run of the current node */
	size_t arena_used;                 /* before the first node, bytes */
	struct json_stream_counts counts;  /* of the whole file so far */
	struct json_stream_counts settled; /* `counts` at the end of the previous member */
};

static int node_member(void *context, struct span section, struct span name,
		       const struct json_value *value, struct error *err)
{
	struct nodes *c = context;
	if (!span_starts(section, "n_"))
		return 0;
	if (!c->run && c->runs.count == neuron_node_limit)
		return error_set(err, ERR_FORMAT, "more than %d nodes", (int)neuron_node_limit);
	if (!c->run)
		c->run = run_new(c->arena);
	return neuron_summary_json_member(c->arena, c->run, name, value, err);
}

static int node_end(void *context, struct span section, struct error *err)
{
	struct nodes *c = context;
	const struct json_stream_counts own = {c->counts.not_numbers - c->settled.not_numbers,
					       c->counts.duplicates - c->settled.duplicates};
	c->settled = c->counts;
	if (!span_starts(section, "n_"))
		return 0;
	if (!c->run || !neuron_summary_is_known(c->run))
		return error_set(err, ERR_FORMAT, "the node has no known summary field");
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

static int finish(struct nodes *c, struct ingest_result *result, struct error *err)
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
	run_list_add_all(c->arena, &result->runs, &c->runs);
	return 0;
}

static int read_summary(struct arena *arena, struct input *input, struct ingest_result *result,
			struct error *err)
{
	static const struct json_section sections[] = {
		{"*", .member = node_member, .end = node_end},
		{.name = NULL},
	};
	struct nodes c = {.arena = arena, .arena_used = arena->used};
	struct json_stream stream = {.sections = sections, .context = &c, .skip_preamble = true};
	if (json_stream_read(&stream, input, &c.counts, err) < 0)
		return -1;
	return finish(&c, result, err);
}

/* Whether a text begins with `{ "n_<hex digits>" : {`. */
static bool begins_with_node(struct span text)
{
	struct json_peek peek = json_peek_of(text);
	struct json_peek_value value;
	json_peek_next(&peek, &value); /* the document */
	return json_peek_next(&peek, &value) && value.kind == '{' &&
	       neuron_summary_is_node(value.name);
}

static bool detect(struct span head)
{
	for (struct span rest = lines_of(head).rest; rest.len; span_cut(&rest, '\n')) {
		rest = span_trim(rest);
		if (span_starts(rest, "{"))
			return begins_with_node(rest);
	}
	return false;
}

const struct reader neuron_summary_json_reader = {
	"neuron-summary-json", "neuron-profile view --output-format summary-json", NEEDS_NEURON,
	detect, read_summary};
