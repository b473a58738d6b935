/* Turns what was collected from a profile's sections into a run. */
#include "ingest/neuron/collect.h"

#include "ingest/neuron/summary.h"

enum { name_limit = 64 };

/* --- while the profile streams by --- */

struct collector *neuron_collect_new(struct arena *arena)
{
	struct collector *c = memory_allocate(1, sizeof *c);
	c->arena = arena;
	c->run = run_new(arena);
	c->ntff_version = NAN;
	for (int kind = 0; kind < TALLY_LIMIT; kind++)
		c->tallies[kind].arena = arena;
	return c;
}

static struct span copy_name(struct collector *c, struct span name)
{
	return (struct span){arena_strndup(c->arena, name.ptr, name.len), name.len};
}

struct interval_union *neuron_collect_engine(struct collector *c, struct span name)
{
	for (size_t i = 0; i < c->engine_count; i++)
		if (span_eq(name, c->engines[i].name))
			return c->engines[i].active;
	if (c->engine_count == collect_engine_limit || name.len > name_limit) {
		c->names_left_out = true;
		return NULL;
	}
	struct neuron_collect_engine *engine = &c->engines[c->engine_count++];
	*engine = (struct neuron_collect_engine){copy_name(c, name), interval_union_new()};
	return engine->active;
}

struct neuron_collect_core *neuron_collect_core(struct collector *c, struct span name)
{
	for (size_t i = 0; i < c->core_count; i++)
		if (span_eq(name, c->cores[i].name))
			return &c->cores[i];
	if (c->core_count == collect_core_limit || name.len > name_limit) {
		c->names_left_out = true;
		return NULL;
	}
	struct neuron_collect_core *core = &c->cores[c->core_count++];
	*core = (struct neuron_collect_core){.name = copy_name(c, name), .cycles = NAN};
	return core;
}

void neuron_collect_window(struct collector *c, const struct collect_throttle *window)
{
	if (c->window_count < collect_window_limit) {
		c->windows[c->window_count++] = *window;
		return;
	}
	size_t i = 0;
	while (i < c->merged_count && c->merged[i].core != window->core)
		i++;
	if (i == collect_core_limit)
		i--;
	assert(i < collect_core_limit && i <= c->merged_count);
	struct collect_throttle *merged = &c->merged[i];
	if (i == c->merged_count) {
		c->merged_count++;
		*merged = (struct collect_throttle){.start = window->start, .core = window->core};
	}
	merged->ticks += window->ticks;
	merged->limit += (1 - window->limit) * window->ticks;
}

int neuron_summary_json_member(struct arena *arena, struct run *run, struct span name,
			       const struct json_value *value, struct error *err)
{
	static const char *const kinds[] = {"", "", "a string", "true or false",
					    "an object or array"};
	assert((size_t)value->kind < sizeof kinds / sizeof *kinds);
	bool number = neuron_summary_is_number(name);
	if (value->kind == JSON_VALUE_NUMBER)
		neuron_summary_number(arena, run, name, value->number);
	else if (number && value->kind == JSON_VALUE_MISSING)
		neuron_summary_number(arena, run, name, NAN);
	else if (number)
		return error_set(err, ERR_FORMAT, "expected a number, found %s",
				 kinds[value->kind]);
	else if (value->kind == JSON_VALUE_TEXT)
		neuron_summary_text(arena, run, name, value->text);
	return 0;
}

void neuron_note_counts(struct arena *arena, struct run *run,
			const struct json_stream_counts *counts)
{
	if (counts->not_numbers)
		run_warn(arena, run, "NaN or infinite values, read as unknown: %" PRIu64,
			 counts->not_numbers);
	if (counts->duplicates)
		run_warn(arena, run, "fields repeated: %" PRIu64 "; the last value of each is used",
			 counts->duplicates);
}

/* --- the clock --- */

struct scale {
	double tick;     /* seconds */
	uint64_t origin; /* the tick at which the execution began */
	double ticks;    /* its length; 0: unknown, so timelines are omitted */
};

static bool find_bounds(const struct collector *c, uint64_t *first, uint64_t *last)
{
	bool any = false;
	for (size_t i = 0; i < c->engine_count; i++) {
		uint64_t low, high;
		if (!interval_union_bounds(c->engines[i].active, &low, &high))
			continue;
		*first = any && *first < low ? *first : low;
		*last = any && *last > high ? *last : high;
		any = true;
	}
	return any;
}

/* Whether `length` ticks fit into an execution of `ticks`. It may be 1.5 times as long plus 1000
 * ticks, because activity before and after the measured time is recorded as well. */
static bool fits(double length, double ticks)
{
	return length <= 1.5 * ticks + 1000;
}

/* Timestamps are nanoseconds from the start in all files seen. Other versions are documented to
 * write nanoseconds of the system clock, or picoseconds. */
static struct scale find_scale(struct collector *c)
{
	double total = c->run->given[METRIC_TOTAL_TIME].number;
	struct scale scale = {1e-9, 0, total > 0 ? total * 1e9 : 0};
	uint64_t first = 0, last = 0;
	if (c->tick > 0)
		return (struct scale){c->tick, 0, total > 0 ? total / c->tick : 0};
	if (scale.ticks == 0 || !find_bounds(c, &first, &last))
		return scale;
	double span = (double)(last - first);
	if (fits((double)last, scale.ticks))
		return scale;
	if (!fits(span, scale.ticks) && fits(span, scale.ticks * 1000) &&
	    span > 0.5 * scale.ticks * 1000) {
		scale.tick = 1e-12;
		scale.ticks *= 1000;
		run_warn(c->arena, c->run,
			 "timestamps match total_time only as picoseconds and were read that way");
	}
	if (!fits(span, scale.ticks)) {
		scale.ticks = 0;
		run_warn(c->arena, c->run,
			 "timestamps contradict total_time; timelines are unavailable");
	} else if (!fits((double)last, scale.ticks)) {
		scale.origin = first;
		run_warn(c->arena, c->run,
			 "timestamps do not start at 0; timelines start with the first interval");
	}
	return scale;
}

/* --- engines --- */

/* The union of the intervals and the summary agree within 20 ns in all files seen. */
static void check_active_time(struct collector *c, const char *name, double summary, double found)
{
	double difference = fabs(summary - found);
	if (difference > 1e-6 || (difference > 0.01 * summary && difference > 1e-7))
		run_warn(c->arena, c->run,
			 "active time of %s: %.9g s in the summary, %.9g s from intervals", name,
			 summary, found);
}

static void add_engine(struct collector *c, const struct neuron_collect_engine *from,
		       const struct scale *scale)
{
	enum metric metric = neuron_engine_metric(from->name.ptr);
	struct run_engine engine = {
		.name = from->name.ptr,
		.active_time = (double)interval_union_length(from->active) * scale->tick,
		.has_timeline = scale->ticks > 0,
	};
	if (engine.has_timeline)
		interval_union_timeline(from->active, scale->origin, scale->ticks, engine.timeline,
					TIMELINE_BINS);
	if (interval_union_late(from->active))
		run_warn(c->arena, c->run,
			 "%s: %" PRIu64
			 " interval%s out of order; its active time is a lower bound",
			 engine.name, interval_union_late(from->active),
			 interval_union_late(from->active) == 1 ? "" : "s");
	if (metric != METRIC_COUNT && isnan(c->run->given[metric].number))
		run_set(c->run, metric, engine.active_time, PROVENANCE_MEASURED);
	else if (metric != METRIC_COUNT)
		check_active_time(c, engine.name, c->run->given[metric].number, engine.active_time);
	run_add_engine(c->arena, c->run, engine);
}

/* --- cores, throttling, memory, tensors --- */

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct neuron_collect_core *)a)->name.ptr,
		      ((const struct neuron_collect_core *)b)->name.ptr);
}

/* The records of a single-core profile may omit the core. It is the one in model_info then.
 * Requires cores sorted by name, of which "" is the first. */
static void join_nameless_core(struct collector *c)
{
	assert(c->core_count < 2 || by_name(&c->cores[0], &c->cores[1]) < 0);
	if (c->core_count != 2 || c->cores[0].name.len > 0 || c->cores[0].has_model ||
	    c->cores[1].has_instructions || c->cores[1].tensor_active)
		return;
	struct span name = c->cores[1].name;
	double cycles = c->cores[1].cycles;
	c->cores[0].name = name;
	c->cores[0].cycles = cycles;
	c->core_count = 1;
}

static void add_cores(struct collector *c, double tick)
{
	qsort(c->cores, c->core_count, sizeof *c->cores, by_name);
	join_nameless_core(c);
	for (size_t i = 0; i < c->core_count; i++) {
		const struct neuron_collect_core *core = &c->cores[i];
		struct run_core item = {
			.name = core->name.ptr,
			.cycles = core->cycles,
			.instructions = core->has_instructions ? core->instructions : NAN,
			.flops = core->has_instructions ? core->flops : NAN,
			.tensor_active_time = NAN,
		};
		if (core->tensor_active)
			item.tensor_active_time =
				(double)interval_union_length(core->tensor_active) * tick;
		run_add_core(c->arena, c->run, item);
	}
}

static void add_throttles(struct collector *c, const struct scale *scale)
{
	double origin = (double)scale->origin;
	for (size_t i = 0; i < c->window_count + c->merged_count; i++) {
		const struct collect_throttle *window =
			i < c->window_count ? &c->windows[i] : &c->merged[i - c->window_count];
		double lost = window->ticks > 0 ? window->limit / window->ticks : 0;
		run_add_throttle(c->arena, c->run,
				 (struct run_throttle){
					 .core = window->core,
					 .type = window->type ? window->type : "merged",
					 .start = (window->start - origin) * scale->tick,
					 .duration = window->ticks * scale->tick,
					 .limit = window->type ? window->limit : 1 - lost,
				 });
	}
	if (c->merged_count)
		run_warn(c->arena, c->run,
			 "more than %d throttle windows; the rest are merged into one per core "
			 "with the same loss",
			 collect_window_limit);
}

static void set_memory(struct collector *c)
{
	double buffers = 0;
	const struct tally *memory = &c->tallies[TALLY_MEMORY];
	for (size_t i = 0; i < memory->count; i++)
		if (span_is(memory->entries[i].name, "Profiler Buffers"))
			buffers = memory->entries[i].bytes;
	if (c->has_memory_total && c->memory_total >= buffers)
		run_set(c->run, METRIC_DEVICE_MEMORY_BYTES, c->memory_total - buffers,
			PROVENANCE_MEASURED);
}

/* The profiler omits values of 0. If instructions were seen, a missing value is 0, otherwise it is
 * unknown. */
static void set_flops(struct collector *c)
{
	if (c->instructions == 0)
		return;
	if (isnan(c->run->given[METRIC_HARDWARE_FLOPS].number))
		run_set(c->run, METRIC_HARDWARE_FLOPS, c->matmul_flops, PROVENANCE_MEASURED);
	if (isnan(c->run->given[METRIC_TRANSPOSE_FLOPS].number))
		run_set(c->run, METRIC_TRANSPOSE_FLOPS, c->transpose_flops, PROVENANCE_MEASURED);
}

/* The data type that the operands of matmuls have in at least nine tenths of the FLOP. */
static void set_dtype(struct collector *c)
{
	static const double most = 0.9;
	for (int dtype = 0; dtype < DTYPE_LIMIT; dtype++)
		if (c->flops_of[dtype] > 0 && c->flops_of[dtype] >= most * c->matmul_flops)
			c->run->dtype = dtype_name((enum dtype)dtype);
}

static int by_role(const void *a, const void *b)
{
	const struct run_tensor *x = a, *y = b;
	int order = strcmp(x->role, y->role);
	order = order ? order : strcmp(x->name, y->name);
	return order ? order : strcmp(x->shape, y->shape);
}

/* --- all of it --- */

/* Allocates all entries at once: the lists can be long,
 * and growing them would double the memory. */
static void add_tallies(struct collector *c, double tick)
{
	size_t count = 0;
	bool overflowed = false;
	for (int kind = 0; kind < TALLY_LIMIT; kind++)
		count += c->tallies[kind].count;
	c->run->tallies = arena_array(c->arena, run_list_room(count), sizeof *c->run->tallies);
	for (int kind = 0; kind < TALLY_LIMIT; kind++) {
		const struct tally *tally = &c->tallies[kind];
		c->run->tally_count += tally_write(tally, (enum tally_kind)kind, tick,
						   c->run->tallies + c->run->tally_count);
		overflowed |= tally->overflowed;
	}
	if (overflowed)
		run_warn(c->arena, c->run, "too many distinct names; some are counted as (other)");
}

/* Adds the versions that the summary did not state. */
static void add_versions(struct collector *c)
{
	if (c->profiler_version && !run_attribute(c->run, "profiler_version"))
		run_add_attribute(c->arena, c->run, "profiler_version", c->profiler_version);
	if (!isnan(c->ntff_version) && !run_attribute(c->run, "ntff_version"))
		run_add_attribute(c->arena, c->run, "ntff_version",
				  arena_printf(c->arena, "%.15g", c->ntff_version));
}

static void add_notes(struct collector *c)
{
	if (c->simulation)
		run_warn(c->arena, c->run,
			 "the profile comes from a simulation, not from a device");
	if (c->bad_records)
		run_warn(c->arena, c->run,
			 "%" PRIu64 " record%s skipped: time or size missing or impossible",
			 c->bad_records, c->bad_records == 1 ? "" : "s");
	if (c->summaries > 1)
		run_warn(c->arena, c->run, "the first of %zu summaries was used", c->summaries);
	if (c->names_left_out)
		run_warn(c->arena, c->run, "too many engines or cores; some are skipped");
	if (c->warnings > collect_warning_limit)
		run_warn(c->arena, c->run, "only the first %d of %zu warnings are kept",
			 collect_warning_limit, c->warnings);
	if (c->tensors > collect_tensor_limit)
		run_warn(c->arena, c->run, "only the first %d of %zu tensors are kept",
			 collect_tensor_limit, c->tensors);
}

static void free_intervals(struct collector *c)
{
	for (size_t i = 0; i < c->engine_count; i++)
		interval_union_free(c->engines[i].active);
	for (size_t i = 0; i < collect_core_limit; i++) {
		interval_union_free(c->cores[i].tensor_active);
		c->cores[i].tensor_active = NULL;
	}
	c->engine_count = 0;
}

/* Events of the system's clock, in a file that does not say when the execution began, start with
 * the first. */
static uint64_t find_trace_origin(const struct collector *c, const struct scale *scale)
{
	uint64_t first = UINT64_MAX, last = 0;
	if (c->tick > 0 || scale->origin)
		return scale->origin;
	for (size_t i = 0; i < c->trace->count; i++) {
		const struct trace_event *event = &c->trace->events[i];
		uint64_t end = event->begin + event->duration;
		first = event->begin < first ? event->begin : first;
		last = end > last ? end : last;
	}
	if (first > last)
		return 0;
	return fits((double)last, scale->ticks > 0 ? scale->ticks : (double)(last - first)) ? 0
											    : first;
}

int neuron_collect_finish(struct collector *c, const struct json_stream_counts *counts,
			  struct error *err)
{
	if (c->summaries == 0 && c->instructions == 0 && c->engine_count == 0)
		return error_set(err, ERR_FORMAT,
				 "the profile has no summary, instructions, DMA or active times");
	struct scale scale = find_scale(c);
	if (c->trace) {
		c->trace->tick = scale.tick;
		c->trace->origin = find_trace_origin(c, &scale);
		c->trace->length = scale.ticks;
	}
	for (size_t i = 0; i < c->engine_count; i++)
		add_engine(c, &c->engines[i], &scale);
	add_cores(c, scale.tick);
	free_intervals(c);
	add_tallies(c, scale.tick);
	add_throttles(c, &scale);
	set_memory(c);
	set_flops(c);
	set_dtype(c);
	array_sort(c->run->tensors, c->run->tensor_count, sizeof *c->run->tensors, by_role);
	add_versions(c);
	add_notes(c);
	if (counts)
		neuron_note_counts(c->arena, c->run, counts);
	neuron_summary_finish(c->arena, c->run);
	return 0;
}

void neuron_collect_free(struct collector *c)
{
	free_intervals(c);
	for (int kind = 0; kind < TALLY_LIMIT; kind++)
		tally_free(&c->tallies[kind]);
	free(c);
}
