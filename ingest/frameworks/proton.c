/*
 * Hatchet trees of Triton's Proton: one run per kernel and device, summed over the call paths that
 * launch it. The tree is traversed without recursion.
 */

#include "ingest/json/document/document.h"
#include "ingest/collect/collect.h"
#include "ingest/reader.h"

enum { depth_limit = 256, kernel_limit = 20000, source_limit = 64 };

/* A kernel on one device, summed over all call paths. */
struct kernel {
	struct span symbol;
	const char *type, *id; /* device type and id, e.g. "CUDA" and "0" */
	double count, nanoseconds, flops, bytes;
	unsigned width; /* bits, of the declared FLOP; 0: not declared, 1: several widths */
	struct tally sources;
};

/* A node on the current path: its next child, and what its scope declares. */
struct level {
	const struct json *node, *next;
	const char *source;  /* the nearest frame "file:line@function", or NULL */
	double flops, bytes; /* declared by a node without a time of its own; NAN none */
	unsigned width;
	size_t kernel; /* 1 + index of the only kernel below the node so far; 0 none */
	bool several;  /* there are several kernels below the node */
};

struct reading {
	struct arena *arena;
	const struct json *devices;
	struct tally names;
	struct kernel *kernels;
	size_t count, capacity;
	struct level stack[depth_limit];
	int depth;
	size_t unassigned; /* scopes that declare FLOP or bytes for several kernels or none */
	size_t uncounted;  /* nodes with a time and without launches */
	struct json_runs runs;
};

static double plus(double sum, double more)
{
	return isnan(sum) ? more : isnan(more) ? sum : sum + more;
}

static const struct json *metrics_of(const struct json *node)
{
	return json_get(node, "metrics");
}

static const char *frame_name(const struct json *node)
{
	return json_text(json_get(node, "frame"), "name", "");
}

/* FLOP that the user declared: "flops", or "flops8" to "flops64" for operands of that width in
 * bits. */
static double flops_of(const struct json *metrics, unsigned *width)
{
	static const struct {
		const char *name;
		unsigned width;
	} names[] = {
		{"flops", 0}, {"flops8", 8}, {"flops16", 16}, {"flops32", 32}, {"flops64", 64}};
	double sum = NAN;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		double flops = json_document_quantity(metrics, names[i].name, 1);
		if (!(flops > 0))
			continue;
		*width = isnan(sum) ? names[i].width : 1;
		sum = plus(sum, flops);
	}
	return sum;
}

static double bytes_of(const struct json *metrics)
{
	double bytes = json_document_quantity(metrics, "bytes", 1);
	return bytes > 0 ? bytes : NAN;
}

static void declare(struct kernel *kernel, double flops, double bytes, unsigned width)
{
	if (!isnan(flops)) {
		kernel->width = isnan(kernel->flops) || kernel->width == width ? width : 1;
		kernel->flops = plus(kernel->flops, flops);
	}
	kernel->bytes = plus(kernel->bytes, bytes);
}

/* --- kernels --- */

/* "/home/me/test.py:1@foo" -> "foo". A frame with only a path has no kernel name. */
static struct span symbol_of(const char *frame)
{
	struct span name = span_of(frame);
	const char *at = strrchr(frame, '@');
	if (at && at[1] &&
	    span_find((struct span){frame, (size_t)(at - frame)}, ":") < (size_t)(at - frame))
		name = span_of(at + 1);
	return name;
}

/* A device's type or id. It becomes part of names, so it must be a plain text. */
static const char *plain(struct arena *arena, const struct json *node)
{
	const char *text = json_document_scalar(arena, node);
	char *copy = arena_strdup(arena, text ? text : "");
	for (char *c = copy; *c; c++)
		if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 0x7f)
			*c = '?';
	return copy;
}

static struct kernel *find_kernel(struct reading *r, const struct json *node, struct error *err)
{
	const struct json *metrics = metrics_of(node);
	const char *type = plain(r->arena, json_get(metrics, "device_type"));
	const char *id = plain(r->arena, json_get(metrics, "device_id"));
	struct span symbol = symbol_of(frame_name(node));
	size_t before = r->names.count;
	const char *key = arena_printf(r->arena, "%.32s %.32s %.*s", type, id,
				       symbol.len < 4000 ? (int)symbol.len : 4000,
				       symbol.ptr ? symbol.ptr : "");
	size_t index = (size_t)(tally_find(&r->names, span_of(key)) - r->names.entries);
	if (r->names.overflowed || r->names.count > kernel_limit) {
		error_set(err, ERR_FORMAT, "more than %d kernels, or very long names",
			  (int)kernel_limit);
		return NULL;
	}
	if (r->names.count > before) {
		*arena_next(r->arena, r->kernels, r->count, r->capacity) =
			(struct kernel){.symbol = symbol,
					.type = type,
					.id = id,
					.flops = NAN,
					.bytes = NAN,
					.sources = {.arena = r->arena}};
	}
	return &r->kernels[index];
}

static void add_source(struct reading *r, struct kernel *kernel, double count, double nanoseconds)
{
	const char *source = r->stack[r->depth - 1].source;
	if (!source || kernel->sources.count > source_limit)
		return;
	struct tally_entry *entry = tally_find(&kernel->sources, span_of(source));
	entry->count += count;
	entry->ticks += nanoseconds;
}

static int add_launches(struct reading *r, const struct json *node, struct error *err)
{
	const struct json *metrics = metrics_of(node);
	double time = json_document_quantity(metrics, "time (ns)", 1);
	double count = json_document_quantity(metrics, "count", 1);
	unsigned width = 0;
	const struct json *stated = json_get(metrics, "time (ns)");
	if (stated && stated->type != JSON_NUMBER && stated->type != JSON_NULL)
		return error_set(err, ERR_FORMAT, "%.80s: \"time (ns)\" is not a number",
				 json_document_line(r->arena, frame_name(node), 80));
	if (!(time > 0))
		return 0;
	if (!(count >= 1)) {
		r->uncounted++;
		return 0;
	}
	struct kernel *kernel = find_kernel(r, node, err);
	if (!kernel)
		return -1;
	double flops = flops_of(metrics, &width);
	kernel->count += count;
	kernel->nanoseconds += time;
	declare(kernel, flops, bytes_of(metrics), width);
	add_source(r, kernel, count, time);
	size_t index = (size_t)(kernel - r->kernels) + 1;
	for (int i = 0; i < r->depth; i++) {
		r->stack[i].several |= r->stack[i].kernel && r->stack[i].kernel != index;
		r->stack[i].kernel = index;
	}
	return 0;
}

/* --- the tree --- */

static const char *source_of(struct reading *r, const struct json *node)
{
	const char *frame = frame_name(node);
	if (symbol_of(frame).ptr != frame)
		return json_document_line(r->arena, frame, json_line_limit);
	return r->depth ? r->stack[r->depth - 1].source : NULL;
}

static int enter(struct reading *r, const struct json *node, struct error *err)
{
	const struct json *metrics = metrics_of(node);
	const struct json *children = json_get(node, "children");
	if (node->type != JSON_OBJECT || !json_get(node, "frame") ||
	    (children && children->type != JSON_ARRAY))
		return error_set(
			err, ERR_FORMAT,
			"a node below %.80s is not of the form {\"children\": [...], \"frame\": "
			"{...}, \"metrics\": {...}}",
			r->depth ? json_document_line(r->arena,
						      frame_name(r->stack[r->depth - 1].node), 80)
				 : "the document");
	if (r->depth == depth_limit)
		return error_set(err, ERR_FORMAT, "the tree is deeper than %d frames",
				 (int)depth_limit);
	struct level *level = &r->stack[r->depth];
	*level = (struct level){
		.node = node,
		.next = children ? children->first : NULL,
		.source = source_of(r, node),
		.flops = NAN,
		.bytes = NAN,
	};
	/* A node with a time does not declare work; the root has zeros that were never computed. */
	if (!(json_number(metrics, "time (ns)", 0) > 0)) {
		level->flops = flops_of(metrics, &level->width);
		level->bytes = bytes_of(metrics);
	}
	r->depth++;
	return add_launches(r, node, err);
}

/* Leaves a node. The work that a scope declares is assigned if exactly one kernel runs in it. */
static void leave(struct reading *r)
{
	assert(r->depth > 0);
	const struct level *level = &r->stack[--r->depth];
	if (isnan(level->flops) && isnan(level->bytes))
		return;
	if (level->kernel && !level->several)
		declare(&r->kernels[level->kernel - 1], level->flops, level->bytes, level->width);
	else
		r->unassigned++;
}

static int walk(struct reading *r, const struct json *root, struct error *err)
{
	if (enter(r, root, err) < 0)
		return -1;
	while (r->depth) {
		struct level *top = &r->stack[r->depth - 1];
		const struct json *child = top->next;
		if (!child) {
			leave(r);
			continue;
		}
		top->next = child->next;
		if (enter(r, child, err) < 0)
			return -1;
	}
	return 0;
}

/* --- runs --- */

/* Proton does not record device names: "cuda-sm89-128sm", "hip-gfx90a-104cu" replace them. */
static void read_device(struct reading *r, struct run *run, const struct kernel *kernel)
{
	const struct json *device = json_document_small(json_get(
		json_document_small(json_get(json_document_small(r->devices), kernel->type)),
		kernel->id));
	const char *arch = plain(r->arena, json_get(device, "arch"));
	double units = json_document_quantity(device, "num_sms", 1);
	double clock = json_document_quantity(device, "memory_clock_rate", 1e3);
	double width = json_document_quantity(device, "bus_width", 1);
	bool cuda = strcmp(kernel->type, "CUDA") == 0, hip = strcmp(kernel->type, "HIP") == 0;
	if (!*arch)
		return;
	if (cuda || hip)
		run->device =
			arena_printf(r->arena, "%s%.*s-%.0f%s", cuda ? "cuda-sm" : "hip-",
				     (int)utf8_valid_prefix((struct span){arch, strnlen(arch, 40)}),
				     arch, units < 1e6 ? units : 0, cuda ? "sm" : "cu");
	run_add_attribute(r->arena, run, "arch", arch);
	json_document_attribute(r->arena, run, device, "num_sms", "num_sms");
	json_document_attribute(r->arena, run, device, "clock_rate", "clock_rate_khz");
	/* Memory transfers twice per clock cycle; AMD's HBM does not follow this rule. */
	if (cuda && clock > 0 && width > 0)
		run_set(run, METRIC_PEAK_BANDWIDTH, 2 * clock * width / 8, PROVENANCE_DERIVED);
}

static void add_sources(struct reading *r, struct run *run, struct kernel *kernel)
{
	size_t count = kernel->sources.count;
	struct run_tally *rows = arena_array(r->arena, count + 1, sizeof *rows);
	tally_write(&kernel->sources, TALLY_SOURCE, 1e-9, rows);
	for (size_t i = 0; i < count; i++)
		run_add_tally(r->arena, run, rows[i]);
}

static void add_run(struct reading *r, struct kernel *kernel, bool several_devices)
{
	struct run *run = run_new(r->arena);
	double mean = kernel->nanoseconds / 1e9 / kernel->count;
	const char *symbol = json_document_line(
		r->arena,
		arena_strndup(r->arena, kernel->symbol.ptr ? kernel->symbol.ptr : "",
			      kernel->symbol.len),
		4000);
	run->kernel = kernel_name_short(r->arena, span_of(symbol));
	if (strcmp(symbol, run->kernel) != 0 && *symbol)
		run_add_attribute(r->arena, run, "kernel_symbol", symbol);
	run->tool = "proton";
	if (several_devices)
		run->node = arena_printf(r->arena, "%s %s", kernel->type, kernel->id);
	read_device(r, run, kernel);
	run_set(run, METRIC_TOTAL_TIME, mean, PROVENANCE_MEASURED);
	run_set(run, METRIC_LAUNCH_COUNT, kernel->count, PROVENANCE_MEASURED);
	if (kernel->count > 1) {
		struct run_spread spread = run_spread_unknown(METRIC_TOTAL_TIME);
		spread.count = kernel->count;
		spread.mean = mean;
		run_add_spread(r->arena, run, spread);
	}
	run_set(run, METRIC_ALGORITHMIC_FLOPS, kernel->flops / kernel->count, PROVENANCE_REPORTED);
	run_set(run, METRIC_ALGORITHMIC_BYTES, kernel->bytes / kernel->count, PROVENANCE_REPORTED);
	if (kernel->width > 1 && !isnan(kernel->flops))
		run_add_attribute(r->arena, run, "flops_width",
				  arena_printf(r->arena, "%u bits", kernel->width));
	add_sources(r, run, kernel);
	json_document_add_run(&r->runs, run);
}

static int add_runs(struct reading *r, struct ingest_result *result, struct error *err)
{
	bool several = false;
	if (r->count == 0)
		return error_set(
			err, ERR_FORMAT,
			"no frame has \"time (ns)\" and \"count\": no kernel was recorded");
	for (size_t i = 1; i < r->count; i++)
		several |= strcmp(r->kernels[i].type, r->kernels[0].type) != 0 ||
			   strcmp(r->kernels[i].id, r->kernels[0].id) != 0;
	for (size_t i = 0; i < r->count; i++)
		add_run(r, &r->kernels[i], several);
	if (r->unassigned)
		json_document_note(&r->runs,
				   "scopes whose FLOP or bytes span several kernels or none: %zu, "
				   "not attributed",
				   r->unassigned);
	else if (r->uncounted)
		json_document_note(&r->runs, "frames with a time but no launches, skipped: %zu",
				   r->uncounted);
	return json_document_finish(&r->runs, "", result, err);
}

static int read_proton(struct arena *arena, struct input *input, struct ingest_result *result,
		       struct error *err)
{
	const struct json *root = json_document_read(arena, input, err);
	if (!root)
		return -1;
	if (root->type != JSON_ARRAY || !root->first)
		return error_set(err, ERR_FORMAT, "expected a list of a tree and its devices");
	struct reading *r = arena_new(arena, struct reading);
	*r = (struct reading){.arena = arena,
			      .runs = {.arena = arena},
			      .devices = root->first->next,
			      .names = {.arena = arena}};
	int rc = walk(r, root->first, err);
	if (rc == 0)
		rc = add_runs(r, result, err);
	for (size_t i = 0; i < r->count; i++)
		tally_free(&r->kernels[i].sources);
	tally_free(&r->names);
	return rc;
}

/* Whether it is a list whose first item has exactly the three members of a node. The head may end
 * inside the outer nodes, so any such object counts. */
static bool detect(struct span head)
{
	struct json_peek peek = json_peek_of(head);
	struct json_peek_value value;
	unsigned found = 0;
	bool first = true, list = span_starts(span_trim(peek.rest), "[");
	while (list && json_peek_next(&peek, &value)) {
		if (first && value.depth >= 1 && (value.depth > 1 || value.kind != '{'))
			return false;
		first &= value.depth < 1;
		if (value.is_item || value.depth < 2 || value.depth % 2)
			continue;
		if (value.depth == 2 && found == 0 && !span_is(value.name, "children") &&
		    !span_is(value.name, "frame") && !span_is(value.name, "metrics"))
			return false;
		found |= span_is(value.name, "children") && value.kind == '[' ? 1 : 0;
		found |= span_is(value.name, "frame") && value.kind == '{' ? 2 : 0;
		found |= span_is(value.name, "metrics") && value.kind == '{' ? 4 : 0;
	}
	bool deep = peek.end == JSON_PEEK_BROKEN && peek.depth >= json_peek_depth;
	return found == 7 || (found == 1 && deep);
}

const struct reader proton_reader = {"proton", "Triton Proton (hatchet)", 0, detect, read_proton};
