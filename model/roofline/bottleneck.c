/* Bottleneck classes from utilisation and the roofline. */
#include "model/roofline/bottleneck.h"

#include <math.h>

#include "base/text/quantity.h"
#include "model/run/gpu.h"
#include "model/roofline/speed_of_light.h"

const double bottleneck_high = 0.6;
const double locality_limit = 1.25;

const char *bound_name(enum bound bound)
{
	static const char *const names[] = {"unknown", "memory", "compute", "balanced", "latency"};
	return names[bound];
}

static const char *const titles[] = {
	[BOUND_UNKNOWN] = "Unknown",       [BOUND_MEMORY] = "Memory-bound",
	[BOUND_COMPUTE] = "Compute-bound", [BOUND_BALANCED] = "Memory- and compute-bound",
	[BOUND_LATENCY] = "Latency-bound",
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

static const char *reason_of(struct arena *arena, enum bound class, double memory, double tensor)
{
	if (class == BOUND_UNKNOWN)
		return "MBU or the tensor engine's active time is not known";
	const char *m = quantity_text(arena, memory, UNIT_FRACTION);
	const char *t = quantity_text(arena, tensor, UNIT_FRACTION);
	switch (class) {
	case BOUND_LATENCY:
		return arena_printf(
			arena, "MBU %s and tensor engine active %s are both below 60 %%", m, t);
	case BOUND_BALANCED:
		return arena_printf(arena,
				    "MBU %s and tensor engine active %s are both at 60 %% "
				    "or more",
				    m, t);
	case BOUND_MEMORY:
		return arena_printf(arena, "MBU %s is high, tensor engine active %s is not", m, t);
	default:
		return arena_printf(arena, "tensor engine active %s is high, MBU %s is not", t, m);
	}
}

/* A position on the roofline: by the counters, else by the formulas of the work. */
struct position {
	double intensity, ridge, reached, ceiling;
	const char *what;
};

static struct position position_of(const struct run *run)
{
	struct position at = {run_number(run, METRIC_ARITHMETIC_INTENSITY),
			      run_number(run, METRIC_RIDGE),
			      run_number(run, METRIC_ROOFLINE_EFFICIENCY),
			      run_number(run, METRIC_ATTAINABLE_FLOPS), "Arithmetic intensity"};
	if (at.intensity > 0 || !(run_number(run, METRIC_ALGORITHMIC_INTENSITY) > 0))
		return at;
	at.what = "Algorithmic intensity";
	at.intensity = run_number(run, METRIC_ALGORITHMIC_INTENSITY);
	at.reached = run_number(run, at.intensity < at.ridge ? METRIC_MBU_ALGORITHMIC
							     : METRIC_MFU_ALGORITHMIC);
	at.ceiling = run_number(run, METRIC_ALGORITHMIC_RATE) / at.reached;
	return at;
}

/* Without FLOP there is no point on the roofline. */
static enum bound side_of(const struct position *at)
{
	if (!(at->intensity > 0) || !(at->ridge > 0))
		return BOUND_UNKNOWN;
	return at->intensity < at->ridge ? BOUND_MEMORY : BOUND_COMPUTE;
}

static const char *roofline_of(struct arena *arena, const struct position *at, enum bound side)
{
	if (side == BOUND_UNKNOWN)
		return "";
	const char *sentence =
		arena_printf(arena, "%s %s is %s the effective ridge of %s: on the %s side",
			     at->what, quantity_text(arena, at->intensity, UNIT_FLOP_PER_BYTE),
			     side == BOUND_MEMORY ? "below" : "above",
			     quantity_text(arena, at->ridge, UNIT_FLOP_PER_BYTE), bound_name(side));
	if (isnan(at->reached))
		return sentence;
	return arena_printf(arena, "%s; %s of the attainable %s is reached", sentence,
			    quantity_text(arena, at->reached, UNIT_FRACTION),
			    quantity_text(arena, at->ceiling, UNIT_FLOP_PER_SECOND));
}

/* What of the health table's rule can be said: DRAM and tensor pipe, NAN unknown. */
static enum bound gpu_class(double dram, double tensor)
{
	if (isnan(dram) || isnan(tensor))
		return BOUND_UNKNOWN;
	if (dram > health_dram)
		return tensor > health_tensor ? BOUND_BALANCED : BOUND_MEMORY;
	return tensor > health_tensor ? BOUND_COMPUTE : BOUND_LATENCY;
}

static const char *level(struct arena *arena, const char *what, double value, double limit)
{
	return arena_printf(arena, "%s %s (%s: limit %.0f %%)", what,
			    quantity_text(arena, value, UNIT_FRACTION),
			    value > limit ? "high" : "low", limit * 100);
}

static const char *gpu_reason(struct arena *arena, double dram, double tensor)
{
	if (isnan(dram) && isnan(tensor))
		return "neither DRAM throughput nor the tensor pipe's utilisation is known";
	const char *d = level(arena, "DRAM throughput", dram, health_dram);
	const char *t = level(arena, "tensor pipe", tensor, health_tensor);
	if (isnan(tensor))
		return arena_printf(arena, "%s, but the tensor pipe's utilisation is not known: %s",
				    d,
				    dram > health_dram ? "memory-bound or balanced"
						       : "compute- or latency-bound");
	if (isnan(dram))
		return arena_printf(arena, "%s, but DRAM throughput is not known: %s", t,
				    tensor > health_tensor ? "compute-bound or balanced"
							   : "memory- or latency-bound");
	return arena_printf(arena, "%s, %s", d, t);
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
	enum sol sol = sol_of(sm, memory, run_number(run, METRIC_WAVES_PER_SM));
	if (sol == SOL_UNKNOWN)
		return;
	add_verdict(b, (struct bottleneck_verdict){
			       "ncu-sol", sol_info(sol)->title, sol_bound(sol, sm, memory),
			       arena_printf(arena, "SM %s, memory %s of peak throughput",
					    quantity_text(arena, sm, UNIT_FRACTION),
					    quantity_text(arena, memory, UNIT_FRACTION))});
}

/* The class of the first rule that knows one, the health table's before SpeedOfLight's. */
static void classify_gpu(struct arena *arena, const struct run *run, struct bottleneck *b)
{
	double dram = run_number(run, METRIC_DRAM_THROUGHPUT);
	double tensor = run_number(run, METRIC_TENSOR_PIPE);
	if (isnan(dram))
		dram = run_number(run, METRIC_MBU);
	enum bound class = gpu_class(dram, tensor);
	const char *reason = gpu_reason(arena, dram, tensor);
	if (b->side)
		add_verdict(b, (struct bottleneck_verdict){"roofline",
							   b->side == BOUND_MEMORY ? "memory side"
										   : "compute side",
							   b->side, b->roofline});
	add_sol(arena, run, b);
	const struct bottleneck_verdict *sol = NULL;
	if (b->verdict_count && b->verdicts[b->verdict_count - 1].bound &&
	    text_eq(b->verdicts[b->verdict_count - 1].rule, "ncu-sol"))
		sol = &b->verdicts[b->verdict_count - 1];
	b->class = class;
	b->reason = reason;
	if (class == BOUND_UNKNOWN && sol) {
		b->class = sol->bound;
		b->reason = arena_printf(arena, "%s; by Nsight Compute's SpeedOfLight rule: %s, %s",
					 reason, sol->title, sol->reason);
	}
	add_verdict(b, (struct bottleneck_verdict){"utilisation", titles[class], class, reason});
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
			b.reason = "nothing is known of its utilisation";
	}
	b.title = titles[b.class];
	return b;
}
