/*
 * Traces of the PyTorch profiler (Kineto) of any size: one run per kernel. If a kernel was launched
 * with several grids and blocks, it has one run for each. All events except kernels are skipped.
 */

#include "base/hash/hash.h"
#include "base/base.h"
#include "base/text/text.h"
#include "ingest/json/document/document.h"
#include "ingest/collect/collect.h"
#include "ingest/frameworks/kineto_trace.h"
#include "ingest/reader.h"

enum {
	kernel_limit = 50000,
	sample_limit = 4000000, /* durations that are stored, of all kernels together */
	device_limit = 64,
	symbol_limit = 4000,
	dimensions = kineto_dimensions
};

struct kernel {
	const char *symbol; /* cut to symbol_limit bytes */
	uint64_t hash;      /* of the whole symbol */
	double device, registers, shared, occupancy;
	double grid[dimensions], block[dimensions];
	double launches, *samples;
	size_t count, capacity;
	bool varies;      /* the attributes above differ between launches */
	bool has_params;  /* its short name also occurs with another grid or block */
	bool has_twin;    /* another symbol has the same short name */
	const char *name; /* short name */
};

struct device {
	double id;
	const char *name;
};

struct reading {
	struct arena *arena;
	struct tally names;
	struct kernel *kernels;
	size_t capacity, kernel_count;
	size_t sample_count;
	uint64_t events, untimed;
	struct device devices[device_limit];
	size_t device_count;
	struct json_runs runs;
	struct trace *trace; /* NULL: events are not wanted */
};

static bool differ(double a, double b)
{
	return !(a == b || (isnan(a) && isnan(b)));
}

/* "8x1x1", as in all readers of launches. */
static void add_dimensions(struct strbuf *sb, const double size[dimensions])
{
	for (int i = 0; i < dimensions; i++)
		if (isnan(size[i]))
			strbuf_addstr(sb, i ? "x?" : "?");
		else
			strbuf_addf(sb, "%s%.0f", i ? "x" : "", size[i]);
}

static const char *dimensions_text(struct arena *arena, const double size[dimensions])
{
	struct strbuf sb = {0};
	add_dimensions(&sb, size);
	return strbuf_into(&sb, arena);
}

static struct kernel *find_kernel(struct reading *r, const struct kineto_event *event,
				  struct error *err)
{
	struct strbuf key = {0};
	uint64_t hash = table_hash_of(event->name);
	size_t len = event->name.len < symbol_limit ? event->name.len : symbol_limit;
	while (len < event->name.len && len && ((unsigned char)event->name.ptr[len] & 0xc0) == 0x80)
		len--;
	strbuf_addf(&key, "%.0f ", isnan(event->device) ? -1 : event->device);
	add_dimensions(&key, event->grid);
	strbuf_addch(&key, ' ');
	add_dimensions(&key, event->block);
	strbuf_addf(&key, " %016" PRIx64, hash);
	size_t index = (size_t)(tally_find(&r->names, strbuf_span(&key)) - r->names.entries);
	strbuf_free(&key);
	if (r->names.overflowed || r->names.count > kernel_limit) {
		error_set(err, ERR_FORMAT,
			  "more than %d kernels (by name, grid and block); trace fewer steps",
			  (int)kernel_limit);
		return NULL;
	}
	if (r->names.count == r->kernel_count)
		return &r->kernels[index];
	struct kernel *kernel = arena_next(r->arena, r->kernels, r->kernel_count, r->capacity);
	*kernel = (struct kernel){
		.symbol = json_document_line(
			r->arena, arena_strndup(r->arena, event->name.ptr, len), symbol_limit),
		.hash = hash,
		.device = event->device,
		.registers = event->registers,
		.shared = event->shared,
		.occupancy = event->occupancy};
	memcpy(kernel->grid, event->grid, sizeof kernel->grid);
	memcpy(kernel->block, event->block, sizeof kernel->block);
	return kernel;
}

/* --- events --- */

static const char *operands_of(struct arena *arena, const struct kineto_event *event)
{
	struct strbuf sb = {0};
	if (!isnan(event->grid[0]) && !isnan(event->block[0])) {
		strbuf_addstr(&sb, "grid ");
		add_dimensions(&sb, event->grid);
		strbuf_addstr(&sb, ", block ");
		add_dimensions(&sb, event->block);
	}
	if (event->registers >= 0)
		strbuf_addf(&sb, "%s%.0f registers", sb.len ? ", " : "", event->registers);
	if (event->shared >= 0)
		strbuf_addf(&sb, "%s%.0f B shared memory", sb.len ? ", " : "", event->shared);
	if (event->bytes >= 0)
		strbuf_addf(&sb, "%s%s", sb.len ? ", " : "",
			    quantity_text(arena, event->bytes, UNIT_BYTE));
	return strbuf_into(&sb, arena);
}

/* Kernels are on the track of their stream, its copies and memory sets on another. */
static void add_to_trace(struct trace *trace, const struct kineto_event *event, bool kernel)
{
	struct arena scratch = {0};
	double nanoseconds = event->duration * 1e3;
	if (!event->has_begin || !(nanoseconds >= 0 && nanoseconds < (double)trace_tick_limit)) {
		trace->more++;
		return;
	}
	const char *gpu = arena_printf(&scratch, "GPU %.0f", event->device);
	const char *stream = isnan(event->stream)
				     ? "unknown stream"
				     : arena_printf(&scratch, "stream %.0f", event->stream);
	if (!kernel)
		stream = arena_printf(&scratch, "%s %s", stream,
				      span_is(event->category, "gpu_memset") ? "memory sets"
									     : "copies");
	trace->tick = 1e-9;
	trace_add_from_origin(
		trace,
		(struct trace_event){
			.begin = event->begin,
			.duration = (uint64_t)llround(nanoseconds),
			.track = trace_track(trace, kernel ? TRACE_ENGINE : TRACE_QUEUE,
					     span_of(isnan(event->device) ? "" : gpu),
					     span_of(stream)),
			.name = utf8_is_line(event->name) ? trace_text(trace, event->name) : 0,
			.operands = trace_text(trace, span_of(operands_of(&scratch, event))),
		});
	arena_free(&scratch);
}

/* --- kernels --- */

/* Only kernels count: copies and fills of the same stream are not computation. */
static int read_event(void *context, const struct kineto_event *event, struct error *err)
{
	struct reading *r = context;
	bool is_kernel = span_is(event->category, "kernel") || span_is(event->category, "Kernel");
	r->events++;
	if (r->trace && (is_kernel || span_is(event->category, "gpu_memcpy") ||
			 span_is(event->category, "gpu_memset")))
		add_to_trace(r->trace, event, is_kernel);
	if (!is_kernel)
		return 0;
	if (!event->name.len || isnan(event->duration)) {
		r->untimed++;
		return 0;
	}
	struct kernel *kernel = find_kernel(r, event, err);
	if (!kernel)
		return -1;
	kernel->launches++;
	kernel->varies |= differ(kernel->registers, event->registers) ||
			  differ(kernel->shared, event->shared) ||
			  differ(kernel->occupancy, event->occupancy);
	if (r->sample_count == sample_limit)
		return 0;
	*arena_next(r->arena, kernel->samples, kernel->count, kernel->capacity) =
		event->duration / 1e6;
	r->sample_count++;
	return 0;
}

static void read_device(void *context, double id, struct span name)
{
	struct reading *r = context;
	if (!name.len || r->device_count == device_limit)
		return;
	const char *line = json_document_line(r->arena, arena_strndup(r->arena, name.ptr, name.len),
					      json_line_limit);
	if (*line)
		r->devices[r->device_count++] = (struct device){id, line};
}

/* --- runs --- */

static double product(const double size[dimensions])
{
	return size[0] * size[1] * size[2];
}

static int by_name(const void *a, const void *b)
{
	const struct kernel *left = *(struct kernel *const *)a, *right = *(struct kernel *const *)b;
	return strcmp(left->name, right->name);
}

/* Sets has_params and has_twin of the kernels with one short name. */
static void mark(struct kernel **kernels, size_t count)
{
	bool params = false, twins = false;
	for (size_t i = 1; i < count; i++) {
		const struct kernel *a = kernels[0], *b = kernels[i];
		for (int k = 0; k < dimensions; k++)
			params |=
				differ(a->grid[k], b->grid[k]) || differ(a->block[k], b->block[k]);
		twins |= a->hash != b->hash;
	}
	for (size_t i = 0; i < count; i++) {
		kernels[i]->has_params = params;
		kernels[i]->has_twin = twins || span_ends(span_of(kernels[i]->name), "...");
	}
}

/* Grid and block become parameters only if a kernel was launched with several. Overloads, and names
 * that are equal up to the point where they are cut, are distinguished by their symbols. */
static void mark_neighbours(struct reading *r)
{
	struct kernel **sorted = arena_array(r->arena, r->kernel_count, sizeof *sorted);
	for (size_t i = 0; i < r->kernel_count; i++) {
		sorted[i] = &r->kernels[i];
		sorted[i]->name = kernel_name_short(r->arena, span_of(sorted[i]->symbol));
	}
	qsort(sorted, r->kernel_count, sizeof *sorted, by_name);
	for (size_t i = 0, end; i < r->kernel_count; i = end) {
		for (end = i + 1;
		     end < r->kernel_count && strcmp(sorted[i]->name, sorted[end]->name) == 0;
		     end++)
			;
		mark(sorted + i, end - i);
	}
}

static void set_shape(struct reading *r, struct run *run, const struct kernel *kernel)
{
	const char *grid = dimensions_text(r->arena, kernel->grid);
	const char *block = dimensions_text(r->arena, kernel->block);
	if (kernel->has_params) {
		run_set_param(r->arena, run, "grid", grid);
		run_set_param(r->arena, run, "block", block);
	}
	if (isnan(product(kernel->grid)) || isnan(product(kernel->block)))
		return;
	if (!kernel->has_params) {
		run_add_attribute(r->arena, run, "grid", grid);
		run_add_attribute(r->arena, run, "block", block);
	}
	run_set(run, METRIC_GRID_SIZE, product(kernel->grid), PROVENANCE_MEASURED);
	run_set(run, METRIC_BLOCK_SIZE, product(kernel->block), PROVENANCE_MEASURED);
	if (kernel->varies)
		return;
	run_set(run, METRIC_REGISTERS_PER_THREAD, kernel->registers, PROVENANCE_MEASURED);
	if (!isnan(kernel->shared))
		run_add_attribute(r->arena, run, "shared_memory_bytes",
				  arena_printf(r->arena, "%.0f", kernel->shared));
	/* The profiler computes a whole percentage from grid and registers. 0 means less than 0.5
	 * %. */
	if (kernel->occupancy >= 1 && kernel->occupancy <= 100)
		run_set(run, METRIC_ACHIEVED_OCCUPANCY, kernel->occupancy / 100,
			PROVENANCE_ESTIMATED);
}

static void add_run(struct reading *r, const struct kernel *kernel, bool several_devices)
{
	struct run *run = run_new(r->arena);
	run->kernel = kernel->name;
	run->tool = "kineto";
	if (strcmp(run->kernel, kernel->symbol) != 0)
		run_add_attribute(r->arena, run, "kernel_symbol", kernel->symbol);
	if (kernel->has_twin)
		run_set_param(r->arena, run, "symbol",
			      arena_printf(r->arena, "%08" PRIx32, (uint32_t)(kernel->hash >> 32)));
	if (several_devices)
		run->node = arena_printf(r->arena, "device %.0f",
					 isnan(kernel->device) ? -1 : kernel->device);
	for (size_t i = 0; i < r->device_count; i++)
		if (r->devices[i].id == kernel->device || r->device_count == 1)
			run->device = r->devices[i].name;
	run_set_samples(r->arena, run, METRIC_TOTAL_TIME, kernel->samples, kernel->count,
			PROVENANCE_MEASURED);
	if (!(run_time(run) > 0)) {
		r->untimed += (uint64_t)kernel->launches;
		return;
	}
	run_set(run, METRIC_LAUNCH_COUNT, kernel->launches, PROVENANCE_MEASURED);
	if ((double)kernel->count < kernel->launches)
		run_add_note(r->arena, run, "rooflog",
			     arena_printf(r->arena,
					  "time covers only the first %zu of %.0f launches: the "
					  "trace has more than %d kernels",
					  kernel->count, kernel->launches, (int)sample_limit));
	set_shape(r, run, kernel);
	json_document_add_run(&r->runs, run);
}

static int add_runs(struct reading *r, struct ingest_result *result, struct error *err)
{
	bool several = false;
	mark_neighbours(r);
	for (size_t i = 1; i < r->kernel_count; i++)
		several |= differ(r->kernels[i].device, r->kernels[0].device);
	for (size_t i = 0; i < r->kernel_count; i++)
		add_run(r, &r->kernels[i], several);
	if (r->runs.list.count == 0)
		return error_set(err, ERR_FORMAT,
				 "none of %llu events is a kernel with a duration (\"cat\": "
				 "\"kernel\"): enable ProfilerActivity.CUDA and capture again",
				 (unsigned long long)r->events);
	if (r->untimed)
		json_document_note(&r->runs,
				   "kernel events without name or duration, skipped: %llu",
				   (unsigned long long)r->untimed);
	return json_document_finish(&r->runs, "", result, err);
}

static int read_kineto(struct arena *arena, struct input *input, struct ingest_result *result,
		       struct error *err)
{
	struct reading *r = arena_new(arena, struct reading);
	struct kineto_visitor visitor = {r, read_event, read_device, false};
	*r = (struct reading){.arena = arena, .runs = {.arena = arena}, .names = {.arena = arena}};
	r->trace = result->trace;
	int rc = kineto_trace_read(&visitor, input, err);
	if (rc == 0 && !visitor.has_events)
		rc = error_set(err, ERR_FORMAT, "the trace has no \"traceEvents\" list");
	if (rc == 0)
		rc = add_runs(r, result, err);
	tally_free(&r->names);
	return rc;
}

/* Many programs write Chrome traces; this checks for members that only PyTorch writes. */
static bool detect(struct span head)
{
	static const char *const categories[] = {
		"kernel",     "Kernel", "cpu_op",      "cuda_runtime",    "gpu_memcpy",
		"gpu_memset", "ac2g",   "cuda_driver", "python_function", "user_annotation"};
	struct json_peek peek = json_peek_of(head);
	struct json_peek_value value;
	bool events = false, pytorch = false;
	if (!span_starts(span_trim(peek.rest), "{"))
		return false;
	while (json_peek_next(&peek, &value)) {
		if (value.depth == 1 && span_is(value.name, "traceEvents"))
			events = value.kind == '[';
		pytorch |= value.depth == 1 && (span_is(value.name, "schemaVersion") ||
						span_is(value.name, "deviceProperties"));
		if (value.depth != 3 || !span_is(value.name, "cat"))
			continue;
		for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
			pytorch |= span_is(value.text, categories[i]);
	}
	return pytorch && (events || (peek.end == JSON_PEEK_OPEN && head.len >= input_head_size));
}

const struct reader kineto_reader = {"kineto", "PyTorch profiler trace (Kineto)", 0, detect,
				     read_kineto};
