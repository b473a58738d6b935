/*
 * Reader of params.json: the parameters of the work, for the profiles in its directory. One JSON
 * object of scalars, flat or nested:
 *
 *   {"kernel": "mla", "dtype": "bf16", "config": {"b": 1, "s": 512, "causal": true}}
 *
 * - A parameter is named by its own name ("s"), or by its path ("config.s") if two share a name.
 * - Whole numbers are written without a fraction, others with the fewest digits. A list of scalars
 *   becomes its compact JSON text. null means no value: one that is still to be written down.
 * - Kernel, variant, dtype and device are parameters like all others; the caller interprets them.
 *
 * Many programs write small JSON objects. A document is detected as parameters if it has a name
 * that is typical of parameters (see params_detect()) and nothing that only results have: lists of
 * objects, metrics, summary fields.
 */
#include "base/json/json.h"
#include "base/text/text.h"
#include "ingest/json/document/peek.h"
#include "ingest/neuron/neuron.h"
#include "ingest/reader.h"

static const size_t size_limit = 1u << 20;
enum { param_limit = 256, path_limit = 512 };

/* --- reading --- */

struct leaf {
	const char *name; /* its own name */
	const char *path; /* including the names of the objects that contain it */
	const char *value;
};

struct leaves {
	struct arena *arena;
	struct leaf *items;
	size_t count, capacity;
	char path[path_limit + 1]; /* of the current member */
	size_t path_len;
};

static int check_list(const struct json *list, const char *path, struct error *err)
{
	for (const struct json *item = list->first; item; item = item->next) {
		if (item->type == JSON_OBJECT)
			return error_set(err, ERR_FORMAT,
					 "%.200s: a list of objects is not a valid parameter",
					 path);
		if (item->type == JSON_ARRAY && check_list(item, path, err) < 0)
			return -1;
	}
	return 0;
}

static int add_leaf(struct leaves *leaves, const struct json *node, struct error *err)
{
	const char *path = leaves->path;
	if (node->type == JSON_NULL)
		return 0;
	if (node->type == JSON_ARRAY && check_list(node, path, err) < 0)
		return -1;
	if (!node->name[0] || !utf8_is_line(span_of(node->name)))
		return error_set(err, ERR_FORMAT, "%.200s: not a valid parameter name", path);
	if (node->type == JSON_STRING && !utf8_is_line(span_of(node->text)))
		return error_set(err, ERR_FORMAT, "%.200s: a parameter must be one line of text",
				 path);
	if (leaves->count == param_limit)
		return error_set(err, ERR_FORMAT, "%.200s: more than %d parameters", path,
				 (int)param_limit);
	*arena_add(leaves->arena, leaves) = (struct leaf){
		node->name, arena_strdup(leaves->arena, path), json_plain(leaves->arena, node)};
	return 0;
}

static void leave(struct leaves *leaves, size_t path_len)
{
	leaves->path[path_len] = '\0';
	leaves->path_len = path_len;
}

static int enter(struct leaves *leaves, const char *name, struct error *err)
{
	const char *dot = leaves->path_len ? "." : "";
	if (strlen(dot) + strlen(name) > path_limit - leaves->path_len)
		return error_set(err, ERR_FORMAT,
				 "%.80s: the parameter name is longer than %d bytes, including the "
				 "names of enclosing objects",
				 *dot ? leaves->path : name, (int)path_limit);
	leaves->path_len +=
		(size_t)snprintf(leaves->path + leaves->path_len,
				 sizeof leaves->path - leaves->path_len, "%s%s", dot, name);
	return 0;
}

static int add_object(struct leaves *leaves, const struct json *object, struct error *err)
{
	size_t outside = leaves->path_len;
	for (const struct json *node = object->first; node; node = node->next) {
		if (enter(leaves, node->name, err) < 0)
			return -1;
		int rc = node->type == JSON_OBJECT ? add_object(leaves, node, err)
						   : add_leaf(leaves, node, err);
		if (rc < 0)
			return -1;
		leave(leaves, outside);
	}
	return 0;
}

static bool is_unique(const struct leaves *leaves, const struct leaf *leaf)
{
	for (size_t i = 0; i < leaves->count; i++)
		if (&leaves->items[i] != leaf && strcmp(leaves->items[i].name, leaf->name) == 0)
			return false;
	return true;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct run_param *)a)->name, ((const struct run_param *)b)->name);
}

static int finish(const struct leaves *leaves, struct ingest_result *result, struct error *err)
{
	struct run_param *params = arena_array(leaves->arena, leaves->count, sizeof *params);
	for (size_t i = 0; i < leaves->count; i++) {
		const struct leaf *leaf = &leaves->items[i];
		params[i].name = is_unique(leaves, leaf) ? leaf->name : leaf->path;
		params[i].value = leaf->value;
	}
	qsort(params, leaves->count, sizeof *params, by_name);
	for (size_t i = 1; i < leaves->count; i++)
		if (strcmp(params[i - 1].name, params[i].name) == 0)
			return error_set(err, ERR_FORMAT, "%.200s: duplicate parameter",
					 params[i].name);
	result->params = params;
	result->param_count = leaves->count;
	return 0;
}

static int read_params(struct arena *arena, struct input *input, struct ingest_result *result,
		       struct error *err)
{
	struct leaves leaves = {.arena = arena};
	const struct json *root = input_read_json(arena, input, size_limit, err);
	if (!root)
		return -1;
	if (root->type != JSON_OBJECT)
		return error_set(err, ERR_FORMAT, "parameters must be one JSON object");
	if (!root->first)
		return error_set(err, ERR_FORMAT, "no parameter has a value");
	/* There may be none: what `init --params` wrote and nobody completed says nothing. */
	if (add_object(&leaves, root, err) < 0)
		return -1;
	return finish(&leaves, result, err);
}

/* --- detection --- */

enum evidence { NO_EVIDENCE, TYPICAL, CERTAIN, AGAINST };

#define IS_AMONG(name, names) span_among_any_case((name), (names), sizeof(names) / sizeof *(names))

/* Names that only results, traces and files of other programs have: they rule out parameters. */
static const char *const foreign[] = {
	"metrics",       "measurements", "results",    "result",       "correctness",
	"latency",       "latency_ms",   "latency_us", "latency_data", "throughput",
	"host_time",     "compile_time", "summary",    "summaries",    "profiles",
	"benchmarks",    "traceEvents",  "timings",    "samples",      "duration_us",
	"duration_ms",   "time_ms",      "time_us",    "speedup",      "mfu",
	"architectures", "model_type",   "scripts",    "dependencies", "compilerOptions"};

static enum evidence judge(const struct json_peek *peek, const struct json_peek_value *value)
{
	static const char *const words[] = {"kernel", "dtype"};
	static const char *const containers[] = {"params", "parameters", "config"};
	static const char *const sizes[] = {"b", "s", "t", "h",     "d",      "k",      "p",
					    "m", "n", "i", "batch", "seqlen", "seq_len"};
	bool is_scalar = value->kind == '"' || value->kind == '0' || value->kind == 't';
	if (value->depth == 0)
		return value->kind == '{' ? NO_EVIDENCE : AGAINST;
	if (value->kind == '{' && value->is_item)
		return AGAINST;
	if (IS_AMONG(value->name, foreign) || neuron_summary_is_number(value->name))
		return AGAINST;
	if (value->depth > 2 || (value->depth == 2 && !IS_AMONG(peek->open[1].name, containers)))
		return NO_EVIDENCE;
	if (value->kind == '"' && IS_AMONG(value->name, words))
		return CERTAIN;
	if (value->kind == '{')
		return IS_AMONG(value->name, containers) ? TYPICAL : NO_EVIDENCE;
	return is_scalar && (IS_AMONG(value->name, sizes) || span_is(value->name, "variant"))
		       ? TYPICAL
		       : NO_EVIDENCE;
}

static bool detect(struct span head)
{
	struct json_peek peek = json_peek_of(head);
	struct json_peek_value value;
	enum evidence best = NO_EVIDENCE;
	bool any_scalar = false;
	while (json_peek_next(&peek, &value)) {
		enum evidence evidence = judge(&peek, &value);
		if (evidence == AGAINST)
			return false;
		best = evidence > best ? evidence : best;
		any_scalar |= !value.is_item && memchr("\"0t", value.kind, 3);
	}
	if (peek.end == JSON_PEEK_OPEN && head.len >= input_head_size)
		return best == CERTAIN;
	bool fits = peek.end == JSON_PEEK_CLOSED || peek.end == JSON_PEEK_OPEN;
	return fits && any_scalar && best != NO_EVIDENCE;
}

const struct reader params_reader = {"params", "params.json", 0, detect, read_params};
