/* Turns a native trace into a run with the same metrics as the vendor's JSON of that capture. */
#include "base/text/text.h"
#include "ingest/collect/collect.h"
#include "ingest/neuron/neuron.h"
#include "ingest/ntff/header/header.h"
#include "ingest/ntff/ntff.h"
#include "ingest/ntff/trace/records.h"
#include "ingest/ntff/events.h"
#include "ingest/ntff/trace/trace.h"
#include "ingest/ntff/warnings.h"

static const double ps_per_second = 1e12;

struct totals {
	double count;
	unsigned __int128 ps; /* a hostile file can make it wrong, but it cannot overflow */
	unsigned __int128 flops;
	uint64_t bytes;
};

struct building {
	struct arena *arena;
	struct trace *trace; /* NULL: events are not wanted */
	struct collector *c;
	const struct ntff *ntff;
	struct ntff_work *work;
	bool traced[NTFF_TRACED_KINDS];
	/* NULL where no traced kind of record could contribute. */
	struct interval_union *engines[NTFF_ENGINES], *dma, *all, *classes[NTFF_DMA_CLASSES];
	struct neuron_collect_core *cores[ntff_core_limit];
	int64_t core_ends[ntff_core_limit]; /* end of the last instruction in the window, ps; -1
					       none */
	struct totals engine_totals[NTFF_ENGINES], class_totals[NTFF_DMA_CLASSES];
	struct totals opcodes[256], wordless, traffic_totals[NTFF_TRAFFIC_KINDS];
	struct totals dma_totals;
	uint64_t events;  /* as the vendor's tool counts them */
	double throttled; /* time lost to throttling, ps */
};

static void add_to(struct totals *totals, int64_t ps)
{
	totals->count++;
	totals->ps += (unsigned __int128)ps;
}

static size_t core_index(const struct building *b, const struct ntff_core *core)
{
	assert(core >= b->ntff->cores && core < b->ntff->cores + b->ntff->core_count);
	return (size_t)(core - b->ntff->cores);
}

static int on_instruction(void *context, const struct ntff_instruction *one, struct error *err)
{
	struct building *b = context;
	(void)err;
	if (!one->in_window)
		return 0;
	if (b->trace)
		ntff_run_event_instruction(b->trace, one);
	struct totals *engine = &b->engine_totals[one->engine];
	size_t at = core_index(b, one->core);
	struct neuron_collect_core *core = b->cores[at];
	int64_t ps = one->end - one->begin;
	uint64_t flops = ntff_trace_work_instruction(b->work, one);
	struct totals *opcode = one->word ? &b->opcodes[one->word[0]] : &b->wordless;
	add_to(opcode, ps);
	opcode->flops += flops;
	engine->count++;
	core->has_instructions = true;
	core->instructions++;
	core->flops += (double)flops;
	if (one->end > b->core_ends[at])
		b->core_ends[at] = one->end;
	/* Waiting for a semaphore does not count as work. */
	if (!one->timed || (one->word && one->word[0] == NTFF_EVENT_SEMAPHORE))
		return 0;
	engine->ps += (unsigned __int128)ps;
	interval_union_add(one->engine == NTFF_TENSOR ? core->tensor_active
						      : b->engines[one->engine],
			   (uint64_t)one->begin, (uint64_t)one->end);
	return 0;
}

static int on_transfer(void *context, const struct ntff_transfer *one, struct error *err)
{
	struct building *b = context;
	(void)err;
	ntff_trace_work_transfer(b->work, one);
	if (b->trace)
		ntff_run_event_transfer(b->trace, one);
	if (one->status != NTFF_TRANSFER_INSIDE)
		return 0;
	int64_t ps = one->end - one->begin;
	struct totals *totals[] = {&b->dma_totals, &b->class_totals[one->class],
				   &b->traffic_totals[one->traffic]};
	for (size_t i = 0; i < sizeof totals / sizeof *totals; i++) {
		add_to(totals[i], ps);
		totals[i]->bytes += one->bytes;
	}
	interval_union_add(b->classes[one->class], (uint64_t)one->begin, (uint64_t)one->end);
	return 0;
}

static int on_event(void *context, const struct ntff_event *one, struct error *err)
{
	struct building *b = context;
	(void)err;
	b->events += one->counted;
	if (b->trace)
		ntff_run_event_update(b->trace, one);
	return 0;
}

static int on_throttle(void *context, const struct ntff_throttle *one, struct error *err)
{
	struct building *b = context;
	(void)err;
	if (!one->in_window)
		return 0;
	struct collect_throttle window = {
		.start = (double)one->begin,
		.ticks = (double)(one->end - one->begin),
		.limit = !one->other && one->k < one->n ? (double)one->k / one->n : 1,
		.core = (int)core_index(b, one->core),
	};
	if (window.limit < 1)
		b->throttled += window.ticks;
	if (b->c->window_count < collect_window_limit)
		window.type = one->other       ? "unknown"
			      : one->type == 0 ? "activity_0"
			      : one->type == 1 ? "activity_1"
					       : arena_printf(b->arena, "type_%u", one->type);
	neuron_collect_window(b->c, &window);
	return 0;
}

/* --- to the run --- */

static void set_metric(struct building *b, enum metric metric, double number)
{
	run_set(b->c->run, metric, number, PROVENANCE_MEASURED);
}

/* The division rounds exactly as parsing the decimal number of seconds would. */
static void set_ps(struct building *b, enum metric metric, unsigned __int128 ps)
{
	set_metric(b, metric, (double)ps / ps_per_second);
}

#define ENGINE(ID)                                                                                 \
	{                                                                                          \
		METRIC_##ID##_ACTIVE_TIME, METRIC_##ID##_INSTRUCTION_TIME,                         \
			METRIC_##ID##_INSTRUCTION_COUNT                                            \
	}
static const struct engine_metrics {
	enum metric active, time, count;
} engine_metrics[NTFF_ENGINES] = {
	[NTFF_TENSOR] = ENGINE(TENSOR), [NTFF_SCALAR] = ENGINE(SCALAR),
	[NTFF_GPSIMD] = ENGINE(GPSIMD), [NTFF_VECTOR] = ENGINE(VECTOR),
	[NTFF_SYNC] = ENGINE(SYNC),
};

#define CLASS(ID)                                                                                  \
	{                                                                                          \
		METRIC_##ID##_DMA_TIME, METRIC_##ID##_DMA_PACKETS, METRIC_##ID##_DMA_BYTES         \
	}
static const struct class_metrics {
	enum metric active, packets, bytes;
} class_metrics[NTFF_DMA_CLASSES] = {
	[NTFF_DMA_STATIC] = CLASS(STATIC),
	[NTFF_DMA_SOFTWARE] = CLASS(SOFTWARE),
	[NTFF_DMA_HARDWARE] = CLASS(HARDWARE),
};

static void set_engines(struct building *b)
{
	if (!b->traced[NTFF_TRACED_INSTRUCTIONS])
		return;
	for (int i = 0; i < NTFF_ENGINES; i++) {
		set_ps(b, engine_metrics[i].active, interval_union_length(b->engines[i]));
		set_ps(b, engine_metrics[i].time, b->engine_totals[i].ps);
		set_metric(b, engine_metrics[i].count, b->engine_totals[i].count);
	}
	set_metric(b, METRIC_MATMUL_COUNT, b->opcodes[NTFF_MATMUL].count);
	set_metric(b, METRIC_ACTIVATE_COUNT, b->opcodes[NTFF_ACTIVATE].count);
	set_ps(b, METRIC_ACTIVATE_TIME, b->opcodes[NTFF_ACTIVATE].ps);
}

static void set_dma(struct building *b)
{
	double queues = 0;
	for (size_t i = 0; i < b->ntff->core_count; i++)
		queues += (double)b->ntff->cores[i].queue_count;
	set_metric(b, METRIC_DMA_QUEUE_COUNT, queues);
	if (!b->traced[NTFF_TRACED_DMA])
		return;
	set_ps(b, METRIC_DMA_ACTIVE_TIME, interval_union_length(b->dma));
	set_ps(b, METRIC_DMA_PACKET_TIME, b->dma_totals.ps);
	for (int i = 0; i < NTFF_DMA_CLASSES; i++) {
		set_ps(b, class_metrics[i].active, interval_union_length(b->classes[i]));
		set_metric(b, class_metrics[i].packets, b->class_totals[i].count);
		set_metric(b, class_metrics[i].bytes, (double)b->class_totals[i].bytes);
	}
}

/* The profiler counts cycles of the other engines' clock, which is half of the tensor engine's. */
static double base_clock(const struct run *run)
{
	const struct hardware *device =
		run->instance_type ? hardware_find(NULL, run->instance_type) : NULL;
	return device ? device->clock / 2 : NAN;
}

/* Computed as the vendor's tool does: in single precision, whose steps are 64 cycles at 10^9. */
static double cycles(double clock, uint64_t ps)
{
	float per_nanosecond = (float)(clock / 1e9);
	float picoseconds = (float)ps;
	float thousands = picoseconds * per_nanosecond;
	return floorf(thousands / 1000);
}

static void set_totals(struct building *b)
{
	const struct ntff *ntff = b->ntff;
	double clock = base_clock(b->c->run), instructions = 0;
	uint64_t total = 0;
	for (size_t i = 0; i < ntff->core_count; i++) {
		total = ntff->cores[i].duration > total ? ntff->cores[i].duration : total;
		b->cores[i]->has_model = true;
		if (b->core_ends[i] >= 0)
			b->cores[i]->cycles = cycles(clock, (uint64_t)b->core_ends[i]);
	}
	for (int i = 0; i < NTFF_ENGINES; i++)
		instructions += b->engine_totals[i].count;
	if (total) {
		set_ps(b, METRIC_TOTAL_TIME, total);
		if (!isnan(clock))
			run_set(b->c->run, METRIC_CYCLE_COUNT, cycles(clock, total),
				PROVENANCE_REPORTED);
	} else {
		run_warn(b->arena, b->c->run, "the header has no execution time");
	}
	bool active = b->traced[NTFF_TRACED_INSTRUCTIONS] && b->traced[NTFF_TRACED_DMA];
	if (active)
		set_ps(b, METRIC_TOTAL_ACTIVE_TIME, interval_union_length(b->all));
	if (b->traced[NTFF_TRACED_EVENTS])
		set_metric(b, METRIC_EVENT_COUNT, (double)b->events);
	if (active && b->traced[NTFF_TRACED_EVENTS])
		set_metric(b, METRIC_TRACE_COUNT,
			   instructions + (double)b->events + b->dma_totals.count);
	if (b->traced[NTFF_TRACED_THROTTLES])
		set_metric(b, METRIC_THROTTLE_TIME, b->throttled / ps_per_second);
}

static void fill_tally(struct tally *tally, const char *name, const struct totals *totals)
{
	if (totals->count == 0)
		return;
	struct tally_entry *entry = tally_find(tally, span_of(name));
	entry->count = totals->count;
	entry->ticks = (double)totals->ps;
	entry->bytes = (double)totals->bytes;
}

static void fill_tallies(struct building *b)
{
	struct tally *opcodes = &b->c->tallies[TALLY_OPCODE];
	for (unsigned i = 0; i < 256; i++) {
		const char *name = ntff_opcode_name(i);
		fill_tally(opcodes, name ? name : arena_printf(b->arena, "opcode 0x%02x", i),
			   &b->opcodes[i]);
		if (i == NTFF_MATMUL && b->opcodes[i].count > 0)
			tally_find(opcodes, span_of(name))->flops = (double)b->opcodes[i].flops;
	}
	fill_tally(opcodes, "(outside the program)", &b->wordless);
	for (int i = 0; i < NTFF_TRAFFIC_KINDS; i++)
		fill_tally(&b->c->tallies[TALLY_DMA_QUEUE],
			   ntff_traffic_kind_name((enum ntff_traffic)i), &b->traffic_totals[i]);
}

static void fill_memory(struct building *b)
{
	for (size_t i = 0; i < b->ntff->core_count; i++)
		for (size_t k = 0; k < b->ntff->cores[i].memory_count; k++) {
			const struct ntff_memory *memory = &b->ntff->cores[i].memory[k];
			const char *title = ntff_memory_title(memory, k);
			tally_find(&b->c->tallies[TALLY_MEMORY], span_of(title))->bytes +=
				(double)memory->bytes;
			b->c->has_memory_total = true;
			b->c->memory_total += (double)memory->bytes;
		}
}

static void add_attribute(struct building *b, const char *key, const char *text)
{
	if (text)
		neuron_summary_attribute(b->arena, b->c->run, span_of(key), span_of(text));
}

static void set_identity(struct building *b)
{
	const struct ntff *ntff = b->ntff;
	struct run *run = b->c->run;
	run->instance_type = ntff->instance_type;
	if (ntff->physical_cores >= 1 && ntff->physical_cores <= ntff_core_limit)
		run->cores = (int)ntff->physical_cores;
	b->c->ntff_version = ntff->version;
	add_attribute(b, "runtime_version", ntff_version_text(b->arena, &ntff->runtime));
	add_attribute(b, "driver_version", ntff_version_text(b->arena, &ntff->driver));
	add_attribute(b, "collectives_version", ntff_version_text(b->arena, &ntff->collectives));
	add_attribute(b, ntff->uuid_size == sizeof ntff->uuid ? "uuid" : "uuid_start",
		      ntff_uuid_text(b->arena, ntff));
}

bool ntff_run_flags_transposes(struct arena *arena, const struct ntff *ntff)
{
	static const char *const without[] = {"inf1", "inf2", "trn1", "trn1n"};
	const char *device =
		ntff->instance_type ? neuron_device(arena, span_of(ntff->instance_type)) : NULL;
	for (size_t i = 0; i < sizeof without / sizeof *without; i++)
		if (span_text_eq(device, without[i]))
			return false;
	/* Words of an unknown device may lack the flag. */
	return device && hardware_find(NULL, device);
}

/* --- oddities --- */

static void note_late(struct building *b)
{
	struct interval_union *sums[] = {b->all, b->dma, b->classes[0], b->classes[1],
					 b->classes[2]};
	uint64_t late = 0;
	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
		late += sums[i] ? interval_union_late(sums[i]) : 0;
	if (late)
		run_warn(b->arena, b->c->run,
			 "%" PRIu64 " interval%s out of order: active times are lower bounds", late,
			 late == 1 ? "" : "s");
}

/* --- the reader --- */

static bool is_name_used(const struct building *b, size_t index, const char *name)
{
	for (size_t k = 0; k < index; k++)
		if (span_is(b->cores[k]->name, name))
			return true;
	return false;
}

/* A unique name per core. The names in the file may be equal; then the core's index is appended. */
static const char *core_name(const struct building *b, size_t index)
{
	struct span own = span_of(b->ntff->cores[index].name);
	bool cut = own.len > 48;
	own.len = utf8_valid_prefix((struct span){own.ptr, cut ? 40 : own.len});
	const char *name = arena_strndup(b->arena, own.ptr, own.len);
	for (size_t next = index; cut || is_name_used(b, index, name); next++) {
		name = arena_printf(b->arena, "%.*s (%zu)", (int)own.len, own.ptr, next);
		cut = false;
	}
	return name;
}

static struct interval_union *start_engine(struct building *b, const char *name)
{
	struct interval_union *active = neuron_collect_engine(b->c, span_of(name));
	interval_union_include(b->all, active);
	return active;
}

static void start(struct building *b)
{
	ntff_run_find_capture_flags(b->ntff, b->traced);
	b->c = neuron_collect_new(b->arena);
	b->c->tick = 1 / ps_per_second;
	b->c->trace = b->trace;
	b->work = ntff_trace_work_new();
	b->work->untraced_dma = !b->traced[NTFF_TRACED_DMA];
	b->all = interval_union_new();
	for (int i = 0; i < NTFF_ENGINES && b->traced[NTFF_TRACED_INSTRUCTIONS]; i++)
		b->engines[i] = start_engine(b, ntff_engine_name(i));
	if (b->traced[NTFF_TRACED_DMA])
		b->dma = start_engine(b, "dma");
	for (int i = 0; i < NTFF_DMA_CLASSES && b->dma; i++) {
		b->classes[i] = interval_union_new();
		interval_union_include(b->dma, b->classes[i]);
	}
	for (size_t i = 0; i < b->ntff->core_count; i++) {
		b->cores[i] = neuron_collect_core(b->c, span_of(core_name(b, i)));
		b->core_ends[i] = -1;
		if (!b->engines[NTFF_TENSOR])
			continue;
		b->cores[i]->tensor_active = interval_union_new();
		interval_union_include(b->engines[NTFF_TENSOR], b->cores[i]->tensor_active);
	}
}

static void end(struct building *b)
{
	interval_union_free(b->all);
	for (int i = 0; i < NTFF_DMA_CLASSES; i++)
		interval_union_free(b->classes[i]);
	ntff_trace_work_free(b->work);
	neuron_collect_free(b->c);
}

static int refuse_empty(const struct ntff_counts *counts, struct error *err)
{
	uint64_t begins = counts->begins + counts->transfer_begins;
	uint64_t ends = counts->ends + counts->transfer_data;
	if (begins == 0 && ends == 0 && counts->unknown_records == 0)
		return error_set(err, ERR_FORMAT,
				 "the trace has no instructions and no DMA transfers");
	return error_set(err, ERR_FORMAT,
			 "the trace has no instructions and no DMA transfers with begin and end: "
			 "%" PRIu64 " begin, %" PRIu64 " end, and %" PRIu64
			 " records are of an undocumented type",
			 begins, ends, counts->unknown_records);
}

static int build(struct building *b, struct random_access *bytes, struct error *err)
{
	struct ntff_sink sink = {b, on_instruction, on_transfer, on_event, on_throttle};
	struct ntff_window window;
	struct ntff_counts counts;
	if (ntff_trace_find_window(b->ntff, bytes, &window, err) < 0 ||
	    ntff_trace_read(b->ntff, bytes, &window, &sink, &counts, err) < 0)
		return -1;
	if (counts.instructions == 0 && counts.transfers == 0)
		return refuse_empty(&counts, err);
	set_identity(b);
	set_engines(b);
	set_dma(b);
	set_totals(b);
	if (b->traced[NTFF_TRACED_INSTRUCTIONS])
		ntff_trace_work_set(b->arena, b->c->run, b->work,
				    ntff_run_flags_transposes(b->arena, b->ntff),
				    counts.outside_program);
	fill_tallies(b);
	fill_memory(b);
	ntff_run_add_warnings(b->arena, b->c->run, b->ntff, &window, &counts);
	ntff_run_note_untraced(b->arena, b->c->run, b->traced);
	note_late(b);
	if (neuron_collect_finish(b->c, NULL, err) < 0)
		return -1;
	b->c->run->tool = "ntff";
	return 0;
}

static int read_ntff(struct arena *arena, struct input *input, struct ingest_result *result,
		     struct error *err)
{
	struct random_access *bytes = random_access_open(input, err);
	struct ntff ntff;
	if (!bytes)
		return -1;
	int rc = ntff_header_read(arena, bytes, &ntff, err);
	if (rc == 0) {
		struct building *b = memory_allocate(1, sizeof *b);
		b->arena = arena;
		b->trace = result->trace;
		b->ntff = &ntff;
		start(b);
		rc = build(b, bytes, err);
		if (rc == 0)
			run_list_add(arena, &result->runs, b->c->run);
		end(b);
		free(b);
	}
	random_access_close(bytes);
	return rc;
}

/* Later versions of the format are left to the vendor's tool. */
static bool detect(struct span head)
{
	return ntff_header_detect(head) && ntff_header_is_known_version(head.ptr[0]);
}

const struct reader ntff_reader = {"ntff", "NTFF, the native trace of a Neuron capture",
				   NEEDS_NEURON, detect, read_ntff};
