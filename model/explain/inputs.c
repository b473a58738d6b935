/* The inputs of a metric's formula, and the settings and versions of the run. */
#include "model/explain/internal.h"

#include "model/gate/gate.h"

enum { INPUTS = 3, VERSION_BYTES = 24, SETTING_BYTES = 44 };

struct input {
	enum metric metric;
	enum message_code name; /* MESSAGE_NONE: there are no more */
	int power;              /* 1: in the numerator, -1: in the denominator */
};

#define INPUT(metric, name, power)                                                                 \
	{                                                                                          \
		METRIC_##metric, MESSAGE_PART_##name, power                                        \
	}
#define RATIO(metric, over, over_name, under, under_name)                                          \
	{                                                                                          \
		METRIC_##metric,                                                                   \
		{                                                                                  \
			INPUT(over, over_name, 1), INPUT(under, under_name, -1)                    \
		}                                                                                  \
	}
#define PER_TIME(metric, over, name) RATIO(metric, over, name, TOTAL_TIME, TIME)
#define SHARE_OF_TIME(engine)                                                                      \
	PER_TIME(engine##_OCCUPANCY, engine##_ACTIVE_TIME, engine##_ACTIVE_TIME)

/* The formulas of metric.def as products of powers, or as sums. */
static const struct {
	enum metric metric;
	struct input inputs[INPUTS];
} formulas[] = {
	PER_TIME(MFU, USEFUL_FLOPS, FLOP),
	PER_TIME(HFU, HARDWARE_FLOPS, FLOP),
	PER_TIME(MFU_HLO, MODEL_FLOPS, MODEL_FLOP),
	{METRIC_MFU_AT_CLOCK,
	 {INPUT(USEFUL_FLOPS, FLOP, 1), INPUT(TOTAL_TIME, TIME, -1),
	  INPUT(PEAK_FLOPS_AT_CLOCK, PEAK_AT_THE_CLOCK, -1)}},
	PER_TIME(MFU_ALGORITHMIC, ALGORITHMIC_FLOPS, ALGORITHMIC_FLOP),
	PER_TIME(MBU, HBM_BYTES, HBM_TRAFFIC),
	PER_TIME(MBU_MIN_READ, INPUTS_WEIGHTS_BYTES, INPUTS_AND_WEIGHTS),
	PER_TIME(MBU_ALGORITHMIC, ALGORITHMIC_BYTES, ALGORITHMIC_BYTES),
	PER_TIME(ACHIEVED_FLOPS, USEFUL_FLOPS, FLOP),
	PER_TIME(ACHIEVED_BANDWIDTH, HBM_BYTES, HBM_TRAFFIC),
	PER_TIME(ALGORITHMIC_RATE, ALGORITHMIC_FLOPS, ALGORITHMIC_FLOP),
	PER_TIME(ALGORITHMIC_BANDWIDTH, ALGORITHMIC_BYTES, ALGORITHMIC_BYTES),
	RATIO(ARITHMETIC_INTENSITY, USEFUL_FLOPS, FLOP, HBM_BYTES, HBM_TRAFFIC),
	RATIO(REUSE, HBM_BYTES, HBM_TRAFFIC, INPUTS_OUTPUTS_WEIGHTS_BYTES, COMPULSORY_TRAFFIC),
	RATIO(TRANSPOSE_FRACTION, TRANSPOSE_FLOPS, TRANSPOSE_FLOP, HARDWARE_FLOPS, ALL_FLOP),
	RATIO(ROOFLINE_EFFICIENCY, ACHIEVED_FLOPS, ACHIEVED_FLOP_S, ATTAINABLE_FLOPS,
	      ATTAINABLE_FLOP_S),
	RATIO(DMA_AVERAGE_BYTES, DMA_TRANSFER_BYTES, DMA_BYTES, DMA_TRANSFER_COUNT, DMA_TRANSFERS),
	RATIO(HOST_OVERHEAD, HOST_TIME, HOST_TIME, TOTAL_TIME, DEVICE_TIME),
	PER_TIME(ACTIVE_FRACTION, TOTAL_ACTIVE_TIME, ACTIVE_TIME),
	SHARE_OF_TIME(TENSOR),
	SHARE_OF_TIME(VECTOR),
	SHARE_OF_TIME(SCALAR),
	SHARE_OF_TIME(GPSIMD),
	SHARE_OF_TIME(SYNC),
	SHARE_OF_TIME(DMA),
	{METRIC_HBM_BYTES, {INPUT(HBM_READ_BYTES, READS, 1), INPUT(HBM_WRITE_BYTES, WRITES, 1)}},
	{METRIC_USEFUL_FLOPS,
	 {INPUT(HARDWARE_FLOPS, FLOP, 1), INPUT(TRANSPOSE_FLOPS, TRANSPOSE_FLOP, -1)}},
	{METRIC_DMA_TRANSFER_BYTES,
	 {INPUT(STATIC_DMA_BYTES, STATIC, 1), INPUT(SOFTWARE_DMA_BYTES, SOFTWARE, 1),
	  INPUT(HARDWARE_DMA_BYTES, HARDWARE, 1)}},
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
