/* Bottleneck classes from MBU, tensor occupancy and the roofline. */
#include "model/bottleneck.h"

#include <math.h>

#include "base/quantity.h"

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

static const char *roofline_of(struct arena *arena, const struct run *run, enum bound side)
{
	if (side == BOUND_UNKNOWN)
		return "";
	const char *intensity = quantity_text(arena, run_number(run, METRIC_ARITHMETIC_INTENSITY),
					      UNIT_FLOP_PER_BYTE);
	const char *ridge = quantity_text(arena, run_number(run, METRIC_RIDGE), UNIT_FLOP_PER_BYTE);
	const char *reached =
		quantity_text(arena, run_number(run, METRIC_ROOFLINE_EFFICIENCY), UNIT_FRACTION);
	const char *ceiling = quantity_text(arena, run_number(run, METRIC_ATTAINABLE_FLOPS),
					    UNIT_FLOP_PER_SECOND);
	return arena_printf(
		arena,
		"Arithmetic intensity %s is %s the effective ridge of %s: on the %s side; "
		"%s of the attainable %s is reached",
		intensity, side == BOUND_MEMORY ? "below" : "above", ridge, bound_name(side),
		reached, ceiling);
}

struct bottleneck bottleneck_of(struct arena *arena, const struct run *run)
{
	double memory = run_number(run, METRIC_MBU);
	double tensor = run_number(run, METRIC_TENSOR_OCCUPANCY);
	double intensity = run_number(run, METRIC_ARITHMETIC_INTENSITY);
	double ridge = run_number(run, METRIC_RIDGE);
	struct bottleneck b = {.class = class_of(memory, tensor)};
	/* Without matmul FLOP there is no point on the roofline. */
	if (intensity > 0 && ridge > 0)
		b.side = intensity < ridge ? BOUND_MEMORY : BOUND_COMPUTE;
	b.locality = run_number(run, METRIC_REUSE) > locality_limit;
	b.title = titles[b.class];
	b.reason = reason_of(arena, b.class, memory, tensor);
	b.roofline = roofline_of(arena, run, b.side);
	return b;
}
