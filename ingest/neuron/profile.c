/*
 * Reader of the full profile, "neuron-profile view --output-format json": one run per file.
 * Sections may be missing and come in any order. Memory does not grow with the number of events, so
 * the file may be of any size.
 *
 * Each section has one callback, which passes its records to the collector.
 */

#include "ingest/neuron/profile.h"

#include <ctype.h>

#include "ingest/json/stream.h"
#include "ingest/neuron/collect.h"
#include "ingest/neuron/summary.h"
#include "ingest/reader.h"

/* Reads a time or size as whole ticks or bytes; false if it is missing,
 * negative or does not fit. */
static bool read_whole(const struct json_value *value, uint64_t *number)
{
	if (!(value->number >= 0 && value->number < 1.8e19))
		return false;
	*number = value->exact ? value->magnitude : (uint64_t)(value->number + 0.5);
	return true;
}

/* --- summary, metadata --- */

static int summary_member(void *context, struct span section, struct span name,
			  const struct json_value *value, struct error *err)
{
	struct collector *c = context;
	(void)section;
	return c->summaries ? 0 : neuron_summary_json_member(c->arena, c->run, name, value, err);
}

static int summary_end(void *context, struct span section, struct error *err)
{
	struct collector *c = context;
	(void)section, (void)err;
	c->summaries++;
	return 0;
}

enum { META_ROWS, META_COLS, META_CLOCK, META_BANDWIDTH, META_CORES, META_SIMULATION, META_NTFF };
static const struct json_field metadata_fields[] = {
	{"pe_num_rows", JSON_FIELD_NUMBER},        {"pe_num_cols", JSON_FIELD_NUMBER},
	{"pe_clock_freq", JSON_FIELD_NUMBER},      {"hbm_ddr_bandwidth", JSON_FIELD_NUMBER},
	{"num_physical_cores", JSON_FIELD_NUMBER}, {"is_simulation", JSON_FIELD_ANY},
	{"ntff_version", JSON_FIELD_NUMBER},       {NULL, JSON_FIELD_ANY},
};

static void metadata_record(void *context, const struct json_value *values)
{
	struct collector *c = context;
	double flops = 2 * values[META_ROWS].number * values[META_COLS].number *
		       values[META_CLOCK].number * 1e9;
	if (flops > 0)
		run_set(c->run, METRIC_PEAK_CORE_FLOPS, flops, PROVENANCE_REPORTED);
	double bandwidth = values[META_BANDWIDTH].number;
	if (bandwidth > 0)
		run_set(c->run, METRIC_PEAK_BANDWIDTH, bandwidth, PROVENANCE_REPORTED);
	double cores = values[META_CORES].number;
	if (cores >= 1 && cores <= collect_core_limit && cores == floor(cores))
		c->run->cores = (int)cores;
	c->simulation |= values[META_SIMULATION].truth;
	if (!isnan(values[META_NTFF].number))
		c->ntff_version = values[META_NTFF].number;
}

/* --- intervals --- */

enum { ACTIVE_ENGINE, ACTIVE_START, ACTIVE_END, ACTIVE_DURATION, ACTIVE_CORE };
static const struct json_field active_fields[] = {
	{"engine", JSON_FIELD_TEXT},   {"start_ts", JSON_FIELD_NUMBER},
	{"end_ts", JSON_FIELD_NUMBER}, {"duration_ns", JSON_FIELD_NUMBER},
	{"subgraph", JSON_FIELD_TEXT}, {NULL, JSON_FIELD_ANY},
};

static void add_interval(struct collector *c, struct interval_union *set, uint64_t start,
			 uint64_t end)
{
	if (end < start)
		c->bad_records++;
	else if (set)
		interval_union_add(set, start, end);
}

static void active_record(void *context, const struct json_value *values)
{
	struct collector *c = context;
	uint64_t start, end, duration = 0;
	bool has_end = read_whole(&values[ACTIVE_END], &end);
	if (!read_whole(&values[ACTIVE_START], &start) ||
	    !(has_end || read_whole(&values[ACTIVE_DURATION], &duration))) {
		c->bad_records++;
		return;
	}
	end = has_end ? end : start + duration;
	struct span engine = values[ACTIVE_ENGINE].text;
	add_interval(c, neuron_collect_engine(c, engine), start, end);
	struct neuron_collect_core *core =
		span_is(engine, "tensor") ? neuron_collect_core(c, values[ACTIVE_CORE].text) : NULL;
	if (core && end >= start) {
		if (!core->tensor_active)
			core->tensor_active = interval_union_new();
		interval_union_add(core->tensor_active, start, end);
	}
}

enum { DMA_START, DMA_DURATION, DMA_QUEUE, DMA_SIZE, DMA_AGGREGATED };
static const struct json_field dma_fields[] = {
	{"timestamp", JSON_FIELD_NUMBER}, {"duration", JSON_FIELD_NUMBER},
	{"queue_type", JSON_FIELD_TEXT},  {"transfer_size", JSON_FIELD_NUMBER},
	{"aggregated", JSON_FIELD_TEXT},  {NULL, JSON_FIELD_ANY},
};

static void dma_record(void *context, const struct json_value *values)
{
	struct collector *c = context;
	uint64_t start, duration = 0, size = 0;
	/* An aggregated record sums up packets that have records of their own. */
	if (span_is(values[DMA_AGGREGATED].text, "yes"))
		return;
	if (!read_whole(&values[DMA_START], &start) ||
	    !read_whole(&values[DMA_DURATION], &duration)) {
		c->bad_records++;
	} else {
		c->dma = c->dma ? c->dma : neuron_collect_engine(c, span_of("dma"));
		add_interval(c, c->dma, start, start + duration);
	}
	struct tally_entry *entry =
		tally_find(&c->tallies[TALLY_DMA_QUEUE], values[DMA_QUEUE].text);
	entry->count++;
	entry->ticks += (double)duration;
	if (read_whole(&values[DMA_SIZE], &size))
		entry->bytes += (double)size;
}

/* --- instructions --- */

enum {
	INSTR_DURATION,
	INSTR_OPCODE,
	INSTR_ELEMENTS,
	INSTR_TYPE,
	INSTR_SOURCE,
	INSTR_CORE,
	INSTR_OPERANDS
};
static const struct json_field instruction_fields[] = {
	{"duration", JSON_FIELD_NUMBER},
	{"opcode", JSON_FIELD_TEXT},
	{"elements", JSON_FIELD_NUMBER},
	{"instruction_type", JSON_FIELD_TEXT},
	{"nki_source_location", JSON_FIELD_TEXT},
	{"subgraph", JSON_FIELD_TEXT},
	{"operands", JSON_FIELD_TEXT},
	{NULL, JSON_FIELD_ANY},
};

/* "... src=bfloat16@0x37e00[1,0,0] ..." -> bf16; DTYPE_LIMIT if no address has a data type, or two
 * have different ones. */
static enum dtype operand_dtype(struct span text)
{
	struct span rest = text;
	enum dtype found = DTYPE_LIMIT;
	while (rest.len && memchr(rest.ptr, '@', rest.len)) {
		struct span before = span_cut(&rest, '@');
		size_t first = before.len;
		while (first > 0 && (isalnum((unsigned char)before.ptr[first - 1]) ||
				     before.ptr[first - 1] == '_'))
			first--;
		const char *name = dtype_normalise(span_from(before, first));
		if (!name)
			continue;
		if (found < DTYPE_LIMIT && found != dtype_find(name))
			return DTYPE_LIMIT;
		found = dtype_find(name);
	}
	return found;
}

static void count_instruction(struct tally *tally, struct span name, double ticks, double flops)
{
	struct tally_entry *entry = tally_find(tally, name);
	entry->count++;
	entry->ticks += ticks;
	if (!isnan(flops))
		entry->flops = isnan(entry->flops) ? flops : entry->flops + flops;
}

static void instruction_record(void *context, const struct json_value *values)
{
	struct collector *c = context;
	uint64_t duration = 0, elements = 0;
	c->instructions++;
	if (!read_whole(&values[INSTR_DURATION], &duration))
		c->bad_records++;
	/* Each element of a matmul is one multiplication and one addition, that is 2 FLOP. */
	bool matmul = span_is(values[INSTR_OPCODE].text, "MATMUL");
	double flops = matmul && read_whole(&values[INSTR_ELEMENTS], &elements)
			       ? 2 * (double)elements
			       : NAN;
	count_instruction(&c->tallies[TALLY_OPCODE], values[INSTR_OPCODE].text, (double)duration,
			  flops);
	if (values[INSTR_SOURCE].text.len)
		count_instruction(&c->tallies[TALLY_SOURCE], values[INSTR_SOURCE].text,
				  (double)duration, flops);
	if (!isnan(flops)) {
		c->matmul_flops += flops;
		if (span_is(values[INSTR_TYPE].text, "TRANSPOSE"))
			c->transpose_flops += flops;
		enum dtype dtype = operand_dtype(values[INSTR_OPERANDS].text);
		if (dtype < DTYPE_LIMIT)
			c->flops_of[dtype] += flops;
	}
	struct neuron_collect_core *core = neuron_collect_core(c, values[INSTR_CORE].text);
	if (core) {
		core->has_instructions = true;
		core->instructions++;
		core->flops += isnan(flops) ? 0 : flops;
	}
}

/* --- cores, throttling, memory --- */

enum { MODEL_NAME, MODEL_CYCLES };
static const struct json_field model_fields[] = {
	{"sg_name", JSON_FIELD_TEXT},
	{"neuroncore_cycle_count", JSON_FIELD_NUMBER},
	{NULL, JSON_FIELD_ANY},
};

static void model_record(void *context, const struct json_value *values)
{
	struct neuron_collect_core *core = neuron_collect_core(context, values[MODEL_NAME].text);
	if (core) {
		core->has_model = true;
		core->cycles = values[MODEL_CYCLES].number;
	}
}

enum { HAM_START, HAM_DURATION, HAM_K, HAM_N, HAM_TYPE, HAM_CORE };
static const struct json_field ham_fields[] = {
	{"timestamp", JSON_FIELD_NUMBER}, {"duration", JSON_FIELD_NUMBER},
	{"k", JSON_FIELD_NUMBER},         {"n", JSON_FIELD_NUMBER},
	{"type", JSON_FIELD_ANY},         {"subgraph", JSON_FIELD_TEXT},
	{NULL, JSON_FIELD_ANY},
};

/* Parquet has the names, JSON their numbers. */
static const char *throttle_type(struct collector *c, const struct json_value *value)
{
	double type = value->number;
	if (value->text.len)
		return bounded_text_of(c->arena, value->text);
	if (type == 0)
		return "activity_0";
	if (type == 1)
		return "activity_1";
	if (type == 99 || isnan(type))
		return "unknown";
	return arena_printf(c->arena, "type_%.15g", type);
}

/* "sg01" is core 1. A name without a number is core 0. */
static int core_number(struct span subgraph)
{
	int number = 0;
	for (size_t i = 0; i < subgraph.len; i++)
		if (subgraph.ptr[i] >= '0' && subgraph.ptr[i] <= '9')
			number = (number * 10 + (subgraph.ptr[i] - '0')) % 100000;
	return number;
}

static void ham_record(void *context, const struct json_value *values)
{
	struct collector *c = context;
	double k = values[HAM_K].number, n = values[HAM_N].number;
	struct collect_throttle window = {
		.start = values[HAM_START].number,
		.ticks = values[HAM_DURATION].number,
		.limit = k < n ? k / n : 1,
		.core = core_number(values[HAM_CORE].text),
	};
	if (!(window.start >= 0 && window.ticks >= 0 && k >= 0 && n > 0)) {
		c->bad_records++;
		return;
	}
	if (c->window_count < collect_window_limit)
		window.type = throttle_type(c, &values[HAM_TYPE]);
	neuron_collect_window(c, &window);
}

enum { MEMORY_USAGE, MEMORY_BYTES };
static const struct json_field memory_fields[] = {
	{"usage_type", JSON_FIELD_TEXT},
	{"amount_bytes", JSON_FIELD_NUMBER},
	{NULL, JSON_FIELD_ANY},
};

static void memory_record(void *context, const struct json_value *values)
{
	struct collector *c = context;
	uint64_t bytes;
	if (!read_whole(&values[MEMORY_BYTES], &bytes)) {
		c->bad_records++;
	} else if (span_is(values[MEMORY_USAGE].text, "Total")) {
		c->has_memory_total = true;
		c->memory_total += (double)bytes;
	} else {
		tally_find(&c->tallies[TALLY_MEMORY], values[MEMORY_USAGE].text)->bytes +=
			(double)bytes;
	}
}

/* --- texts --- */

static const char *copy_text(struct collector *c, const struct json_value *value)
{
	return bounded_text_of(c->arena, value->text);
}

/* Stores the first field in *first; the others become attributes. */
static void add_texts(struct collector *c, const struct json_field *fields,
		      const struct json_value *values, const char **first)
{
	if (values[0].text.len)
		bounded_text_set(c->arena, first, values[0].text);
	for (int i = 1; fields[i].name; i++)
		neuron_summary_attribute(c->arena, c->run, span_of(fields[i].name), values[i].text);
}

static const struct json_field header_fields[] = {
	{"hash", JSON_FIELD_TEXT},
	{"uuid", JSON_FIELD_TEXT},
	{"network_name", JSON_FIELD_TEXT},
	{"enabled_features", JSON_FIELD_TEXT},
	{NULL, JSON_FIELD_ANY},
};

static void header_record(void *context, const struct json_value *values)
{
	struct collector *c = context;
	add_texts(c, header_fields, values, &c->run->kernel_hash);
}

static const struct json_field info_fields[] = {
	{"profiler_version", JSON_FIELD_TEXT},
	{"profiler_build_time", JSON_FIELD_TEXT},
	{"profile_name", JSON_FIELD_TEXT},
	{"profile_type", JSON_FIELD_TEXT},
	{NULL, JSON_FIELD_ANY},
};

static void info_record(void *context, const struct json_value *values)
{
	struct collector *c = context;
	add_texts(c, info_fields, values, &c->profiler_version);
}

enum { NODE_NAME, NODE_TYPE, NODE_SHAPE, NODE_SIZE };
static const struct json_field node_fields[] = {
	{"variable_name", JSON_FIELD_TEXT}, {"type", JSON_FIELD_TEXT}, {"shape", JSON_FIELD_TEXT},
	{"size", JSON_FIELD_ANY},           {NULL, JSON_FIELD_ANY},
};

static void node_record(void *context, const struct json_value *values)
{
	struct collector *c = context;
	double bytes = values[NODE_SIZE].number;
	if (values[NODE_NAME].text.len == 0 || c->tensors++ >= collect_tensor_limit)
		return;
	span_number(values[NODE_SIZE].text, &bytes);
	run_add_tensor(c->arena, c->run,
		       (struct run_tensor){copy_text(c, &values[NODE_NAME]),
					   copy_text(c, &values[NODE_TYPE]),
					   copy_text(c, &values[NODE_SHAPE]), bytes});
}

enum { WARNING_CATEGORY, WARNING_MESSAGE };
static const struct json_field warning_fields[] = {
	{"category", JSON_FIELD_TEXT},
	{"message", JSON_FIELD_TEXT},
	{NULL, JSON_FIELD_ANY},
};

static void warning_record(void *context, const struct json_value *values)
{
	struct collector *c = context;
	if (values[WARNING_MESSAGE].text.len && c->warnings++ < collect_warning_limit)
		run_add_note(c->arena, c->run, copy_text(c, &values[WARNING_CATEGORY]),
			     copy_text(c, &values[WARNING_MESSAGE]));
}

/* --- events --- */

/* The fields of an event, after those of the section that are read anyhow. */
enum { EVENT_INSTR_START = INSTR_OPERANDS + 1, EVENT_INSTR_ENGINE, EVENT_INSTR_LABEL };
static const struct json_field event_instruction_fields[] = {
	{"duration", JSON_FIELD_NUMBER},
	{"opcode", JSON_FIELD_TEXT},
	{"elements", JSON_FIELD_NUMBER},
	{"instruction_type", JSON_FIELD_TEXT},
	{"nki_source_location", JSON_FIELD_TEXT},
	{"subgraph", JSON_FIELD_TEXT},
	{"operands", JSON_FIELD_TEXT},
	{"timestamp", JSON_FIELD_NUMBER},
	{"subgroup", JSON_FIELD_TEXT},
	{"label", JSON_FIELD_TEXT},
	{NULL, JSON_FIELD_ANY},
};

/* The engine in lower case, as metrics call it: "Tensor", "TensorMatrix" are the tensor engine. */
static uint32_t engine_track(struct collector *c, const struct json_value *values)
{
	struct span name = values[EVENT_INSTR_ENGINE].text;
	char lower[32];
	if (name.len == 0)
		name = values[EVENT_INSTR_LABEL].text;
	if (span_is(name, "TensorMatrix"))
		name = span_of("tensor");
	if (name.len == 0 || name.len > sizeof lower)
		name = span_of("unknown");
	for (size_t i = 0; i < name.len; i++)
		lower[i] = (char)tolower((unsigned char)name.ptr[i]);
	return trace_track(c->trace, TRACE_ENGINE, values[INSTR_CORE].text,
			   (struct span){lower, name.len});
}

static void event_instruction(void *context, const struct json_value *values)
{
	struct collector *c = context;
	struct trace_event event = {.track = UINT32_MAX};
	instruction_record(context, values);
	if (!read_whole(&values[EVENT_INSTR_START], &event.begin) ||
	    !read_whole(&values[INSTR_DURATION], &event.duration)) {
		c->trace->more++;
		return;
	}
	event.track = engine_track(c, values);
	event.name = trace_text(c->trace, values[INSTR_OPCODE].text);
	event.operands = trace_text(c->trace, values[INSTR_OPERANDS].text);
	event.source = trace_text(c->trace, values[INSTR_SOURCE].text);
	event.waits = span_is(values[INSTR_OPCODE].text, "EVENT_SEMAPHORE");
	trace_add(c->trace, event);
}

enum { EVENT_DMA_GROUP = DMA_AGGREGATED + 1, EVENT_DMA_CORE };
static const struct json_field event_dma_fields[] = {
	{"timestamp", JSON_FIELD_NUMBER}, {"duration", JSON_FIELD_NUMBER},
	{"queue_type", JSON_FIELD_TEXT},  {"transfer_size", JSON_FIELD_NUMBER},
	{"aggregated", JSON_FIELD_TEXT},  {"subgroup", JSON_FIELD_TEXT},
	{"subgraph", JSON_FIELD_TEXT},    {NULL, JSON_FIELD_ANY},
};

static void event_dma(void *context, const struct json_value *values)
{
	struct collector *c = context;
	struct trace_event event = {.track = UINT32_MAX};
	char bytes[40];
	uint64_t size;
	dma_record(context, values);
	if (span_is(values[DMA_AGGREGATED].text, "yes"))
		return;
	if (!read_whole(&values[DMA_START], &event.begin) ||
	    !read_whole(&values[DMA_DURATION], &event.duration)) {
		c->trace->more++;
		return;
	}
	struct span group = values[EVENT_DMA_GROUP].text;
	event.track = trace_track(c->trace, TRACE_QUEUE, values[EVENT_DMA_CORE].text,
				  group.len ? group : span_of("DMA"));
	event.name = trace_text(c->trace, values[DMA_QUEUE].text);
	if (read_whole(&values[DMA_SIZE], &size)) {
		snprintf(bytes, sizeof bytes, "%" PRIu64 " B", size);
		event.operands = trace_text(c->trace, span_of(bytes));
	}
	trace_add(c->trace, event);
}

enum { EVENT_SEMAPHORE_ID, EVENT_SEMAPHORE_VALUE, EVENT_SEMAPHORE_TIME, EVENT_SEMAPHORE_CORE };
static const struct json_field event_semaphore_fields[] = {
	{"id", JSON_FIELD_TEXT},          {"value", JSON_FIELD_NUMBER},
	{"timestamp", JSON_FIELD_NUMBER}, {"subgraph", JSON_FIELD_TEXT},
	{NULL, JSON_FIELD_ANY},
};

static void event_semaphore(void *context, const struct json_value *values)
{
	struct collector *c = context;
	struct trace_event event = {.track = UINT32_MAX};
	char text[80];
	struct span id = values[EVENT_SEMAPHORE_ID].text;
	if (!read_whole(&values[EVENT_SEMAPHORE_TIME], &event.begin)) {
		c->trace->more++;
		return;
	}
	snprintf(text, sizeof text, "semaphore %.*s", id.len < 40 ? (int)id.len : 40, id.ptr);
	event.track = trace_track(c->trace, TRACE_SEMAPHORE, values[EVENT_SEMAPHORE_CORE].text,
				  span_of(text));
	if (!isnan(values[EVENT_SEMAPHORE_VALUE].number)) {
		snprintf(text, sizeof text, "= %.15g", values[EVENT_SEMAPHORE_VALUE].number);
		event.name = trace_text(c->trace, span_of(text));
	}
	trace_add(c->trace, event);
}

/* --- the reader --- */

static const struct json_section sections[] = {
	{"summary", .member = summary_member, .end = summary_end},
	{"metadata", metadata_fields, .record = metadata_record},
	{"active_time", active_fields, .record = active_record},
	{"dma", dma_fields, .record = dma_record},
	{"instruction", instruction_fields, .record = instruction_record},
	{"model_info", model_fields, .record = model_record},
	{"ham", ham_fields, .record = ham_record},
	{"nc_mem_usage", memory_fields, .record = memory_record},
	{"neff_header", header_fields, .record = header_record},
	{"profile_info", info_fields, .record = info_record},
	{"neff_node", node_fields, .record = node_record},
	{"warnings", warning_fields, .record = warning_record},
	{.name = NULL},
};

/* The sections that are read if only the summary was asked for. */
static const struct json_section summary_sections[] = {
	{"summary", .member = summary_member, .end = summary_end},
	{"metadata", metadata_fields, .record = metadata_record},
	{"neff_header", header_fields, .record = header_record},
	{"profile_info", info_fields, .record = info_record},
	{.name = NULL},
};

/* The sections with the events that the others leave out. */
static const struct json_section event_sections[] = {
	{"summary", .member = summary_member, .end = summary_end},
	{"metadata", metadata_fields, .record = metadata_record},
	{"active_time", active_fields, .record = active_record},
	{"dma", event_dma_fields, .record = event_dma},
	{"instruction", event_instruction_fields, .record = event_instruction},
	{"semaphore_update", event_semaphore_fields, .record = event_semaphore},
	{.name = NULL},
};

static const struct json_section *sections_of(const struct collector *c, bool summary_only)
{
	if (c->trace)
		return event_sections;
	return summary_only ? summary_sections : sections;
}

const struct json_section *neuron_profile_section(const struct collector *c, bool summary_only,
						  const char *name)
{
	for (const struct json_section *at = sections_of(c, summary_only); at->name; at++)
		if (strcmp(at->name, name) == 0)
			return at;
	return NULL;
}

int neuron_profile_note_summary_only(struct collector *c, struct error *err)
{
	if (c->summaries == 0)
		return error_set(err, ERR_FORMAT,
				 "the profile has no summary, and only the summary was requested");
	run_warn(c->arena, c->run,
		 "summary only: engine timelines, opcodes and source lines are unavailable; the "
		 "rest of the file was not checked");
	return 0;
}

static int read_profile(struct arena *arena, struct input *input, struct ingest_result *result,
			struct error *err)
{
	bool summary_only = input_hints(input)->summary_only;
	struct collector *c = neuron_collect_new(arena);
	c->trace = result->trace;
	summary_only &= !c->trace;
	struct json_stream stream = {
		.sections = sections_of(c, summary_only),
		.until = summary_only ? "summary" : NULL,
		.context = c,
	};
	struct json_stream_counts counts;
	int rc = json_stream_read(&stream, input, &counts, err);
	if (rc == 0 && summary_only)
		rc = neuron_profile_note_summary_only(c, err);
	if (rc == 0)
		rc = neuron_collect_finish(c, &counts, err);
	if (rc == 0)
		run_list_add(arena, &result->runs, c->run);
	neuron_collect_free(c);
	return rc;
}

/* Sections that identify the format but are not read. */
static const char *const other_sections[] = {
	"dma_throughput",   "dma_queues_info", "instruction_usage",
	"layer_summary",    "pending_dma",     "terminology",
	"semaphore_update", "summary_groups",  "summary_group_order",
};

static bool is_section(struct span name)
{
	for (size_t i = 0; sections[i].name; i++)
		if (span_is(name, sections[i].name))
			return true;
	for (size_t i = 0; i < sizeof other_sections / sizeof *other_sections; i++)
		if (span_is(name, other_sections[i]))
			return true;
	return false;
}

/* The text of a string, from after its opening quote; *rest is what follows the closing quote. */
static struct span string_at(struct span text, struct span *rest)
{
	size_t i = 0;
	while (i < text.len && text.ptr[i] != '"')
		i += text.ptr[i] == '\\' ? 2 : 1;
	if (i > text.len)
		i = text.len;
	struct span name = {text.ptr, i};
	i += i < text.len;
	*rest = span_from(text, i);
	return name;
}

/* Whether `rest`, the text after a section's name, continues with `: [` or `: {`. "metadata" must
 * be a list, because other programs write an object of that name. */
static bool opens_container(struct span name, struct span rest)
{
	rest = span_trim(rest);
	if (!span_starts(rest, ":"))
		return false;
	rest = span_trim(span_from(rest, 1));
	return span_starts(rest, "[") || (span_starts(rest, "{") && !span_is(name, "metadata"));
}

/* Whether a known section is a direct member of the outermost object. However deep or damaged the
 * document is before it: reading it says what is wrong, and where. */
static bool detect(struct span head)
{
	if (span_starts(head, "\xef\xbb\xbf"))
		head = span_from(head, 3);
	head = span_trim(head);
	if (!span_starts(head, "{"))
		return false;
	for (int depth = 0; head.len;) {
		char c = head.ptr[0];
		head = span_from(head, 1);
		if (c == '"') {
			struct span name = string_at(head, &head);
			if (depth == 1 && is_section(name) && opens_container(name, head))
				return true;
		}
		depth += (c == '{' || c == '[') - (c == '}' || c == ']');
	}
	return false;
}

const struct reader neuron_profile_json_reader = {
	"neuron-profile-json", "neuron-profile view --output-format json",
	NEEDS_NEURON | DTYPE_OF_OPERANDS, detect, read_profile};
