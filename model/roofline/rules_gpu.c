/*
 * Rules of GPU runs, as two named sets: "ncu-..." are the rules of Nsight Compute
 * with its thresholds, "health-..." the rows of the health table. They disagree on
 * purpose (60 and 80 % there; 60, 70 and 80 % here), so each says whose it is.
 */
#include <math.h>

#include "model/run/gpu.h"
#include "model/roofline/rule.h"
#include "model/roofline/speed_of_light.h"

static double number(const struct run *run, enum metric metric)
{
	return run_number(run, metric);
}

static const char *percent(struct arena *arena, const struct run *run, enum metric metric)
{
	return quantity_text(arena, number(run, metric), UNIT_FRACTION);
}

/* --- Nsight Compute's SpeedOfLight rule: one row an outcome --- */

static enum sol verdict(const struct run *run)
{
	return sol_of(number(run, METRIC_SM_THROUGHPUT), number(run, METRIC_MEMORY_THROUGHPUT),
		      number(run, METRIC_WAVES_PER_SM));
}

/* The higher of the two throughputs, when the rule's outcome is this one. */
static double outcome(struct arena *arena, const struct run *run, const char **detail, enum sol sol)
{
	double sm = number(run, METRIC_SM_THROUGHPUT);
	double memory = number(run, METRIC_MEMORY_THROUGHPUT);
	if (verdict(run) != sol)
		return NAN;
	*detail = arena_printf(arena, "%s: SM %s, memory %s of peak", sol_info(sol)->title,
			       percent(arena, run, METRIC_SM_THROUGHPUT),
			       percent(arena, run, METRIC_MEMORY_THROUGHPUT));
	return fmax(sm, memory);
}

static double small_grid(struct arena *arena, const struct run *run, const char **detail)
{
	double busiest = outcome(arena, run, detail, SOL_SMALL_GRID);
	if (isnan(busiest))
		return NAN;
	return number(run, METRIC_WAVES_PER_SM);
}

#define SOL_TRIGGER(name, SOL)                                                                     \
	static double name(struct arena *arena, const struct run *run, const char **detail)        \
	{                                                                                          \
		return outcome(arena, run, detail, SOL);                                           \
	}
SOL_TRIGGER(latency, SOL_LATENCY)
SOL_TRIGGER(low, SOL_LOW)
SOL_TRIGGER(compute, SOL_COMPUTE)
SOL_TRIGGER(memory, SOL_MEMORY)
SOL_TRIGGER(balanced, SOL_BALANCED)
SOL_TRIGGER(high, SOL_HIGH)
#undef SOL_TRIGGER

/* Whether the tool's own text in the profile says something else: 1. */
static double contradiction(struct arena *arena, const struct run *run, const char **detail)
{
	const char *text = run_attribute(run, "ncu_sol_rule");
	enum sol own = verdict(run), theirs = text ? sol_of_text(span_of(text)) : SOL_UNKNOWN;
	if (own == SOL_UNKNOWN || own == SOL_LOW || theirs == SOL_UNKNOWN || own == theirs)
		return NAN;
	*detail = arena_printf(arena, "\"%s\" in the profile, \"%s\" by its figures",
			       sol_info(theirs)->title, sol_info(own)->title);
	return 1;
}

/* --- other rules of Nsight Compute --- */

static double occupancy_gap(struct arena *arena, const struct run *run, const char **detail)
{
	*detail = arena_printf(arena, "%s of %s", percent(arena, run, METRIC_ACHIEVED_OCCUPANCY),
			       percent(arena, run, METRIC_THEORETICAL_OCCUPANCY));
	return number(run, METRIC_THEORETICAL_OCCUPANCY) - number(run, METRIC_ACHIEVED_OCCUPANCY);
}

static double theoretical(struct arena *arena, const struct run *run, const char **detail)
{
	double registers = number(run, METRIC_REGISTERS_PER_THREAD);
	*detail = isnan(registers) ? ""
				   : arena_printf(arena, ", with %s registers a thread",
						  quantity_text(arena, registers, UNIT_COUNT));
	return number(run, METRIC_THEORETICAL_OCCUPANCY);
}

static double issue(struct arena *arena, const struct run *run, const char **detail)
{
	(void)arena;
	(void)detail;
	return number(run, METRIC_ISSUE_ACTIVE);
}

/* What the blocks of the last wave leave empty, all blocks taking as long; below one wave another
 * rule speaks. */
static double tail(struct arena *arena, const struct run *run, const char **detail)
{
	double count = number(run, METRIC_WAVES_PER_SM);
	*detail = quantity_text(arena, count, UNIT_NONE);
	return count > 1 ? 1 - count / ceil(count) : NAN;
}

/* --- the health table --- */

/* A kernel keeps memory or the tensor pipe busy: that the other one is not is no fault. */
static double tensor(struct arena *arena, const struct run *run, const char **detail)
{
	(void)arena;
	(void)detail;
	if (number(run, METRIC_DRAM_THROUGHPUT) > health_dram)
		return NAN;
	return number(run, METRIC_TENSOR_PIPE);
}

static double dram(struct arena *arena, const struct run *run, const char **detail)
{
	(void)arena;
	(void)detail;
	if (number(run, METRIC_TENSOR_PIPE) > health_tensor)
		return NAN;
	return number(run, METRIC_DRAM_THROUGHPUT);
}

static double occupancy(struct arena *arena, const struct run *run, const char **detail)
{
	(void)arena;
	(void)detail;
	return number(run, METRIC_ACHIEVED_OCCUPANCY);
}

static double l2(struct arena *arena, const struct run *run, const char **detail)
{
	(void)arena;
	(void)detail;
	return number(run, METRIC_L2_HIT_RATE);
}

static double spills(struct arena *arena, const struct run *run, const char **detail)
{
	double overhead = number(run, METRIC_SPILL_OVERHEAD);
	*detail = isnan(overhead) ? ""
				  : arena_printf(arena, ", %s of its local memory instructions",
						 percent(arena, run, METRIC_SPILL_OVERHEAD));
	return number(run, METRIC_SPILL_REQUESTS);
}

static double waves(struct arena *arena, const struct run *run, const char **detail)
{
	(void)arena;
	(void)detail;
	return number(run, METRIC_WAVES_PER_SM);
}

#define SOL_ADVICE_BOTH "see both the compute and the memory workload analysis"

static const struct rule rows[] = {
	{"ncu-sol-differs", "Check the profile", SEVERITY_DATA, "ncu_sol_rule", contradiction,
	 AT_LEAST, 1, UNIT_NONE, "Nsight Compute's SpeedOfLight rule: {detail}", "", NULL},
	{"ncu-sol-small-grid", "Fill the GPU", SEVERITY_PROBLEM, "waves_per_sm", small_grid, BELOW,
	 1, UNIT_NONE, "SpeedOfLight: {detail}; the grid makes only {value} waves",
	 "launch more blocks, or run other work beside it", gain_of_waves},
	{"ncu-sol-latency", "Hide latency", SEVERITY_PROBLEM, "sm_throughput, memory_throughput",
	 latency, BELOW, 0.6, UNIT_FRACTION, "SpeedOfLight: {detail}, both below {limit}",
	 "look at the scheduler and warp state statistics", NULL},
	{"ncu-sol-low", "Hide latency", SEVERITY_PROBLEM, "sm_throughput, memory_throughput", low,
	 BELOW, 0.6, UNIT_FRACTION,
	 "SpeedOfLight: {detail}, both below {limit}; the waves per SM are not known",
	 "collect the launch statistics", NULL},
	{"ncu-sol-compute", "", SEVERITY_INFO, "sm_throughput", compute, AT_LEAST, 0.6,
	 UNIT_FRACTION, "SpeedOfLight: {detail}",
	 "see which pipes are busy (compute workload analysis); remove redundant computation",
	 NULL},
	{"ncu-sol-memory", "", SEVERITY_INFO, "memory_throughput", memory, AT_LEAST, 0.6,
	 UNIT_FRACTION, "SpeedOfLight: {detail}",
	 "see which level limits (memory workload analysis); coalesce, fuse kernels", NULL},
	{"ncu-sol-balanced", "", SEVERITY_INFO, "sm_throughput, memory_throughput", balanced,
	 AT_LEAST, 0.6, UNIT_FRACTION, "SpeedOfLight: {detail}", SOL_ADVICE_BOTH, NULL},
	{"ncu-sol-high", "", SEVERITY_INFO, "sm_throughput, memory_throughput", high, AT_LEAST, 0.8,
	 UNIT_FRACTION, "SpeedOfLight: {detail}, at least one at {limit} or more",
	 "to go further, move work from the busiest unit to another", NULL},
	{"ncu-achieved-occupancy", "Reach the theoretical occupancy", SEVERITY_PROBLEM,
	 "theoretical_occupancy - achieved_occupancy", occupancy_gap, ABOVE, 0.1, UNIT_FRACTION,
	 "Achieved occupancy falls short of the theoretical one by {value} ({detail})",
	 "look for imbalance between warps or blocks, and for scheduling overhead",
	 gain_of_occupancy},
	{"ncu-theoretical-occupancy", "Raise the theoretical occupancy", SEVERITY_PROBLEM,
	 "theoretical_occupancy", theoretical, BELOW, 0.8, UNIT_FRACTION,
	 "Theoretical occupancy is {value} (limit {limit}){detail}",
	 "fewer registers a thread, less shared memory a block, another block size",
	 gain_of_theoretical_occupancy},
	{"ncu-issue-slots", "Issue more often", SEVERITY_PROBLEM, "issue_slots_busy", issue, BELOW,
	 0.6, UNIT_FRACTION, "Only {value} of the issue slots are used (limit {limit})",
	 "more eligible warps: higher occupancy, fewer stalls", gain_of_issue},
	{"ncu-tail", "Even out the last wave", SEVERITY_PROBLEM,
	 "1 - waves_per_sm / ceil(waves_per_sm)", tail, ABOVE, 0.2, UNIT_FRACTION,
	 "The last wave leaves {value} of the block slots empty ({detail} waves per SM)",
	 "another block or grid size, or a persistent kernel", gain_of_tail},
	{"health-tensor", "Feed the tensor pipe", SEVERITY_PROBLEM, "tensor_pipe_utilization",
	 tensor, AT_MOST, 0.6, UNIT_FRACTION,
	 "Tensor pipe active {value} (healthy above {limit}): memory- or latency-bound",
	 "check DRAM throughput and occupancy", NULL},
	{"health-dram", "Feed the memory", SEVERITY_PROBLEM, "dram_throughput", dram, AT_MOST, 0.7,
	 UNIT_FRACTION,
	 "DRAM throughput {value} (healthy above {limit}): compute- or latency-bound",
	 "check the tensor pipe and occupancy", NULL},
	{"health-occupancy", "Raise occupancy", SEVERITY_PROBLEM, "achieved_occupancy", occupancy,
	 AT_MOST, 0.25, UNIT_FRACTION,
	 "Achieved occupancy {value} (healthy above {limit}): register or shared memory pressure",
	 "reduce the tile size, give an occupancy hint", NULL},
	{"health-l2", "Reuse data in L2", SEVERITY_PROBLEM, "l2_hit_rate", l2, AT_MOST, 0.8,
	 UNIT_FRACTION, "L2 hit rate {value} (healthy above {limit}): poor data reuse",
	 "swizzle the blocks, use larger tiles, change the data layout", NULL},
	{"health-spills", "Remove register spills", SEVERITY_PROBLEM, "local_spilling_requests",
	 spills, ABOVE, 0, UNIT_COUNT,
	 "Registers overflow: {value} local memory requests from spilling{detail}",
	 "use smaller tiles and fewer accumulators", NULL},
	{"health-waves", "Fill the GPU", SEVERITY_PROBLEM, "waves_per_sm", waves, AT_MOST, 1,
	 UNIT_NONE, "{value} waves per SM (healthy above {limit}): the GPU is not filled",
	 "launch more blocks, or use fewer resources a block", gain_of_waves},
};

const struct rule *rules_gpu(size_t *count)
{
	*count = sizeof rows / sizeof *rows;
	return rows;
}
