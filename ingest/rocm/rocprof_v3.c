/*
 * JSON of rocprofv3 (*_results.json), read as it streams by: one item per process, of which
 *
 *   agents                           GPUs by handle: the device
 *   kernel_symbols                   kernels by id: name and registers
 *   buffer_records.kernel_dispatch   launches, which refer to both
 *
 * rocprofv3 writes them in this order. Counters (callback_records) are not read.
 */

#include "base/text/text.h"
#include "ingest/collect/collect.h"
#include "ingest/json/document/peek.h"
#include "ingest/json/scan.h"
#include "ingest/reader.h"
#include "ingest/rocm/rocprof_table.h"

static const char root[] = "rocprofiler-sdk-tool";

enum { path_size = 64, field_limit = 12, text_limit = 2, agent_limit = 256 };

/* The wanted members of an object, by their paths. */
struct record {
	const char *const *paths; /* of numbers, then of texts; NULL ends each of the two lists */
	uint64_t numbers[field_limit];
	bool known[field_limit];
	struct span texts[text_limit];
};

struct agent {
	uint64_t handle;
	const char *name; /* NULL: no GPU */
};

struct symbol {
	uint64_t id;
	struct span name;
	double registers;
};

struct symbols {
	struct symbol *items;
	size_t count, capacity, name_bytes;
	bool sorted;
};

struct reading {
	struct arena *arena;
	struct json_scan *scan;
	struct launches launches;
	struct agent *agents;
	size_t agent_count, agent_capacity;
	struct symbols symbols;
	bool has_counters;
	/* The record that is read, and buffers for its texts; not zeroed. */
	struct record record;
	char member[json_text_limit + 1], texts[text_limit][json_text_limit + 1];
};

/* --- records --- */

/* Copies a text, without escapes, into `room`. */
static int read_text(struct reading *r, char *room, struct span *text, struct error *err)
{
	struct span raw;
	bool escaped;
	if (json_scan_text(r->scan, &raw, &escaped, err) < 0)
		return -1;
	*text = (struct span){room, raw.len};
	if (escaped)
		text->len = json_string_decode(raw, room);
	else
		memcpy(room, raw.ptr, raw.len);
	return 0;
}

/* 1 and the name of the next member; 0 at the end of the object; -1 and *err. */
static int next_member(struct reading *r, struct span *name, struct error *err)
{
	int rc = json_scan_next(r->scan, err);
	if (rc <= 0)
		return rc;
	return read_text(r, r->member, name, err) < 0 || json_scan_colon(r->scan, err) < 0 ? -1 : 1;
}

/* Reads a whole number into the record's field; any other number is unknown. */
static int read_number(struct reading *r, size_t field, struct error *err)
{
	struct span text;
	bool whole;
	if (json_scan_number(r->scan, &text, &whole, err) < 0)
		return -1;
	r->record.known[field] = rocprof_nanoseconds(text, &r->record.numbers[field]);
	return 0;
}

/* The index of the path in a list; -1: it is not there, -2: but paths below it are. */
static int find_path(const char *const *paths, const char *path)
{
	int found = -1;
	size_t len = strlen(path);
	for (int i = 0; paths[i]; i++)
		if (strcmp(paths[i], path) == 0)
			return i;
		else if (strncmp(paths[i], path, len) == 0 && paths[i][len] == '.')
			found = -2;
	return found;
}

static int read_members(struct reading *r, const char *above, struct error *err);

/* Reads the value of the member with this path: a number, a text, or an object of such members. */
static int read_member(struct reading *r, const char *path, struct error *err)
{
	const char *const *numbers = r->record.paths, *const *texts = numbers;
	int c = json_scan_peek(r->scan, err);
	while (*texts++)
		;
	int number = find_path(numbers, path), text = find_path(texts, path);
	if (c >= '0' && c <= '9' && number >= 0)
		return read_number(r, (size_t)number, err);
	if (c == '"' && text >= 0)
		return read_text(r, r->texts[text], &r->record.texts[text], err);
	if (c == '{' && number == -2)
		return read_members(r, path, err);
	return c < 0 ? -1 : json_scan_skip(r->scan, err);
}

static int read_members(struct reading *r, const char *above, struct error *err)
{
	struct span name;
	char path[path_size];
	int rc;
	if (json_scan_open(r->scan, err) < 0)
		return -1;
	while ((rc = next_member(r, &name, err)) > 0) {
		int len = snprintf(path, sizeof path, "%s%s%.*s", above, above[0] ? "." : "",
				   name.len < path_size ? (int)name.len : path_size, name.ptr);
		rc = len < path_size ? read_member(r, path, err) : json_scan_skip(r->scan, err);
		if (rc < 0)
			return -1;
	}
	return rc;
}

/* Reads the objects of a list; `add` takes each. */
static int read_list(struct reading *r, const char *name, const char *const *paths,
		     int (*add)(struct reading *r, struct error *err), struct error *err)
{
	uint64_t index = 0;
	int c = json_scan_peek(r->scan, err), rc;
	if (c != '[')
		return c < 0 ? -1
			     : json_scan_fail(r->scan, r->scan->at, err, "%s is not a list", name);
	if (json_scan_open(r->scan, err) < 0)
		return -1;
	for (; (rc = json_scan_next(r->scan, err)) > 0; index++) {
		r->record = (struct record){.paths = paths};
		c = json_scan_peek(r->scan, err);
		rc = c == '{' ? read_members(r, "", err)
		     : c < 0  ? -1
			      : json_scan_skip(r->scan, err);
		if (rc < 0 || (c == '{' && add(r, err) < 0))
			return error_prefix(err, "%s[%" PRIu64 "]", name, index);
	}
	return rc;
}

static double number_of(const struct reading *r, size_t field)
{
	return r->record.known[field] ? (double)r->record.numbers[field] : NAN;
}

/* --- agents and symbols --- */

enum { AGENT_HANDLE, AGENT_TYPE, AGENT_GPU = 2 };
static const char *const agent_paths[] = {"id.handle", "type", NULL, "product_name", NULL};

static int add_agent(struct reading *r, struct error *err)
{
	const struct span *name = &r->record.texts[0];
	if (!r->record.known[AGENT_HANDLE] || r->record.numbers[AGENT_TYPE] != AGENT_GPU ||
	    !utf8_is_line(*name) || name->len == 0 || name->len > 200)
		return 0;
	if (r->agent_count == agent_limit)
		return error_set(err, ERR_FORMAT, "more than %d GPUs", (int)agent_limit);
	*arena_next(r->arena, r->agents, r->agent_count, r->agent_capacity) = (struct agent){
		r->record.numbers[AGENT_HANDLE], arena_strndup(r->arena, name->ptr, name->len)};
	return 0;
}

enum { SYMBOL_ID, SYMBOL_VGPR, SYMBOL_ACCUM };
static const char *const symbol_paths[] = {"kernel_id", "arch_vgpr_count",       "accum_vgpr_count",
					   NULL,        "formatted_kernel_name", "kernel_name",
					   NULL};

static int add_symbol(struct reading *r, struct error *err)
{
	struct symbols *symbols = &r->symbols;
	struct span name = r->record.texts[0].len ? r->record.texts[0] : r->record.texts[1];
	double accumulators = number_of(r, SYMBOL_ACCUM);
	name = rocprof_symbol(name);
	if (!r->record.known[SYMBOL_ID])
		return error_set(err, ERR_FORMAT, "kernel_id is missing");
	symbols->name_bytes += name.len + sizeof *symbols->items;
	if (symbols->name_bytes > launch_symbol_limit)
		return error_set(err, ERR_FORMAT, "more than %d MiB of kernel names in one file",
				 (int)launch_symbol_limit >> 20);
	*arena_add(r->arena, symbols) = (struct symbol){
		r->record.numbers[SYMBOL_ID],
		{arena_strndup(r->arena, name.ptr, name.len), name.len},
		number_of(r, SYMBOL_VGPR) + (isnan(accumulators) ? 0 : accumulators)};
	symbols->sorted = false;
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct symbol *one = a, *two = b;
	return (one->id > two->id) - (one->id < two->id);
}

static const struct symbol *find_symbol(struct symbols *symbols, uint64_t id)
{
	const struct symbol key = {.id = id};
	if (!symbols->sorted)
		array_sort(symbols->items, symbols->count, sizeof key, by_id);
	symbols->sorted = true;
	return symbols->count ? bsearch(&key, symbols->items, symbols->count, sizeof key, by_id)
			      : NULL;
}

/* --- launches --- */

enum { BEGIN, END, AGENT, KERNEL, LDS, GRID, BLOCK = GRID + 3 };
static const char *const dispatch_paths[] = {"start_timestamp",
					     "end_timestamp",
					     "dispatch_info.agent_id.handle",
					     "dispatch_info.kernel_id",
					     "dispatch_info.group_segment_size",
					     "dispatch_info.grid_size.x",
					     "dispatch_info.grid_size.y",
					     "dispatch_info.grid_size.z",
					     "dispatch_info.workgroup_size.x",
					     "dispatch_info.workgroup_size.y",
					     "dispatch_info.workgroup_size.z",
					     NULL,
					     NULL};
_Static_assert(sizeof dispatch_paths / sizeof *dispatch_paths <= field_limit + 1, "room for all");

static int add_dispatch(struct reading *r, struct error *err)
{
	const uint64_t *numbers = r->record.numbers;
	const bool *known = r->record.known;
	struct launch launch = launches_unknown();
	double grid[3], block[3];
	if (!known[BEGIN] || !known[END] || numbers[END] < numbers[BEGIN])
		return error_set(err, ERR_FORMAT,
				 "start_timestamp and end_timestamp are not increasing times");
	const struct symbol *symbol =
		known[KERNEL] ? find_symbol(&r->symbols, numbers[KERNEL]) : NULL;
	if (!symbol)
		return error_set(err, ERR_FORMAT,
				 "dispatch_info.kernel_id is not one of the %zu kernel_symbols "
				 "before it",
				 r->symbols.count);
	for (int i = 0; i < 3; i++) {
		grid[i] = number_of(r, GRID + (size_t)i);
		block[i] = number_of(r, BLOCK + (size_t)i);
	}
	rocprof_sizes(&launch, grid, block);
	launch.symbol = symbol->name;
	for (size_t i = 0; known[AGENT] && i < r->agent_count; i++)
		if (r->agents[i].handle == numbers[AGENT])
			launch.device = span_of(r->agents[i].name);
	launch.values[ROCPROF_TIME] = (double)(numbers[END] - numbers[BEGIN]) / 1e9;
	launch.values[ROCPROF_REGISTERS] = symbol->registers;
	launch.values[ROCPROF_SHARED] = number_of(r, LDS);
	return launches_add(&r->launches, &launch, err);
}

static int note_counters(struct reading *r, struct error *err)
{
	(void)err;
	r->has_counters = true;
	return 0;
}

/* --- the document --- */

static const char *const no_paths[] = {NULL, NULL};

/* The lists of a process, by where they are. */
static const struct {
	const char *object, *name;
	const char *const *paths;
	int (*add)(struct reading *r, struct error *err);
} lists[] = {
	{"", "agents", agent_paths, add_agent},
	{"", "kernel_symbols", symbol_paths, add_symbol},
	{"callback_records", "counter_collection", no_paths, note_counters},
	{"buffer_records", "kernel_dispatch", dispatch_paths, add_dispatch},
};

static int read_object(struct reading *r, const char *object, struct error *err);

/* Reads a member of the process (object "") or of one of its objects. */
static int read_part(struct reading *r, const char *object, struct span name, struct error *err)
{
	int c = json_scan_peek(r->scan, err);
	if (c < 0)
		return -1;
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		if (strcmp(lists[i].object, object) == 0 && span_is(name, lists[i].name))
			return read_list(r, lists[i].name, lists[i].paths, lists[i].add, err);
		if (!object[0] && lists[i].object[0] && span_is(name, lists[i].object) && c == '{')
			return read_object(r, lists[i].object, err);
	}
	return json_scan_skip(r->scan, err);
}

static int read_object(struct reading *r, const char *object, struct error *err)
{
	struct span name;
	int rc;
	if (json_scan_open(r->scan, err) < 0)
		return -1;
	while ((rc = next_member(r, &name, err)) > 0)
		if (read_part(r, object, name, err) < 0)
			return -1;
	return rc;
}

static int read_processes(struct reading *r, struct error *err)
{
	uint64_t index = 0;
	int c = json_scan_peek(r->scan, err), rc;
	if (c != '[')
		return c < 0 ? -1
			     : json_scan_fail(r->scan, r->scan->at, err, "%s is not a list", root);
	if (json_scan_open(r->scan, err) < 0)
		return -1;
	for (; (rc = json_scan_next(r->scan, err)) > 0; index++) {
		r->agent_count = r->symbols.count = 0;
		c = json_scan_peek(r->scan, err);
		rc = c == '{' ? read_object(r, "", err) : c < 0 ? -1 : json_scan_skip(r->scan, err);
		if (rc < 0)
			return error_prefix(err, "%s[%" PRIu64 "]", root, index);
	}
	return rc;
}

static int read_document(struct reading *r, struct error *err)
{
	struct span name;
	int c = json_scan_peek(r->scan, err), rc;
	if (c != '{')
		return c < 0 ? -1
			     : json_scan_fail(r->scan, r->scan->at, err,
					      "the document must start with '{'");
	if (json_scan_open(r->scan, err) < 0)
		return -1;
	while ((rc = next_member(r, &name, err)) > 0)
		if ((span_is(name, root) ? read_processes(r, err) : json_scan_skip(r->scan, err)) <
		    0)
			return -1;
	if (rc == 0)
		rc = json_scan_at_end(r->scan, err);
	if (rc == 0)
		return json_scan_fail(r->scan, r->scan->at, err,
				      "trailing data after the end of the document");
	return rc < 0 ? -1 : 0;
}

static int read_results(struct arena *arena, struct input *input, struct ingest_result *result,
			struct error *err)
{
	struct reading *r = malloc(sizeof *r);
	if (!r)
		abort();
	r->arena = arena;
	r->launches = launches_of(arena, &rocprof_launches);
	r->agents = NULL;
	r->agent_count = r->agent_capacity = 0;
	r->symbols = (struct symbols){0};
	r->has_counters = false;
	r->scan = json_scan_new(input, json_buffer_size);
	int rc = read_document(r, err);
	if (json_source_check(&r->scan->source, err) < 0)
		rc = -1;
	json_scan_free(r->scan);
	if (rc == 0)
		rc = launches_finish(
			&r->launches, &result->runs,
			r->has_counters
				? "the file has counters, but no kernel dispatches: add "
				  "--kernel-trace to rocprofv3, or --output-format csv for counters"
				: "the file has no kernel dispatches: they were not traced "
				  "(rocprofv3 --kernel-trace)",
			err);
	free(r);
	return rc;
}

static bool detect(struct span head)
{
	struct json_peek peek = json_peek_of(head);
	struct json_peek_value value;
	if (!span_starts(span_trim(peek.rest), "{"))
		return false;
	while (json_peek_next(&peek, &value))
		if (value.depth == 1)
			return span_is(value.name, root);
	return false;
}

const struct reader rocprofv3_json_reader = {"rocprofv3-json", "AMD rocprofv3: *_results.json",
					     NEEDS_DEVICE, detect, read_results};
