/*
 * Readers of the files in the tiling/ directory next to a profile:
 *
 *   tiling/<stage>.json              the selected tiling: {"Bm": 64, "Bn": 128, "num_warps": 4}
 *   tiling/<stage>/autotuning.json   the configurations that were tried, with their times
 *
 * A tiling is one JSON object of scalars, flat or nested, with at least one name that is typical of
 * tile sizes (Bm, BLOCK_M, tile_k, num_warps ...). A tuning history is a list of objects, at the
 * top or under a name. Each object has a time, whose name states its unit (time_ms, duration_us,
 * latency_ns ...), and a configuration, under "config" or "tiling" or next to the time. A
 * configuration without a time failed.
 *
 * Both files are companions of the runs next to the tiling directory. They add attributes, and the
 * fastest configurations as an attribution by name. The stage follows from the path, which the
 * caller knows.
 */
#include "base/json/json.h"
#include "base/base.h"
#include "base/text/text.h"
#include "ingest/json/document/peek.h"
#include "ingest/reader.h"

static const size_t size_limit = 32u << 20;
enum { attribute_limit = 64, depth_limit = 4, listed_configurations = 50 };
static const char directory[] = "tiling";

/* --- names --- */

#define IS_AMONG(name, names) span_among_any_case((name), (names), sizeof(names) / sizeof *(names))

/* Whether it is Bm, Bn, B_r; BLOCK_M, block_size, tile_k, num_warps ... */
static bool is_tile_size(struct span name)
{
	static const char *const counts[] = {"num_warps",    "num_stages", "num_ctas",
					     "warps",        "stages",     "waves",
					     "cluster_size", "group_size"};
	static const char *const starts[] = {"BLOCK_", "block_", "tile_", "TILE_", "GROUP_"};
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		if (span_starts(name, starts[i]))
			return true;
	bool is_short = name.len >= 2 && name.len <= 3 && name.ptr[0] == 'B' &&
			(name.ptr[1] == '_' || (name.ptr[1] >= 'a' && name.ptr[1] <= 'z'));
	return is_short || IS_AMONG(name, counts);
}

static const struct {
	const char *suffix;
	double seconds;
} time_units[] = {{"_ns", 1e-9}, {"_us", 1e-6}, {"_ms", 1e-3}, {"_s", 1}};

/* The unit of a member with a time, in seconds; 0 if it is not a time. */
static double time_unit(struct span name)
{
	static const char *const bases[] = {"time",    "duration",    "latency", "median", "mean",
					    "runtime", "kernel_time", "min",     "elapsed"};
	for (size_t i = 0; i < sizeof time_units / sizeof *time_units; i++) {
		size_t len = strlen(time_units[i].suffix);
		if (name.len > len && span_ends(name, time_units[i].suffix) &&
		    IS_AMONG(((struct span){name.ptr, name.len - len}), bases))
			return time_units[i].seconds;
		if (span_is(name, time_units[i].suffix + 1) && name.len == 2)
			return time_units[i].seconds;
	}
	return 0;
}

static bool is_configuration(struct span name)
{
	static const char *const names[] = {"config", "configuration", "tiling", "cfg"};
	return IS_AMONG(name, names);
}

/* --- the selected tiling --- */

struct leaves {
	struct arena *arena;
	struct run_attribute items[attribute_limit];
	size_t count;
};

static int add_leaves(struct leaves *leaves, const struct json *object, const char *prefix,
		      int depth, struct error *err)
{
	for (const struct json *node = object->first; node; node = node->next) {
		const char *name = arena_printf(leaves->arena, "%s%s", prefix, node->name);
		if (!utf8_is_line(span_of(name)) || strlen(name) > 200)
			return error_set(err, ERR_FORMAT, "%.80s: not a valid tile size name",
					 name);
		if (node->type == JSON_OBJECT && depth == depth_limit)
			return error_set(err, ERR_FORMAT, "%s: nested more than %d levels deep",
					 name, (int)depth_limit);
		if (node->type == JSON_OBJECT) {
			if (add_leaves(leaves, node, arena_printf(leaves->arena, "%s.", name),
				       depth + 1, err) < 0)
				return -1;
			continue;
		}
		if (node->type == JSON_NULL)
			continue;
		if (leaves->count == attribute_limit)
			return error_set(err, ERR_FORMAT, "%s: more than %d values in a tiling",
					 name, (int)attribute_limit);
		const char *text = json_plain(leaves->arena, node);
		if (!utf8_is_line(span_of(text)) || strlen(text) > 200)
			return error_set(err, ERR_FORMAT, "%s: a tile size must be one short line",
					 name);
		leaves->items[leaves->count++] = (struct run_attribute){name, text};
	}
	return 0;
}

static void add_companion(struct arena *arena, struct ingest_result *result,
			  struct companion companion)
{
	companion.directory = directory;
	*arena_add(arena, &result->companions) = companion;
}

static int read_tiling(struct arena *arena, struct input *input, struct ingest_result *result,
		       struct error *err)
{
	struct leaves *leaves = arena_new(arena, struct leaves);
	const struct json *root = input_read_json(arena, input, size_limit, err);
	if (!root)
		return -1;
	if (root->type != JSON_OBJECT)
		return error_set(err, ERR_FORMAT, "a tiling must be one JSON object");
	leaves->arena = arena;
	if (add_leaves(leaves, root, "", 1, err) < 0)
		return -1;
	if (leaves->count == 0)
		return error_set(err, ERR_FORMAT, "no tile size has a value");
	add_companion(
		arena, result,
		(struct companion){.attributes = leaves->items, .attribute_count = leaves->count});
	return 0;
}

static bool detect_tiling(struct span head)
{
	static const char *const foreign[] = {"kernel",      "dtype",      "metrics", "results",
					      "traceEvents", "benchmarks", "summary", "params"};
	struct json_peek peek = json_peek_of(head);
	struct json_peek_value value;
	bool found = false;
	while (json_peek_next(&peek, &value)) {
		if (value.depth == 0 && value.kind != '{')
			return false;
		if (value.kind == '[' || IS_AMONG(value.name, foreign) || time_unit(value.name) > 0)
			return false;
		found |= value.kind != '{' && is_tile_size(value.name);
	}
	return found && peek.end != JSON_PEEK_MORE && peek.end != JSON_PEEK_BROKEN;
}

/* --- the tuning history --- */

struct tuning {
	struct arena *arena;
	struct run_tally *items;
	size_t count, capacity;
	size_t tried, failed;
};

static void add_values(struct strbuf *sb, struct arena *arena, const struct json *object)
{
	for (const struct json *node = object->first; node; node = node->next)
		if (node->type == JSON_NUMBER || node->type == JSON_STRING ||
		    node->type == JSON_BOOL)
			strbuf_addf(sb, "%s%s=%s", sb->len ? ", " : "", node->name,
				    json_plain(arena, node));
}

/* "Bm=64, Bn=128": the members of "config", or all members except the times. */
static const char *name_of(struct arena *arena, const struct json *trial)
{
	struct strbuf sb = {0};
	const struct json *configuration = NULL;
	for (const struct json *node = trial->first; node && !configuration; node = node->next)
		if (node->type == JSON_OBJECT && is_configuration(span_of(node->name)))
			configuration = node;
	if (configuration) {
		add_values(&sb, arena, configuration);
		return strbuf_into(&sb, arena);
	}
	for (const struct json *node = trial->first; node; node = node->next)
		if (is_tile_size(span_of(node->name)) &&
		    (node->type == JSON_NUMBER || node->type == JSON_STRING))
			strbuf_addf(&sb, "%s%s=%s", sb.len ? ", " : "", node->name,
				    json_plain(arena, node));
	return strbuf_into(&sb, arena);
}

static int add_trial(struct tuning *tuning, const struct json *trial, size_t index,
		     struct error *err)
{
	double seconds = NAN;
	if (trial->type != JSON_OBJECT)
		return error_set(err, ERR_FORMAT, "trial %zu: expected an object", index);
	for (const struct json *node = trial->first; node && isnan(seconds); node = node->next) {
		double unit = time_unit(span_of(node->name));
		if (unit == 0 || node->type == JSON_NULL)
			continue;
		if (node->type != JSON_NUMBER)
			return error_set(err, ERR_FORMAT, "trial %zu: %.40s is not a number", index,
					 node->name);
		if (node->number < 0)
			return error_set(err, ERR_FORMAT, "trial %zu: %.40s is negative", index,
					 node->name);
		seconds = node->number > 0 ? node->number * unit : NAN;
	}
	const char *name = name_of(tuning->arena, trial);
	if (!name[0] || !utf8_is_line(span_of(name)))
		return error_set(err, ERR_FORMAT,
				 "trial %zu: configuration missing (\"config\", \"tiling\", or "
				 "sizes such as Bm)",
				 index);
	tuning->tried++;
	if (isnan(seconds)) {
		tuning->failed++;
		return 0;
	}
	*arena_add(tuning->arena, tuning) =
		(struct run_tally){TALLY_TUNING, name, 1, seconds, NAN, NAN};
	return 0;
}

static int fastest_first(const void *a, const void *b)
{
	const struct run_tally *x = a, *y = b;
	if (x->seconds != y->seconds)
		return x->seconds < y->seconds ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* The median of sorted times. */
static double median_of(const struct tuning *tuning)
{
	size_t middle = tuning->count / 2;
	double upper = tuning->items[middle].seconds;
	return tuning->count % 2 ? upper : (tuning->items[middle - 1].seconds + upper) / 2;
}

static const struct json *trials_of(const struct json *root)
{
	if (root->type == JSON_ARRAY)
		return root;
	for (const struct json *node = root->first; node; node = node->next)
		if (node->type == JSON_ARRAY && node->first && node->first->type == JSON_OBJECT)
			return node;
	return NULL;
}

static int read_autotuning(struct arena *arena, struct input *input, struct ingest_result *result,
			   struct error *err)
{
	struct tuning tuning = {.arena = arena};
	const struct json *root = input_read_json(arena, input, size_limit, err);
	if (!root)
		return -1;
	const struct json *trials = trials_of(root);
	if (!trials)
		return error_set(err, ERR_FORMAT, "list of configurations missing");
	size_t index = 0;
	for (const struct json *trial = trials->first; trial; trial = trial->next)
		if (add_trial(&tuning, trial, index++, err) < 0)
			return -1;
	if (tuning.count == 0)
		return error_set(err, ERR_FORMAT,
				 "none of %zu configurations has a time; time fields must name "
				 "their unit: time_ms, duration_us ...",
				 tuning.tried);
	qsort(tuning.items, tuning.count, sizeof *tuning.items, fastest_first);
	enum { attribute_count = 5 };
	struct run_attribute *attributes = arena_array(arena, attribute_count, sizeof *attributes);
	attributes[0] =
		(struct run_attribute){"tuning_tried", arena_printf(arena, "%zu", tuning.tried)};
	attributes[1] =
		(struct run_attribute){"tuning_failed", arena_printf(arena, "%zu", tuning.failed)};
	attributes[2] = (struct run_attribute){"tuning_best", tuning.items[0].name};
	attributes[3] = (struct run_attribute){
		"tuning_median", quantity_text(arena, median_of(&tuning), UNIT_SECOND)};
	attributes[4] = (struct run_attribute){
		"tuning_worst",
		quantity_text(arena, tuning.items[tuning.count - 1].seconds, UNIT_SECOND)};
	add_companion(arena, result,
		      (struct companion){.attributes = attributes,
					 .attribute_count = attribute_count,
					 .tallies = tuning.items,
					 .tally_count = tuning.count < listed_configurations
								? tuning.count
								: listed_configurations});
	return 0;
}

/* Whether it has a list of objects with a time and a configuration. */
static bool detect_autotuning(struct span head)
{
	struct json_peek peek = json_peek_of(head);
	struct json_peek_value value;
	bool has_time = false, has_configuration = false;
	while (json_peek_next(&peek, &value)) {
		if (value.depth == 0 && value.kind != '{' && value.kind != '[')
			return false;
		int depth = value.depth;
		bool in_trial = depth >= 2 && depth <= 3 && !value.is_item &&
				peek.open[depth - 2].is_array && !peek.open[depth - 1].is_array;
		if (!in_trial)
			continue;
		has_time |= time_unit(value.name) > 0;
		has_configuration |=
			value.kind == '{' ? is_configuration(value.name) : is_tile_size(value.name);
	}
	return has_time && has_configuration;
}

const struct reader tiling_reader = {"tiling", "tiling/<stage>.json of a profiling run", 0,
				     detect_tiling, read_tiling};
const struct reader autotuning_reader = {"autotuning", "autotuning.json of a profiling run", 0,
					 detect_autotuning, read_autotuning};
