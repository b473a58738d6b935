/* Classifies the bottleneck by utilization and by the roofline. */
#include "model/roofline/bottleneck.h"

#include "base/text/text.h"
#include "model/run/runs.h"
#include "model/roofline/speed_of_light.h"

const double bottleneck_high = 0.6;
const double locality_limit = 1.25;

const char *bottleneck_bound_name(enum bound bound)
{
	static const char *const names[] = {"unknown", "memory", "compute", "balanced", "latency"};
	return names[bound];
}

static const enum message_code titles[] = {
	[BOUND_UNKNOWN] = MESSAGE_BOUND_UNKNOWN, [BOUND_MEMORY] = MESSAGE_BOUND_MEMORY,
	[BOUND_COMPUTE] = MESSAGE_BOUND_COMPUTE, [BOUND_BALANCED] = MESSAGE_BOUND_BALANCED,
	[BOUND_LATENCY] = MESSAGE_BOUND_LATENCY,
};

static enum bound class_of(double memory, double tensor)
{
	if (isnan(memory) || isnan(tensor))
		return BOUND_UNKNOWN;
	bool memory_high = memory >= bottleneck_high, tensor_high = tensor >= bottleneck_high;
	if (memory_high && tensor_high)
		return BOUND_BALANCED;
	if (memory_high)
		return BOUND_MEMORY;
	return tensor_high ? BOUND_COMPUTE : BOUND_LATENCY;
}

static const struct message *reason_of(struct arena *arena, enum bound class, double memory,
				       double tensor)
{
	struct message_value m = message_fraction(memory), t = message_fraction(tensor);
	struct message_value limit = message_fraction(bottleneck_high);
	switch (class) {
	case BOUND_UNKNOWN:
		return message_plain(MESSAGE_ENGINES_UNKNOWN);
	case BOUND_LATENCY:
		return message_of(arena, MESSAGE_ENGINES_BOTH_LOW, m, t, limit);
	case BOUND_BALANCED:
		return message_of(arena, MESSAGE_ENGINES_BOTH_HIGH, m, t, limit);
	case BOUND_MEMORY:
		return message_of(arena, MESSAGE_ENGINES_MEMORY_HIGH, m, t);
	default:
		return message_of(arena, MESSAGE_ENGINES_TENSOR_HIGH, m, t);
	}
}

/* A position on the roofline: by the counters, else by the work formulas. */
struct position {
	double intensity, ridge, reached, ceiling;
	enum message_code what;
};

static struct position position_of(const struct run *run)
{
	struct position at = {
		run_number(run, METRIC_ARITHMETIC_INTENSITY), run_number(run, METRIC_RIDGE),
		run_number(run, METRIC_ROOFLINE_EFFICIENCY),
		run_number(run, METRIC_ATTAINABLE_FLOPS), MESSAGE_INTENSITY_ARITHMETIC};
	/* Integer work of the tensor pipe is not FLOP. */
	if (at.intensity == 0 && run_number(run, METRIC_TENSOR_PIPE) > 0)
		at.intensity = NAN;
	if (at.intensity > 0 || !(run_number(run, METRIC_ALGORITHMIC_INTENSITY) > 0))
		return at;
	at.what = MESSAGE_INTENSITY_ALGORITHMIC;
	at.intensity = run_number(run, METRIC_ALGORITHMIC_INTENSITY);
	at.reached = run_number(run, at.intensity < at.ridge ? METRIC_MBU_ALGORITHMIC
							     : METRIC_MFU_ALGORITHMIC);
	at.ceiling = run_number(run, METRIC_ALGORITHMIC_RATE) / at.reached;
	return at;
}

/* Work of 0 FLOP, such as a copy, lies on the memory side of every ridge. */
static enum bound side_of(const struct position *at)
{
	if (at->intensity == 0)
		return BOUND_MEMORY;
	if (!(at->intensity > 0) || !(at->ridge > 0))
		return BOUND_UNKNOWN;
	return at->intensity < at->ridge ? BOUND_MEMORY : BOUND_COMPUTE;
}

static const struct message *roofline_of(struct arena *arena, const struct position *at,
					 enum bound side)
{
	const struct message *reached = NULL;
	if (side == BOUND_UNKNOWN)
		return NULL;
	if (at->intensity == 0)
		return message_plain(MESSAGE_ROOFLINE_NO_FLOP);
	if (!isnan(at->reached))
		reached = message_of(arena, MESSAGE_ROOFLINE_REACHED, message_fraction(at->reached),
				     message_quantity(at->ceiling, UNIT_FLOP_PER_SECOND));
	return message_of(
		arena,
		side == BOUND_MEMORY ? MESSAGE_ROOFLINE_BELOW_RIDGE : MESSAGE_ROOFLINE_ABOVE_RIDGE,
		message_term(at->what), message_quantity(at->intensity, UNIT_FLOP_PER_BYTE),
		message_quantity(at->ridge, UNIT_FLOP_PER_BYTE), message_part(reached));
}

/* The class by the health table, as far as DRAM and tensor pipe are known (NAN: unknown). */
static enum bound gpu_class(double dram, double tensor)
{
	if (isnan(dram) || isnan(tensor))
		return BOUND_UNKNOWN;
	if (dram > health_dram)
		return tensor > health_tensor ? BOUND_BALANCED : BOUND_MEMORY;
	return tensor > health_tensor ? BOUND_COMPUTE : BOUND_LATENCY;
}

static struct message_value level(struct arena *arena, enum message_code what, double value,
				  double limit)
{
	return message_part(
		message_of(arena, value > limit ? MESSAGE_LEVEL_HIGH : MESSAGE_LEVEL_LOW,
			   message_term(what), message_fraction(value), message_fraction(limit)));
}

/* How busy the busiest pipe is that computes, and its name. Without a measured utilization the
 * tensor pipe is known to be idle if it executed no FLOP. That settles the class only if no other
 * pipe executed FLOP either. */
static double pipe_level(const struct run *run, enum message_code *name)
{
	double tensor = run_number(run, METRIC_TENSOR_PIPE);
	double vector = run_number(run, METRIC_VECTOR_PIPE);
	if (isnan(tensor) && run_number(run, METRIC_TENSOR_FLOPS) == 0 &&
	    (!isnan(vector) || run_number(run, METRIC_HARDWARE_FLOPS) == 0))
		tensor = 0;
	*name = vector > tensor ? MESSAGE_VECTOR_PIPE : MESSAGE_TENSOR_PIPE;
	return vector > tensor ? vector : tensor;
}

static const struct message *gpu_reason(struct arena *arena, double dram, double tensor,
					enum message_code pipe)
{
	if (isnan(dram) && isnan(tensor))
		return message_plain(MESSAGE_LEVELS_UNKNOWN);
	struct message_value d = level(arena, MESSAGE_DRAM_THROUGHPUT, dram, health_dram);
	struct message_value t = level(arena, pipe, tensor, health_tensor);
	if (isnan(tensor))
		return message_of(arena, MESSAGE_LEVEL_WITHOUT_TENSOR, d,
				  message_term(dram > health_dram
						       ? MESSAGE_CLASSES_MEMORY_OR_BALANCED
						       : MESSAGE_CLASSES_COMPUTE_OR_LATENCY));
	if (isnan(dram))
		return message_of(arena, MESSAGE_LEVEL_WITHOUT_DRAM, t,
				  message_term(tensor > health_tensor
						       ? MESSAGE_CLASSES_COMPUTE_OR_BALANCED
						       : MESSAGE_CLASSES_MEMORY_OR_LATENCY));
	return message_of(arena, MESSAGE_LEVELS, d, t);
}

static void add_verdict(struct bottleneck *b, struct bottleneck_verdict verdict)
{
	for (size_t i = 0; i < b->verdict_count; i++)
		b->disagree |= verdict.bound && b->verdicts[i].bound &&
			       b->verdicts[i].bound != verdict.bound;
	b->verdicts[b->verdict_count++] = verdict;
}

static void add_sol(struct arena *arena, const struct run *run, struct bottleneck *b)
{
	double sm = run_number(run, METRIC_SM_THROUGHPUT);
	double memory = run_number(run, METRIC_MEMORY_THROUGHPUT);
	enum sol sol = speed_of_light_of(sm, memory, run_number(run, METRIC_WAVES_PER_SM));
	if (sol == SOL_UNKNOWN)
		return;
	add_verdict(b, (struct bottleneck_verdict){
			       "ncu-sol",
			       message_of(arena, MESSAGE_NAMED,
					  message_text(speed_of_light_info(sol)->title)),
			       speed_of_light_bound(sol, sm, memory),
			       message_of(arena, MESSAGE_SOL_FIGURES, message_fraction(sm),
					  message_fraction(memory))});
}

/* The class of the first rule that has one: the health table, then SpeedOfLight. */
static void classify_gpu(struct arena *arena, const struct run *run, struct bottleneck *b)
{
	double dram = run_number(run, METRIC_DRAM_THROUGHPUT);
	enum message_code pipe;
	double tensor = pipe_level(run, &pipe);
	if (isnan(dram))
		dram = run_number(run, METRIC_MBU);
	enum bound class = gpu_class(dram, tensor);
	const struct message *reason = gpu_reason(arena, dram, tensor, pipe);
	if (b->side)
		add_verdict(b,
			    (struct bottleneck_verdict){
				    "roofline",
				    message_plain(b->side == BOUND_MEMORY ? MESSAGE_SIDE_MEMORY
									  : MESSAGE_SIDE_COMPUTE),
				    b->side, b->roofline});
	add_sol(arena, run, b);
	const struct bottleneck_verdict *sol = NULL;
	if (b->verdict_count && b->verdicts[b->verdict_count - 1].bound &&
	    span_text_eq(b->verdicts[b->verdict_count - 1].rule, "ncu-sol"))
		sol = &b->verdicts[b->verdict_count - 1];
	b->class = class;
	b->reason = reason;
	if (class == BOUND_UNKNOWN && sol) {
		b->class = sol->bound;
		b->reason = message_of(arena, MESSAGE_SOL_DECIDES, message_part(reason),
				       message_part(sol->title), message_part(sol->reason));
	}
	add_verdict(b, (struct bottleneck_verdict){"utilisation", message_plain(titles[class]),
						   class, reason});
}

static bool known_device(const struct run *run)
{
	return run->device && hardware_find(NULL, run->device);
}

struct bottleneck bottleneck_of(struct arena *arena, const struct run *run)
{
	double memory = run_number(run, METRIC_MBU);
	double tensor = run_number(run, METRIC_TENSOR_OCCUPANCY);
	struct position at = position_of(run);
	struct bottleneck b = {.side = side_of(&at)};
	b.locality = run_number(run, METRIC_REUSE) > locality_limit ||
		     run_number(run, METRIC_L2_HIT_RATE) < health_l2;
	b.roofline = roofline_of(arena, &at, b.side);
	if (run_is_gpu(run, NULL)) {
		classify_gpu(arena, run, &b);
	} else {
		b.class = class_of(memory, tensor);
		b.reason = reason_of(arena, b.class, memory, tensor);
		if (isnan(memory) && isnan(tensor) && !run->cores && !known_device(run))
			b.reason = message_plain(MESSAGE_ENGINES_NOTHING_KNOWN);
	}
	b.title = titles[b.class];
	return b;
}
