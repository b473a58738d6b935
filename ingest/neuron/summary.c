/* neuron-profile's summary: the table from its keys to metrics, and the completion of a run after
 * the last field. In the source every "percent" is a fraction of 1. */
#include "ingest/neuron/summary.h"

#include "ingest/collect/collect.h"

struct field {
	const char *key;
	enum metric metric;
	enum provenance provenance;
};

#define ENGINE(key, ID)                                                                            \
	{key "_active_time", METRIC_##ID##_ACTIVE_TIME, PROVENANCE_MEASURED},                      \
		{key "_active_time_percent", METRIC_##ID##_OCCUPANCY, PROVENANCE_REPORTED},        \
		{key "_instruction_time", METRIC_##ID##_INSTRUCTION_TIME, PROVENANCE_MEASURED},    \
	{                                                                                          \
		key "_instruction_count", METRIC_##ID##_INSTRUCTION_COUNT, PROVENANCE_MEASURED     \
	}

static const struct field fields[] = {
	{"total_time", METRIC_TOTAL_TIME, PROVENANCE_MEASURED},
	{"total_active_time", METRIC_TOTAL_ACTIVE_TIME, PROVENANCE_MEASURED},
	{"total_active_time_percent", METRIC_ACTIVE_FRACTION, PROVENANCE_REPORTED},
	{"total_exec_time", METRIC_TOTAL_EXEC_TIME, PROVENANCE_MEASURED},
	{"hardware_flops", METRIC_HARDWARE_FLOPS, PROVENANCE_MEASURED},
	{"transpose_flops", METRIC_TRANSPOSE_FLOPS, PROVENANCE_MEASURED},
	{"adjusted_hardware_flops", METRIC_ADJUSTED_HARDWARE_FLOPS, PROVENANCE_MEASURED},
	{"adjusted_transpose_flops", METRIC_ADJUSTED_TRANSPOSE_FLOPS, PROVENANCE_MEASURED},
	{"model_flops", METRIC_MODEL_FLOPS, PROVENANCE_MEASURED},
	{"hbm_read_bytes", METRIC_HBM_READ_BYTES, PROVENANCE_MEASURED},
	{"hbm_write_bytes", METRIC_HBM_WRITE_BYTES, PROVENANCE_MEASURED},
	{"mm_arithmetic_intensity", METRIC_ARITHMETIC_INTENSITY, PROVENANCE_REPORTED},
	{"mfu_inst_estimated_percent", METRIC_MFU, PROVENANCE_REPORTED},
	{"mfu_hlo_estimated_percent", METRIC_MFU_HLO, PROVENANCE_REPORTED},
	{"mfu_estimated_percent", METRIC_MFU_ESTIMATED, PROVENANCE_REPORTED},
	{"hfu_estimated_percent", METRIC_HFU, PROVENANCE_REPORTED},
	{"mbu_estimated_percent", METRIC_MBU, PROVENANCE_REPORTED},
	{"mbu_min_read_util_percent", METRIC_MBU_MIN_READ, PROVENANCE_REPORTED},
	{"mfu_inst_max_achievable_estimated_percent", METRIC_MFU_MAX, PROVENANCE_REPORTED},
	{"mfu_hlo_max_achievable_estimated_percent", METRIC_MFU_HLO_MAX, PROVENANCE_REPORTED},
	{"mfu_max_achievable_estimated_percent", METRIC_MFU_ESTIMATED_MAX, PROVENANCE_REPORTED},
	{"peak_flops_bandwidth_ratio", METRIC_CORE_RIDGE, PROVENANCE_REPORTED},
	ENGINE("tensor_engine", TENSOR),
	ENGINE("vector_engine", VECTOR),
	ENGINE("scalar_engine", SCALAR),
	ENGINE("gpsimd_engine", GPSIMD),
	ENGINE("sync_engine", SYNC),
	{"matmul_instruction_count", METRIC_MATMUL_COUNT, PROVENANCE_MEASURED},
	{"activate_instruction_count", METRIC_ACTIVATE_COUNT, PROVENANCE_MEASURED},
	{"activate_instruction_time", METRIC_ACTIVATE_TIME, PROVENANCE_MEASURED},
	{"dma_active_time", METRIC_DMA_ACTIVE_TIME, PROVENANCE_MEASURED},
	{"dma_active_time_percent", METRIC_DMA_OCCUPANCY, PROVENANCE_REPORTED},
	{"dma_transfer_count", METRIC_DMA_TRANSFER_COUNT, PROVENANCE_MEASURED},
	{"dma_transfer_total_bytes", METRIC_DMA_TRANSFER_BYTES, PROVENANCE_MEASURED},
	{"dma_transfer_time", METRIC_DMA_TRANSFER_TIME, PROVENANCE_MEASURED},
	{"dma_transfer_average_bytes", METRIC_DMA_AVERAGE_BYTES, PROVENANCE_REPORTED},
	{"dma_packet_time", METRIC_DMA_PACKET_TIME, PROVENANCE_MEASURED},
	{"dma_queue_count", METRIC_DMA_QUEUE_COUNT, PROVENANCE_MEASURED},
	{"static_dma_active_time", METRIC_STATIC_DMA_TIME, PROVENANCE_MEASURED},
	{"static_dma_packet_count", METRIC_STATIC_DMA_PACKETS, PROVENANCE_MEASURED},
	{"static_dma_size", METRIC_STATIC_DMA_BYTES, PROVENANCE_MEASURED},
	{"software_dynamic_dma_active_time", METRIC_SOFTWARE_DMA_TIME, PROVENANCE_MEASURED},
	{"software_dynamic_dma_packet_count", METRIC_SOFTWARE_DMA_PACKETS, PROVENANCE_MEASURED},
	{"software_dynamic_dma_size", METRIC_SOFTWARE_DMA_BYTES, PROVENANCE_MEASURED},
	{"hardware_dynamic_dma_active_time", METRIC_HARDWARE_DMA_TIME, PROVENANCE_MEASURED},
	{"hardware_dynamic_dma_packet_count", METRIC_HARDWARE_DMA_PACKETS, PROVENANCE_MEASURED},
	{"hardware_dynamic_dma_size", METRIC_HARDWARE_DMA_BYTES, PROVENANCE_MEASURED},
	{"sbuf_read_bytes", METRIC_SBUF_READ_BYTES, PROVENANCE_MEASURED},
	{"sbuf_write_bytes", METRIC_SBUF_WRITE_BYTES, PROVENANCE_MEASURED},
	{"psum_read_bytes", METRIC_PSUM_READ_BYTES, PROVENANCE_MEASURED},
	{"psum_write_bytes", METRIC_PSUM_WRITE_BYTES, PROVENANCE_MEASURED},
	{"psum_read_sbuf_write_bytes", METRIC_PSUM_TO_SBUF_BYTES, PROVENANCE_MEASURED},
	{"spill_save_bytes", METRIC_SPILL_SAVE_BYTES, PROVENANCE_MEASURED},
	{"spill_reload_bytes", METRIC_SPILL_RELOAD_BYTES, PROVENANCE_MEASURED},
	{"inputs_and_weights_size_bytes", METRIC_INPUTS_WEIGHTS_BYTES, PROVENANCE_MEASURED},
	{"inputs_outputs_weights_size_bytes", METRIC_INPUTS_OUTPUTS_WEIGHTS_BYTES,
	 PROVENANCE_MEASURED},
	{"weight_size_bytes", METRIC_WEIGHT_BYTES, PROVENANCE_MEASURED},
	{"cc_op_count", METRIC_CC_OP_COUNT, PROVENANCE_MEASURED},
	{"cc_op_active_time", METRIC_CC_OP_ACTIVE_TIME, PROVENANCE_MEASURED},
	{"event_count", METRIC_EVENT_COUNT, PROVENANCE_MEASURED},
	{"trace_count", METRIC_TRACE_COUNT, PROVENANCE_MEASURED},
	{"neuroncore_cycle_count", METRIC_CYCLE_COUNT, PROVENANCE_REPORTED},
};

/* Text fields that become attributes, in addition to "..._version". */
static const char *const text_fields[] = {"ultraserver_id", "ultraserver_instance_index",
					  "ultraserver_size", "ultraserver_type"};

/* A name comes before its own prefixes, because the first match is used. */
static const char *const devices[] = {"trn1n", "trn1", "trn2u", "trn2",
				      "trn3u", "trn3", "inf1",  "inf2"};

/* The engines, in the order in which runs list them. */
static const struct {
	const char *name;
	enum metric metric;
} engines[] = {
	{"tensor", METRIC_TENSOR_ACTIVE_TIME}, {"vector", METRIC_VECTOR_ACTIVE_TIME},
	{"scalar", METRIC_SCALAR_ACTIVE_TIME}, {"gpsimd", METRIC_GPSIMD_ACTIVE_TIME},
	{"sync", METRIC_SYNC_ACTIVE_TIME},     {"dma", METRIC_DMA_ACTIVE_TIME},
};
enum { engine_count = sizeof engines / sizeof *engines };

static const char throttle_prefix[] = "throttle_active_nc", throttle_suffix[] = "_time_ns";

static bool is_throttle_time(struct span key)
{
	const size_t around = sizeof throttle_prefix - 1 + sizeof throttle_suffix - 1;
	if (!span_starts(key, throttle_prefix) || !span_ends(key, throttle_suffix) ||
	    key.len <= around || key.len > around + 4)
		return false;
	for (size_t i = sizeof throttle_prefix - 1; i < key.len - sizeof throttle_suffix + 1; i++)
		if (key.ptr[i] < '0' || key.ptr[i] > '9')
			return false;
	return true;
}

/* Bounds for hostile files: keys may repeat and be invented. Lengths in bytes. */
enum { attribute_limit = 256, note_limit = 512, key_limit = 128 };

static void set_attribute(struct arena *arena, struct run *run, struct span key, struct span text)
{
	if (key.len > key_limit)
		return;
	for (size_t i = 0; i < run->attribute_count; i++)
		if (span_is(key, run->attributes[i].key)) {
			bounded_text_set(arena, &run->attributes[i].text, text);
			return;
		}
	if (run->attribute_count < attribute_limit)
		run_add_attribute(arena, run, arena_strndup(arena, key.ptr, key.len),
				  bounded_text_of(arena, text));
}

static void note_unsound(struct arena *arena, struct run *run, struct span key, double number)
{
	char message[160];
	snprintf(message, sizeof message, "summary field %.*s is %s; treated as unknown",
		 (int)key.len, key.ptr, isfinite(number) ? "negative" : "not a finite number");
	for (size_t i = 0; i < run->note_count; i++)
		if (strcmp(run->notes[i].message, message) == 0)
			return;
	if (run->note_count < note_limit)
		run_add_note(arena, run, "rooflog", arena_strdup(arena, message));
}

static bool is_sound(struct arena *arena, struct run *run, struct span key, double number)
{
	if (isfinite(number) && number >= 0)
		return true;
	note_unsound(arena, run, key, number);
	return false;
}

static const struct field *find_field(struct span key)
{
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (span_is(key, fields[i].key))
			return &fields[i];
	return NULL;
}

bool neuron_summary_is_node(struct span name)
{
	bool hex = name.len > 2 && span_starts(name, "n_");
	for (size_t i = 2; hex && i < name.len; i++)
		hex = memchr("0123456789abcdefABCDEF", name.ptr[i], 22);
	return hex;
}

bool neuron_summary_is_number(struct span key)
{
	return is_throttle_time(key) || find_field(key);
}

void neuron_summary_number(struct arena *arena, struct run *run, struct span key, double number)
{
	/* Throttled times are per core, and summed at the end: until then they are stored by key,
	 * because keys may repeat. */
	if (is_throttle_time(key)) {
		char text[32];
		snprintf(text, sizeof text, "%.17g", number);
		if (is_sound(arena, run, key, number))
			set_attribute(arena, run, key, span_of(text));
		return;
	}
	const struct field *field = find_field(key);
	if (!field)
		return;
	run->given[field->metric] = (struct value){NAN, PROVENANCE_UNKNOWN};
	if (is_sound(arena, run, key, number))
		run_set(run, field->metric, number, field->provenance);
}

void neuron_summary_attribute(struct arena *arena, struct run *run, struct span key,
			      struct span text)
{
	if (text.len)
		set_attribute(arena, run, key, text);
}

static bool is_text_attribute(struct span key)
{
	if (span_ends(key, "_version"))
		return true;
	for (size_t i = 0; i < sizeof text_fields / sizeof *text_fields; i++)
		if (span_is(key, text_fields[i]))
			return true;
	return false;
}

void neuron_summary_text(struct arena *arena, struct run *run, struct span key, struct span text)
{
	if (text.len == 0)
		return;
	if (span_is(key, "instance_type"))
		bounded_text_set(arena, &run->instance_type, text);
	else if (is_text_attribute(key))
		neuron_summary_attribute(arena, run, key, text);
}

const char *neuron_device(struct arena *arena, struct span instance_type)
{
	struct span family = span_cut(&instance_type, '.');
	if (family.len == 0)
		return NULL;
	for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
		if (span_starts(family, devices[i]))
			return devices[i];
	return arena_strndup(arena, family.ptr, family.len);
}

bool neuron_summary_is_known(const struct run *run)
{
	for (size_t i = 0; i < METRIC_COUNT; i++)
		if (run->given[i].provenance != PROVENANCE_UNKNOWN)
			return true;
	return false;
}

/* Position among the known engines; unknown engines come last. */
static size_t engine_rank(const char *name)
{
	size_t rank = 0;
	while (rank < engine_count && strcmp(name, engines[rank].name) != 0)
		rank++;
	return rank;
}

enum metric neuron_engine_metric(const char *name)
{
	size_t rank = engine_rank(name);
	return rank < engine_count ? engines[rank].metric : METRIC_COUNT;
}

static void sum_throttle_times(struct run *run)
{
	double sum = 0; /* ns; whole numbers, so the result does not depend on the order of cores */
	size_t count = 0;
	for (size_t i = 0; i < run->attribute_count; i++) {
		double ns;
		if (!is_throttle_time(span_of(run->attributes[i].key)))
			run->attributes[count++] = run->attributes[i];
		else if (span_number(span_of(run->attributes[i].text), &ns))
			sum += ns;
	}
	if (count < run->attribute_count)
		run_set(run, METRIC_THROTTLE_TIME, sum * 1e-9, PROVENANCE_MEASURED);
	run->attribute_count = count;
}

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct run_attribute *)a)->key,
		      ((const struct run_attribute *)b)->key);
}

static bool is_ours(const struct run_note *note)
{
	return strcmp(note->category, "rooflog") == 0;
}

static bool goes_before(const struct run_note *a, const struct run_note *b)
{
	if (is_ours(a) != is_ours(b))
		return is_ours(b);
	return is_ours(a) && strcmp(a->message, b->message) < 0;
}

/* A stable sort, because the profiler's warnings keep their order. There are few, so an insertion
 * sort is fast enough. */
static void sort_notes(struct run *run)
{
	for (size_t i = 1; i < run->note_count; i++) {
		struct run_note note = run->notes[i];
		size_t at = i;
		for (; at > 0 && goes_before(&note, &run->notes[at - 1]); at--)
			run->notes[at] = run->notes[at - 1];
		run->notes[at] = note;
	}
}

/* Without notifications about dynamic DMA the profiler writes 0,
 * although the values are unknown. */
static void forget_unmeasured_transfers(struct run *run)
{
	static const enum metric metrics[] = {METRIC_DMA_AVERAGE_BYTES, METRIC_DMA_TRANSFER_TIME};
	if (!isnan(run->given[METRIC_DMA_TRANSFER_COUNT].number))
		return;
	for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
		if (run->given[metrics[i]].number == 0)
			run->given[metrics[i]] = (struct value){NAN, PROVENANCE_UNKNOWN};
}

static int by_engine(const void *a, const void *b)
{
	const struct run_engine *x = a, *y = b;
	size_t i = engine_rank(x->name), j = engine_rank(y->name);
	return i != j ? (i > j) - (i < j) : strcmp(x->name, y->name);
}

static void complete_engines(struct arena *arena, struct run *run)
{
	for (size_t i = 0; i < engine_count; i++) {
		double time = run->given[engines[i].metric].number;
		if (!isnan(time) && !run_engine(run, engines[i].name))
			run_add_engine(
				arena, run,
				(struct run_engine){.name = engines[i].name, .active_time = time});
	}
	array_sort(run->engines, run->engine_count, sizeof *run->engines, by_engine);
}

/* A model of 0 FLOP means a graph without HLO statistics: its ratios are meaningless. */
static void forget_missing_model(struct run *run)
{
	static const enum metric of_the_model[] = {METRIC_MODEL_FLOPS, METRIC_MFU_HLO,
						   METRIC_MFU_HLO_MAX};
	if (run->given[METRIC_MODEL_FLOPS].number > 0)
		return;
	for (size_t i = 0; i < sizeof of_the_model / sizeof *of_the_model; i++)
		run->given[of_the_model[i]] = (struct value){NAN, PROVENANCE_UNKNOWN};
}

void neuron_summary_finish(struct arena *arena, struct run *run)
{
	run->tool = "neuron-profile";
	if (run->instance_type && !run->device)
		run->device = neuron_device(arena, span_of(run->instance_type));
	sum_throttle_times(run);
	forget_unmeasured_transfers(run);
	forget_missing_model(run);
	complete_engines(arena, run);
	array_sort(run->attributes, run->attribute_count, sizeof *run->attributes, by_key);
	sort_notes(run);
}
