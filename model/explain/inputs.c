/* The inputs of a metric's formula, and the settings and versions of the run. */
#include "model/explain/internal.h"

#include "model/gate/gate.h"

enum { INPUTS = 3, VERSION_BYTES = 24, SETTING_BYTES = 44 };

struct input {
	enum metric metric;
	enum message_code name; /* MESSAGE_NONE: there are no more */
	int power;              /* 1: in the numerator, -1: in the denominator */
};

#define TIME(metric)                                                                               \
	{                                                                                          \
		METRIC_##metric, MESSAGE_PART_TIME, -1                                             \
	}
#define ENGINE_INPUTS(ID)                                                                          \
	{                                                                                          \
		METRIC_##ID##_OCCUPANCY,                                                           \
		{                                                                                  \
			{METRIC_##ID##_ACTIVE_TIME, MESSAGE_PART_##ID##_ACTIVE_TIME, 1},           \
				TIME(TOTAL_TIME)                                                   \
		}                                                                                  \
	}

/* The formulas of metric.def as products of powers, or as sums. */
static const struct {
	enum metric metric;
	struct input inputs[INPUTS];
} formulas[] = {
	{METRIC_MFU, {{METRIC_USEFUL_FLOPS, MESSAGE_PART_FLOP, 1}, TIME(TOTAL_TIME)}},
	{METRIC_HFU, {{METRIC_HARDWARE_FLOPS, MESSAGE_PART_FLOP, 1}, TIME(TOTAL_TIME)}},
	{METRIC_MFU_HLO, {{METRIC_MODEL_FLOPS, MESSAGE_PART_MODEL_FLOP, 1}, TIME(TOTAL_TIME)}},
	{METRIC_MFU_AT_CLOCK,
	 {{METRIC_USEFUL_FLOPS, MESSAGE_PART_FLOP, 1},
	  TIME(TOTAL_TIME),
	  {METRIC_PEAK_FLOPS_AT_CLOCK, MESSAGE_PART_PEAK_AT_THE_CLOCK, -1}}},
	{METRIC_MFU_ALGORITHMIC,
	 {{METRIC_ALGORITHMIC_FLOPS, MESSAGE_PART_ALGORITHMIC_FLOP, 1}, TIME(TOTAL_TIME)}},
	{METRIC_MBU, {{METRIC_HBM_BYTES, MESSAGE_PART_HBM_TRAFFIC, 1}, TIME(TOTAL_TIME)}},
	{METRIC_MBU_MIN_READ,
	 {{METRIC_INPUTS_WEIGHTS_BYTES, MESSAGE_PART_INPUTS_AND_WEIGHTS, 1}, TIME(TOTAL_TIME)}},
	{METRIC_MBU_ALGORITHMIC,
	 {{METRIC_ALGORITHMIC_BYTES, MESSAGE_PART_ALGORITHMIC_BYTES, 1}, TIME(TOTAL_TIME)}},
	{METRIC_ACHIEVED_FLOPS, {{METRIC_USEFUL_FLOPS, MESSAGE_PART_FLOP, 1}, TIME(TOTAL_TIME)}},
	{METRIC_ACHIEVED_BANDWIDTH,
	 {{METRIC_HBM_BYTES, MESSAGE_PART_HBM_TRAFFIC, 1}, TIME(TOTAL_TIME)}},
	{METRIC_ALGORITHMIC_RATE,
	 {{METRIC_ALGORITHMIC_FLOPS, MESSAGE_PART_ALGORITHMIC_FLOP, 1}, TIME(TOTAL_TIME)}},
	{METRIC_ALGORITHMIC_BANDWIDTH,
	 {{METRIC_ALGORITHMIC_BYTES, MESSAGE_PART_ALGORITHMIC_BYTES, 1}, TIME(TOTAL_TIME)}},
	{METRIC_ARITHMETIC_INTENSITY,
	 {{METRIC_USEFUL_FLOPS, MESSAGE_PART_FLOP, 1},
	  {METRIC_HBM_BYTES, MESSAGE_PART_HBM_TRAFFIC, -1}}},
	{METRIC_REUSE,
	 {{METRIC_HBM_BYTES, MESSAGE_PART_HBM_TRAFFIC, 1},
	  {METRIC_INPUTS_OUTPUTS_WEIGHTS_BYTES, MESSAGE_PART_COMPULSORY_TRAFFIC, -1}}},
	{METRIC_TRANSPOSE_FRACTION,
	 {{METRIC_TRANSPOSE_FLOPS, MESSAGE_PART_TRANSPOSE_FLOP, 1},
	  {METRIC_HARDWARE_FLOPS, MESSAGE_PART_ALL_FLOP, -1}}},
	{METRIC_ROOFLINE_EFFICIENCY,
	 {{METRIC_ACHIEVED_FLOPS, MESSAGE_PART_ACHIEVED_FLOP_S, 1},
	  {METRIC_ATTAINABLE_FLOPS, MESSAGE_PART_ATTAINABLE_FLOP_S, -1}}},
	{METRIC_DMA_AVERAGE_BYTES,
	 {{METRIC_DMA_TRANSFER_BYTES, MESSAGE_PART_DMA_BYTES, 1},
	  {METRIC_DMA_TRANSFER_COUNT, MESSAGE_PART_DMA_TRANSFERS, -1}}},
	{METRIC_HOST_OVERHEAD,
	 {{METRIC_HOST_TIME, MESSAGE_PART_HOST_TIME, 1},
	  {METRIC_TOTAL_TIME, MESSAGE_PART_DEVICE_TIME, -1}}},
	{METRIC_ACTIVE_FRACTION,
	 {{METRIC_TOTAL_ACTIVE_TIME, MESSAGE_PART_ACTIVE_TIME, 1}, TIME(TOTAL_TIME)}},
	ENGINE_INPUTS(TENSOR),
	ENGINE_INPUTS(VECTOR),
	ENGINE_INPUTS(SCALAR),
	ENGINE_INPUTS(GPSIMD),
	ENGINE_INPUTS(SYNC),
	ENGINE_INPUTS(DMA),
	{METRIC_HBM_BYTES,
	 {{METRIC_HBM_READ_BYTES, MESSAGE_PART_READS, 1},
	  {METRIC_HBM_WRITE_BYTES, MESSAGE_PART_WRITES, 1}}},
	{METRIC_USEFUL_FLOPS,
	 {{METRIC_HARDWARE_FLOPS, MESSAGE_PART_FLOP, 1},
	  {METRIC_TRANSPOSE_FLOPS, MESSAGE_PART_TRANSPOSE_FLOP, -1}}},
	{METRIC_DMA_TRANSFER_BYTES,
	 {{METRIC_STATIC_DMA_BYTES, MESSAGE_PART_STATIC, 1},
	  {METRIC_SOFTWARE_DMA_BYTES, MESSAGE_PART_SOFTWARE, 1},
	  {METRIC_HARDWARE_DMA_BYTES, MESSAGE_PART_HARDWARE, 1}}},
};

/* An input that contributed less than this share of the change is not reported. */
static const double least_share = 0.1;

/* All others are products. */
static bool is_sum(enum metric metric)
{
	return metric == METRIC_HBM_BYTES || metric == METRIC_USEFUL_FLOPS ||
	       metric == METRIC_DMA_TRANSFER_BYTES;
}

/* The logarithm of a product is the sum of those of its factors, so their shares are exact; `moved`
 * is the change of the logarithm, or that of the sum. */
static void add_input(struct explaining *e, const struct input *input, bool sum, double moved)
{
	const struct metric_info *info = metric_info(input->metric);
	double before = explain_number(e->before, input->metric);
	double after = explain_number(e->after, input->metric);
	double share = input->power * (sum ? after - before : log(after / before)) / moved;
	if (!(share >= least_share))
		return;
	/* Seconds as a share, too, because a product is one. */
	struct message_value change = sum ? message_difference(after - before, info->unit)
					  : message_change(before, after, UNIT_NONE);
	explain_add_part(e, &e->inputs,
			 (struct explain_part){
				 .kind = "input",
				 .key = info->key,
				 .text = message_of(e->arena, MESSAGE_PART_MOVED,
						    message_term(input->name), change),
				 .unit = info->unit,
				 .before = before,
				 .after = after,
				 .change = before != 0 || !sum ? after / before - 1 : NAN,
				 .seconds = info->unit == UNIT_SECOND ? after - before : NAN,
				 .weight = share,
			 });
}

bool explain_inputs(struct explaining *e)
{
	double before = explain_number(e->before, e->metric);
	double after = explain_number(e->after, e->metric);
	bool sum = is_sum(e->metric), time = false;
	double moved = sum ? after - before : log(after / before);
	for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
		for (size_t k = 0; formulas[i].metric == e->metric && k < INPUTS; k++) {
			const struct input *input = &formulas[i].inputs[k];
			if (!input->name)
				break;
			add_input(e, input, sum, moved);
			time = time || input->metric == METRIC_TOTAL_TIME;
		}
	explain_rank(&e->inputs);
	return time;
}

/* --- causes --- */

/* Settings of a kernel that files state as text. */
static bool is_setting(const char *key)
{
	static const char *const keys[] = {"configuration", "tiling", "grid",       "block",
					   "total_tiles",   "flags",  "random_seed"};
	return span_among(span_of(key), keys, sizeof keys / sizeof *keys);
}

/* Shortens both versions to the parts that distinguish them: "2.23.6484.0", "2.24.1.0" become
 * "2.23", "2.24". */
static void shorten(struct arena *arena, const char *sides[2])
{
	size_t i = 0;
	while (sides[0][i] && sides[0][i] == sides[1][i])
		i++;
	const char *short_sides[2];
	for (int k = 0; k < 2; k++) {
		size_t end = i;
		while (sides[k][end] && !strchr(".+ (", sides[k][end]))
			end++;
		short_sides[k] = explain_clip(arena, arena_strndup(arena, sides[k], end),
					      VERSION_BYTES, false);
	}
	if (strcmp(short_sides[0], short_sides[1]) == 0 || !short_sides[0][0] || !short_sides[1][0])
		for (int k = 0; k < 2; k++)
			short_sides[k] = explain_clip(arena, sides[k], VERSION_BYTES, false);
	sides[0] = short_sides[0];
	sides[1] = short_sides[1];
}

/* "compiler_version" -> "compiler" */
static const char *fact_name(struct arena *arena, const char *key)
{
	size_t len = strlen(key), ending = strlen("_version");
	return span_ends(span_of(key), "_version") && len > ending
		       ? arena_strndup(arena, key, len - ending)
		       : key;
}

static void add_fact(struct explaining *e, const struct run_attribute *fact)
{
	const char *was = run_attribute(e->before, fact->key);
	bool environment = gate_is_environment_key(fact->key);
	if (!was || !was[0] || !fact->text || !fact->text[0] || strcmp(was, fact->text) == 0 ||
	    (!environment && !is_setting(fact->key)))
		return;
	const char *sides[] = {was, fact->text};
	if (environment)
		shorten(e->arena, sides);
	else
		for (int k = 0; k < 2; k++)
			sides[k] = explain_clip(e->arena, sides[k], SETTING_BYTES, false);
	e->environment = e->environment || environment;
	explain_add_part(e, &e->causes,
			 (struct explain_part){
				 .kind = environment ? "environment" : "tuning",
				 .key = fact->key,
				 .text = message_of(e->arena, MESSAGE_FACT_CHANGED,
						    message_text(fact_name(e->arena, fact->key)),
						    message_text(sides[0]), message_text(sides[1])),
				 .unit = UNIT_NONE,
				 .before = NAN,
				 .after = NAN,
				 .change = NAN,
				 .seconds = NAN,
				 /* The compiler makes the kernel. */
				 .weight = strncmp(fact->key, "compiler", 8) == 0
						   ? 3
						   : (environment ? 1 : 2)});
}

static const struct run_tally *fastest_tuning(const struct run *run)
{
	const struct run_tally *fastest = NULL;
	for (size_t i = 0; i < run->tally_count; i++)
		if (run->tallies[i].kind == TALLY_TUNING && run->tallies[i].seconds > 0 &&
		    (!fastest || run->tallies[i].seconds < fastest->seconds))
			fastest = &run->tallies[i];
	return fastest;
}

/* The fastest of the explored configurations. */
static void add_tuning(struct explaining *e)
{
	const struct run_tally *before = fastest_tuning(e->before);
	const struct run_tally *after = fastest_tuning(e->after);
	if (!before || !after || strcmp(before->name, after->name) == 0)
		return;
	explain_add_part(
		e, &e->causes,
		(struct explain_part){
			.kind = "tuning",
			.key = "tuning",
			.text = message_of(e->arena, MESSAGE_FASTEST_TUNING,
					   message_text(explain_clip(e->arena, before->name,
								     SETTING_BYTES, false)),
					   message_text(explain_clip(e->arena, after->name,
								     SETTING_BYTES, false))),
			.unit = UNIT_SECOND,
			.before = before->seconds,
			.after = after->seconds,
			.change = after->seconds / before->seconds - 1,
			.seconds = NAN,
			.weight = 2});
}

void explain_causes(struct explaining *e)
{
	for (size_t i = 0; i < e->after->attribute_count; i++)
		add_fact(e, &e->after->attributes[i]);
	add_tuning(e);
	explain_rank(&e->causes);
}
