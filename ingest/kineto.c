/* Kineto traces: one pass over the events, kernels gathered by name, grid and block. */
#include "ingest/kineto.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/strbuf.h"
#include "ingest/json_document.h"
#include "ingest/json_scan.h"
#include "ingest/kernel_name.h"
#include "ingest/tally.h"

enum {
	kernel_limit = 20000,
	sample_limit = 4000000, /* durations that are kept, of all kernels together */
	device_limit = 64,
	symbol_limit = 4000,
	dimensions = 3
};

/* What is read of an event; NAN and -1: not there. */
struct event {
	char *name, *category; /* of json_text_limit + 1 bytes each, in the reading */
	size_t name_len, category_len;
	double duration; /* us */
	double device, registers, shared, occupancy;
	double grid[dimensions], block[dimensions];
};

struct kernel {
	const char *symbol; /* at most symbol_limit bytes */
	double device, registers, shared, occupancy;
	double grid[dimensions], block[dimensions];
	double launches, *samples;
	size_t count, capacity;
	bool varies;      /* the attributes above differ between launches */
	bool has_params;  /* its symbol occurs with another grid or block too */
	bool has_twin;    /* another symbol has the same short name */
	const char *name; /* the short one */
};

struct device {
	double id;
	const char *name;
};

struct reading {
	struct arena *arena;
	struct json_scan *scan;
	struct event event;
	struct tally names;
	struct kernel *kernels;
	size_t capacity, kernel_count;
	size_t sample_count;
	uint64_t events, untimed;
	bool has_events; /* the section was there */
	struct device devices[device_limit];
	size_t device_count;
	struct run_list runs;
	char name[json_text_limit + 1], category[json_text_limit + 1], member[json_text_limit + 1];
	char text[json_text_limit + 1];
};

/* --- values --- */

/* A text into `room`; anything else is skipped and leaves *len 0. */
static int read_text(struct reading *r, char *room, size_t *len, struct error *err)
{
	struct span raw;
	bool escaped;
	int c = json_scan_peek(r->scan, err);
	*len = 0;
	if (c != '"')
		return c < 0 ? -1 : json_scan_skip(r->scan, err);
	if (json_scan_text(r->scan, &raw, &escaped, err) < 0)
		return -1;
	*len = raw.len;
	if (escaped)
		*len = json_scan_decode(raw, room);
	else
		memcpy(room, raw.ptr, raw.len);
	return 0;
}

/* A number of at least 0; anything else is skipped and stays NAN. */
static int read_number(struct reading *r, double *number, struct error *err)
{
	struct span text;
	bool whole;
	int c = json_scan_peek(r->scan, err);
	*number = NAN;
	if (c < 0)
		return -1;
	if (c < '0' || c > '9')
		return json_scan_skip(r->scan, err);
	if (json_scan_number(r->scan, &text, &whole, err) < 0)
		return -1;
	if (!span_number(text, number))
		return json_scan_fail(r->scan, text.ptr, err,
				      "the number %.40s is beyond the range of a double",
				      arena_strndup(r->arena, text.ptr, text.len));
	return 0;
}

/* [x, y, z]; anything else stays NAN. */
static int read_dimensions(struct reading *r, double out[dimensions], struct error *err)
{
	int c = json_scan_peek(r->scan, err), rc;
	size_t count = 0;
	for (int i = 0; i < dimensions; i++)
		out[i] = NAN;
	if (c != '[')
		return c < 0 ? -1 : json_scan_skip(r->scan, err);
	if (json_scan_open(r->scan, err) < 0)
		return -1;
	while ((rc = json_scan_next(r->scan, err)) > 0) {
		double number;
		if (read_number(r, &number, err) < 0)
			return -1;
		if (count < dimensions)
			out[count] = number;
		count++;
	}
	return rc;
}

/* The name of the next member; 0 at the end of the object. */
static int next_member(struct reading *r, struct span *name, struct error *err)
{
	size_t len;
	int rc = json_scan_next(r->scan, err);
	if (rc <= 0)
		return rc;
	if (read_text(r, r->member, &len, err) < 0 || json_scan_colon(r->scan, err) < 0)
		return -1;
	*name = (struct span){r->member, len};
	return 1;
}

/* --- events --- */

static int read_arguments(struct reading *r, struct error *err)
{
	struct event *event = &r->event;
	const struct {
		const char *name;
		double *number;
	} numbers[] = {{"device", &event->device},
		       {"registers per thread", &event->registers},
		       {"shared memory", &event->shared},
		       {"est. achieved occupancy %", &event->occupancy}};
	struct span name;
	int c = json_scan_peek(r->scan, err), rc;
	if (c != '{')
		return c < 0 ? -1 : json_scan_skip(r->scan, err);
	if (json_scan_open(r->scan, err) < 0)
		return -1;
	while ((rc = next_member(r, &name, err)) > 0) {
		double *number = NULL;
		for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
			if (span_is(name, numbers[i].name))
				number = numbers[i].number;
		rc = number                   ? read_number(r, number, err)
		     : span_is(name, "grid")  ? read_dimensions(r, event->grid, err)
		     : span_is(name, "block") ? read_dimensions(r, event->block, err)
					      : json_scan_skip(r->scan, err);
		if (rc < 0)
			return -1;
	}
	return rc;
}

static void clear_event(struct event *event)
{
	event->name_len = event->category_len = 0;
	event->duration = event->device = event->registers = NAN;
	event->shared = event->occupancy = NAN;
	for (int i = 0; i < dimensions; i++)
		event->grid[i] = event->block[i] = NAN;
}

static int read_event(struct reading *r, struct error *err)
{
	struct event *event = &r->event;
	struct span name;
	int rc;
	clear_event(event);
	if (json_scan_open(r->scan, err) < 0)
		return -1;
	while ((rc = next_member(r, &name, err)) > 0) {
		rc = span_is(name, "name")   ? read_text(r, r->name, &event->name_len, err)
		     : span_is(name, "cat")  ? read_text(r, r->category, &event->category_len, err)
		     : span_is(name, "dur")  ? read_number(r, &event->duration, err)
		     : span_is(name, "args") ? read_arguments(r, err)
					     : json_scan_skip(r->scan, err);
		if (rc < 0)
			return -1;
	}
	return rc;
}

static bool differ(double a, double b)
{
	return !(a == b || (isnan(a) && isnan(b)));
}

static void add_dimensions(struct strbuf *sb, const double size[dimensions])
{
	for (int i = 0; i < dimensions; i++)
		strbuf_addf(sb, "%s%.0f", i ? "," : "[", isnan(size[i]) ? -1 : size[i]);
	strbuf_addstr(sb, "]");
}

static const char *dimensions_text(struct arena *arena, const double size[dimensions])
{
	struct strbuf sb = {0};
	add_dimensions(&sb, size);
	return strbuf_into(&sb, arena);
}

static struct kernel *find_kernel(struct reading *r, struct error *err)
{
	const struct event *event = &r->event;
	struct strbuf key = {0};
	size_t len = event->name_len < symbol_limit ? event->name_len : symbol_limit;
	while (len < event->name_len && len && ((unsigned char)r->name[len] & 0xc0) == 0x80)
		len--;
	strbuf_addf(&key, "%.0f ", isnan(event->device) ? -1 : event->device);
	add_dimensions(&key, event->grid);
	add_dimensions(&key, event->block);
	strbuf_add(&key, r->name, len);
	size_t index = (size_t)(tally_find(&r->names, strbuf_span(&key)) - r->names.entries);
	strbuf_free(&key);
	if (r->names.overflowed || r->names.count > kernel_limit) {
		error_set(err, ERR_FORMAT,
			  "more than %d kernels (by name, grid and block), or very long names",
			  (int)kernel_limit);
		return NULL;
	}
	if (r->names.count == r->kernel_count)
		return &r->kernels[index];
	r->kernels =
		arena_grow(r->arena, r->kernels, r->kernel_count, &r->capacity, sizeof *r->kernels);
	struct kernel *kernel = &r->kernels[r->kernel_count++];
	*kernel = (struct kernel){
		.symbol = json_line(r->arena, arena_strndup(r->arena, r->name, len), symbol_limit),
		.device = event->device,
		.registers = event->registers,
		.shared = event->shared,
		.occupancy = event->occupancy};
	memcpy(kernel->grid, event->grid, sizeof kernel->grid);
	memcpy(kernel->block, event->block, sizeof kernel->block);
	return kernel;
}

/* Kernels alone: the copies and fills of the same stream are no computation. */
static int take_event(struct reading *r, struct error *err)
{
	const struct event *event = &r->event;
	struct span category = {r->category, event->category_len};
	r->events++;
	if (!span_is(category, "kernel") && !span_is(category, "Kernel"))
		return 0;
	if (!event->name_len || isnan(event->duration)) {
		r->untimed++;
		return 0;
	}
	struct kernel *kernel = find_kernel(r, err);
	if (!kernel)
		return -1;
	kernel->launches++;
	kernel->varies |= differ(kernel->registers, event->registers) ||
			  differ(kernel->shared, event->shared) ||
			  differ(kernel->occupancy, event->occupancy);
	if (r->sample_count == sample_limit)
		return 0;
	kernel->samples = arena_grow(r->arena, kernel->samples, kernel->count, &kernel->capacity,
				     sizeof *kernel->samples);
	kernel->samples[kernel->count++] = event->duration * 1e-6;
	r->sample_count++;
	return 0;
}

/* --- sections --- */

static int read_device(struct reading *r, struct error *err)
{
	struct span name;
	struct device device = {NAN, NULL};
	size_t len;
	int rc;
	if (json_scan_open(r->scan, err) < 0)
		return -1;
	while ((rc = next_member(r, &name, err)) > 0) {
		if (span_is(name, "id")) {
			rc = read_number(r, &device.id, err);
		} else if (span_is(name, "name")) {
			rc = read_text(r, r->text, &len, err);
			if (rc == 0 && r->device_count < device_limit)
				device.name =
					json_line(r->arena, arena_strndup(r->arena, r->text, len),
						  json_line_limit);
		} else {
			rc = json_scan_skip(r->scan, err);
		}
		if (rc < 0)
			return -1;
	}
	if (rc == 0 && device.name && *device.name && r->device_count < device_limit)
		r->devices[r->device_count++] = device;
	return rc;
}

/* A list of objects, one by one; null and empty objects are no records. */
static int read_list(struct reading *r, const char *section,
		     int (*record)(struct reading *r, struct error *err), struct error *err)
{
	uint64_t index = 0;
	int c = json_scan_peek(r->scan, err), rc;
	if (c != '[')
		return c < 0 ? -1
			     : json_scan_fail(r->scan, r->scan->at, err, "%s is no list", section);
	if (json_scan_open(r->scan, err) < 0)
		return -1;
	while ((rc = json_scan_next(r->scan, err)) > 0) {
		c = json_scan_peek(r->scan, err);
		rc = c == '{' ? record(r, err) : c < 0 ? -1 : json_scan_skip(r->scan, err);
		if (rc < 0)
			return error_prefix(err, "%s[%llu]", section, (unsigned long long)index);
		index++;
	}
	return rc;
}

static int event_record(struct reading *r, struct error *err)
{
	return read_event(r, err) < 0 ? -1 : take_event(r, err);
}

static int read_document(struct reading *r, struct error *err)
{
	struct span name;
	int rc = json_scan_ensure(r->scan, 3, err);
	if (rc == 0 && r->scan->end - r->scan->at >= 3 &&
	    memcmp(r->scan->at, "\xef\xbb\xbf", 3) == 0)
		r->scan->at += 3;
	int c = json_scan_peek(r->scan, err);
	if (c != '{')
		return c < 0 ? -1
			     : json_scan_fail(r->scan, r->scan->at, err,
					      "the trace does not begin with '{'");
	if (json_scan_open(r->scan, err) < 0)
		return -1;
	while ((rc = next_member(r, &name, err)) > 0) {
		bool events = span_is(name, "traceEvents");
		if (events && r->has_events)
			return json_scan_fail(r->scan, r->scan->at, err,
					      "traceEvents appears a second time");
		r->has_events |= events;
		rc = events ? read_list(r, "traceEvents", event_record, err)
		     : span_is(name, "deviceProperties")
			     ? read_list(r, "deviceProperties", read_device, err)
			     : json_scan_skip(r->scan, err);
		if (rc < 0)
			return -1;
	}
	if (rc < 0)
		return -1;
	rc = json_scan_at_end(r->scan, err);
	return rc == 0 ? json_scan_fail(r->scan, r->scan->at, err,
					"something follows the end of the trace")
		       : (rc < 0 ? -1 : 0);
}

/* --- runs --- */

static double product(const double size[dimensions])
{
	return size[0] * size[1] * size[2];
}

static int by_name(const void *a, const void *b)
{
	const struct kernel *left = *(struct kernel *const *)a, *right = *(struct kernel *const *)b;
	int order = strcmp(left->name, right->name);
	return order ? order : strcmp(left->symbol, right->symbol);
}

/* Grid and block become parameters only of kernels that were launched with several. Overloads,
 * and names that are alike up to where they are cut, are told apart by their symbols. */
static void mark_neighbours(struct reading *r)
{
	struct kernel **sorted = arena_array(r->arena, r->kernel_count, sizeof *sorted);
	for (size_t i = 0; i < r->kernel_count; i++) {
		struct kernel *kernel = sorted[i] = &r->kernels[i];
		kernel->name = kernel_short_name(r->arena, span_of(kernel->symbol));
		kernel->has_twin = span_ends(span_of(kernel->name), "...");
	}
	qsort(sorted, r->kernel_count, sizeof *sorted, by_name);
	for (size_t i = 1; i < r->kernel_count; i++) {
		struct kernel *a = sorted[i - 1], *b = sorted[i];
		bool other = false;
		for (int k = 0; k < dimensions; k++)
			other |= differ(a->grid[k], b->grid[k]) || differ(a->block[k], b->block[k]);
		bool same = strcmp(a->symbol, b->symbol) == 0;
		if (other && same)
			a->has_params = b->has_params = true;
		if (!same && strcmp(a->name, b->name) == 0)
			a->has_twin = b->has_twin = true;
	}
}

static void give_shape(struct reading *r, struct run *run, const struct kernel *kernel)
{
	if (isnan(product(kernel->grid)) || isnan(product(kernel->block)))
		return;
	const char *grid = dimensions_text(r->arena, kernel->grid);
	const char *block = dimensions_text(r->arena, kernel->block);
	if (kernel->has_params) {
		run_set_param(r->arena, run, "grid", grid);
		run_set_param(r->arena, run, "block", block);
	} else {
		run_add_attribute(r->arena, run, "grid", grid);
		run_add_attribute(r->arena, run, "block", block);
	}
	run_give(run, METRIC_GRID_SIZE, product(kernel->grid), PROVENANCE_MEASURED);
	run_give(run, METRIC_BLOCK_SIZE, product(kernel->block), PROVENANCE_MEASURED);
	if (kernel->varies)
		return;
	run_give(run, METRIC_REGISTERS_PER_THREAD, kernel->registers, PROVENANCE_MEASURED);
	if (!isnan(kernel->shared))
		run_add_attribute(r->arena, run, "shared_memory_bytes",
				  arena_printf(r->arena, "%.0f", kernel->shared));
	/* A whole percentage by a formula over grid and registers; 0 is less than half of one. */
	if (kernel->occupancy >= 1 && kernel->occupancy <= 100)
		run_give(run, METRIC_ACHIEVED_OCCUPANCY, kernel->occupancy / 100,
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
		run_set_param(
			r->arena, run, "symbol",
			arena_printf(r->arena, "%08llx",
				     (unsigned long long)hash_of(span_of(kernel->symbol)) >> 32));
	if (several_devices)
		run->node = arena_printf(r->arena, "device %.0f",
					 isnan(kernel->device) ? -1 : kernel->device);
	for (size_t i = 0; i < r->device_count; i++)
		if (r->devices[i].id == kernel->device || r->device_count == 1)
			run->device = r->devices[i].name;
	run_give_samples(r->arena, run, METRIC_TOTAL_TIME, kernel->samples, kernel->count,
			 PROVENANCE_MEASURED);
	if (!(run_time(run) > 0)) {
		r->untimed += (uint64_t)kernel->launches;
		return;
	}
	run_give(run, METRIC_LAUNCH_COUNT, kernel->launches, PROVENANCE_MEASURED);
	if ((double)kernel->count < kernel->launches)
		run_add_note(r->arena, run, "rooflog",
			     arena_printf(r->arena,
					  "the time is that of the first %zu of %.0f launches: the "
					  "trace has more than %d kernels",
					  kernel->count, kernel->launches, (int)sample_limit));
	give_shape(r, run, kernel);
	run_list_add(r->arena, &r->runs, run);
}

static int give(struct reading *r, struct ingest_result *result, struct error *err)
{
	bool several = false;
	if (!r->has_events)
		return error_set(err, ERR_FORMAT, "the trace has no list \"traceEvents\"");
	mark_neighbours(r);
	for (size_t i = 1; i < r->kernel_count; i++)
		several |= differ(r->kernels[i].device, r->kernels[0].device);
	for (size_t i = 0; i < r->kernel_count; i++)
		add_run(r, &r->kernels[i], several);
	if (r->runs.count == 0)
		return error_set(err, ERR_FORMAT,
				 "none of the %llu events is a kernel with a duration (\"cat\": "
				 "\"kernel\"): was the profiler started with the GPU's activities?",
				 (unsigned long long)r->events);
	json_give_runs(r->arena, &r->runs,
		       r->untimed ? arena_printf(r->arena,
						 "kernel events without name or duration, left "
						 "out: %llu",
						 (unsigned long long)r->untimed)
				  : NULL,
		       result);
	return 0;
}

static int read_kineto(struct arena *arena, struct input *input, struct ingest_result *result,
		       struct error *err)
{
	struct reading *r = malloc(sizeof *r);
	if (!r)
		abort();
	memset(r, 0, offsetof(struct reading, name));
	r->arena = arena;
	r->names.arena = arena;
	r->scan = json_scan_new(input);
	int rc = read_document(r, err);
	if (rc == 0)
		rc = give(r, result, err);
	tally_free(&r->names);
	free(r->scan);
	free(r);
	return rc;
}

/* Chrome traces are written by many; these are PyTorch's. */
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
