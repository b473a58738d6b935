/*
 * Rules for GPU runs, in two sets: "ncu-..." are the rules of Nsight Compute with its thresholds,
 * "health-..." those of the health table. They disagree on purpose (60 and 80 % there; 60, 70 and
 * 80 % here), so each name shows the source. "access-..." are our own, about how warps access
 * memory.
 */

#include "model/run/runs.h"
#include "model/roofline/rule.h"
#include "model/roofline/speed_of_light.h"

static struct message_value fraction(const struct run *run, enum metric metric)
{
	return message_fraction(run_number(run, metric));
}

/* --- Nsight Compute's SpeedOfLight rule: one row per outcome --- */

static enum sol verdict(const struct run *run)
{
	return speed_of_light_of(run_number(run, METRIC_SM_THROUGHPUT),
				 run_number(run, METRIC_MEMORY_THROUGHPUT),
				 run_number(run, METRIC_WAVES_PER_SM));
}

/* The higher of the two throughputs if the rule has this outcome; else NAN. */
static double outcome(const struct run *run, struct rule_details *details, enum sol sol)
{
	double sm = run_number(run, METRIC_SM_THROUGHPUT);
	double memory = run_number(run, METRIC_MEMORY_THROUGHPUT);
	if (verdict(run) != sol)
		return NAN;
	details->values[0] = message_text(speed_of_light_info(sol)->title);
	details->values[1] = message_fraction(sm);
	details->values[2] = message_fraction(memory);
	return fmax(sm, memory);
}

static double small_grid(const struct run *run, struct rule_details *details)
{
	double busiest = outcome(run, details, SOL_SMALL_GRID);
	if (isnan(busiest))
		return NAN;
	return run_number(run, METRIC_WAVES_PER_SM);
}

#define SOL_TRIGGER(name, SOL)                                                                     \
	static double name(const struct run *run, struct rule_details *details)                    \
	{                                                                                          \
		return outcome(run, details, SOL);                                                 \
	}
SOL_TRIGGER(latency, SOL_LATENCY)
SOL_TRIGGER(low, SOL_LOW)
SOL_TRIGGER(compute, SOL_COMPUTE)
SOL_TRIGGER(memory, SOL_MEMORY)
SOL_TRIGGER(balanced, SOL_BALANCED)
SOL_TRIGGER(high, SOL_HIGH)
#undef SOL_TRIGGER

/* 1 if the tool's own text in the profile states another outcome. */
static double contradiction(const struct run *run, struct rule_details *details)
{
	const char *text = run_attribute(run, "ncu_sol_rule");
	enum sol own = verdict(run),
		 theirs = text ? speed_of_light_of_text(span_of(text)) : SOL_UNKNOWN;
	if (own == SOL_UNKNOWN || own == SOL_LOW || theirs == SOL_UNKNOWN || own == theirs)
		return NAN;
	details->values[0] = message_text(speed_of_light_info(theirs)->title);
	details->values[1] = message_text(speed_of_light_info(own)->title);
	return 1;
}

/* --- other rules of Nsight Compute --- */

static double occupancy_gap(const struct run *run, struct rule_details *details)
{
	details->values[0] = fraction(run, METRIC_ACHIEVED_OCCUPANCY);
	details->values[1] = fraction(run, METRIC_THEORETICAL_OCCUPANCY);
	return run_number(run, METRIC_THEORETICAL_OCCUPANCY) -
	       run_number(run, METRIC_ACHIEVED_OCCUPANCY);
}

static double theoretical(const struct run *run, struct rule_details *details)
{
	double registers = run_number(run, METRIC_REGISTERS_PER_THREAD);
	details->values[0] = message_part(
		isnan(registers) ? NULL
				 : message_of(details->arena, MESSAGE_REGISTERS_PER_THREAD,
					      message_quantity(registers, UNIT_COUNT)));
	return run_number(run, METRIC_THEORETICAL_OCCUPANCY);
}

/* Empty share of the last wave's slots, assuming equal block times. Grids below one wave have
 * another rule. */
static double tail(const struct run *run, struct rule_details *details)
{
	double count = run_number(run, METRIC_WAVES_PER_SM);
	details->values[0] = message_quantity(count, UNIT_NONE);
	return count > 1 ? 1 - count / ceil(count) : NAN;
}

/* --- the health table --- */

/* A kernel that keeps the memory or the vector pipe busy is not at fault for an idle tensor pipe,
 * and vice versa; a copy has no use for one. */
static double tensor(const struct run *run, struct rule_details *details)
{
	double memory = run_number(run, METRIC_DRAM_THROUGHPUT);
	(void)details;
	if ((isnan(memory) ? run_number(run, METRIC_MBU) : memory) > health_dram ||
	    run_number(run, METRIC_VECTOR_PIPE) > health_tensor ||
	    run_number(run, METRIC_USEFUL_FLOPS) == 0)
		return NAN;
	return run_number(run, METRIC_TENSOR_PIPE);
}

static double dram(const struct run *run, struct rule_details *details)
{
	(void)details;
	if (run_number(run, METRIC_TENSOR_PIPE) > health_tensor)
		return NAN;
	return run_number(run, METRIC_DRAM_THROUGHPUT);
}

static double spills(const struct run *run, struct rule_details *details)
{
	double overhead = run_number(run, METRIC_SPILL_OVERHEAD);
	details->values[0] =
		message_part(isnan(overhead) ? NULL
					     : message_of(details->arena, MESSAGE_SPILL_OVERHEAD,
							  message_fraction(overhead)));
	return run_number(run, METRIC_SPILL_REQUESTS);
}

/* --- accesses of warps --- */

/* 32 threads with 16 bytes each: no access of a warp can use more sectors of 32 bytes. How many
 * fewer suffice depends on the width, which a profile does not give. */
enum { most_sectors = 16 };

/* The sectors of the worse direction whose efficiency is unknown; else the other rules say it. */
static double sectors(const struct run *run, struct rule_details *details)
{
	double load = isnan(run_number(run, METRIC_GLOBAL_LOAD_EFFICIENCY))
			      ? run_number(run, METRIC_GLOBAL_LOAD_SECTORS)
			      : NAN;
	double store = isnan(run_number(run, METRIC_GLOBAL_STORE_EFFICIENCY))
			       ? run_number(run, METRIC_GLOBAL_STORE_SECTORS)
			       : NAN;
	details->values[0] = message_term(isnan(load) || store > load ? MESSAGE_GLOBAL_STORE
								      : MESSAGE_GLOBAL_LOAD);
	return fmax(load, store);
}

static double bank_conflicts(const struct run *run, struct rule_details *details)
{
	details->values[0] = message_quantity(run_number(run, METRIC_BANK_CONFLICTS), UNIT_COUNT);
	return run_number(run, METRIC_BANK_CONFLICT_SHARE);
}

/* Idle time before a launch / its own time. */
static double launch_gaps(const struct run *run, struct rule_details *details)
{
	double idle = run_number(run, METRIC_IDLE_BEFORE);
	details->values[0] = message_quantity(idle, UNIT_SECOND);
	return idle / run_number(run, METRIC_TOTAL_TIME);
}

static const struct rule rows[] = {
	{"ncu-sol-differs", MESSAGE_TITLE_CHECK_PROFILE, SEVERITY_DATA, "ncu_sol_rule",
	 contradiction, AT_LEAST, 1, UNIT_NONE, MESSAGE_FOUND_SOL_DIFFERS, MESSAGE_NONE, NULL},
	{"ncu-sol-small-grid", MESSAGE_TITLE_FILL_GPU, SEVERITY_PROBLEM, "waves_per_sm", small_grid,
	 BELOW, 1, UNIT_NONE, MESSAGE_FOUND_SOL_SMALL_GRID, MESSAGE_ADVICE_SOL_SMALL_GRID,
	 gain_of_waves},
	{"ncu-sol-latency", MESSAGE_TITLE_HIDE_LATENCY, SEVERITY_PROBLEM,
	 "sm_throughput, memory_throughput", latency, BELOW, 0.6, UNIT_FRACTION,
	 MESSAGE_FOUND_SOL_LATENCY, MESSAGE_ADVICE_SOL_LATENCY, NULL},
	{"ncu-sol-low", MESSAGE_TITLE_HIDE_LATENCY, SEVERITY_PROBLEM,
	 "sm_throughput, memory_throughput", low, BELOW, 0.6, UNIT_FRACTION, MESSAGE_FOUND_SOL_LOW,
	 MESSAGE_ADVICE_SOL_LOW, NULL},
	{"ncu-sol-compute", MESSAGE_NONE, SEVERITY_INFO, "sm_throughput", compute, AT_LEAST, 0.6,
	 UNIT_FRACTION, MESSAGE_FOUND_SOL, MESSAGE_ADVICE_SOL_COMPUTE, NULL},
	{"ncu-sol-memory", MESSAGE_NONE, SEVERITY_INFO, "memory_throughput", memory, AT_LEAST, 0.6,
	 UNIT_FRACTION, MESSAGE_FOUND_SOL, MESSAGE_ADVICE_SOL_MEMORY, NULL},
	{"ncu-sol-balanced", MESSAGE_NONE, SEVERITY_INFO, "sm_throughput, memory_throughput",
	 balanced, AT_LEAST, 0.6, UNIT_FRACTION, MESSAGE_FOUND_SOL, MESSAGE_ADVICE_SOL_BALANCED,
	 NULL},
	{"ncu-sol-high", MESSAGE_NONE, SEVERITY_INFO, "sm_throughput, memory_throughput", high,
	 AT_LEAST, 0.8, UNIT_FRACTION, MESSAGE_FOUND_SOL_HIGH, MESSAGE_ADVICE_SOL_HIGH, NULL},
	{"ncu-achieved-occupancy", MESSAGE_TITLE_REACH_OCCUPANCY, SEVERITY_PROBLEM,
	 "theoretical_occupancy - achieved_occupancy", occupancy_gap, ABOVE, 0.1, UNIT_FRACTION,
	 MESSAGE_FOUND_ACHIEVED_OCCUPANCY, MESSAGE_ADVICE_ACHIEVED_OCCUPANCY, gain_of_occupancy},
	{"ncu-theoretical-occupancy", MESSAGE_TITLE_RAISE_THEORETICAL, SEVERITY_PROBLEM,
	 "theoretical_occupancy", theoretical, BELOW, 0.8, UNIT_FRACTION,
	 MESSAGE_FOUND_THEORETICAL_OCCUPANCY, MESSAGE_ADVICE_THEORETICAL_OCCUPANCY,
	 gain_of_theoretical_occupancy},
	{"ncu-issue-slots", MESSAGE_TITLE_ISSUE, SEVERITY_PROBLEM, "issue_slots_busy", NULL, BELOW,
	 0.6, UNIT_FRACTION, MESSAGE_FOUND_ISSUE_SLOTS, MESSAGE_ADVICE_ISSUE_SLOTS, gain_of_issue},
	{"ncu-tail", MESSAGE_TITLE_LAST_WAVE, SEVERITY_PROBLEM,
	 "1 - waves_per_sm / ceil(waves_per_sm)", tail, ABOVE, 0.2, UNIT_FRACTION,
	 MESSAGE_FOUND_TAIL, MESSAGE_ADVICE_TAIL, gain_of_tail},
	{"health-tensor", MESSAGE_TITLE_FEED_TENSOR, SEVERITY_PROBLEM, "tensor_pipe_utilization",
	 tensor, AT_MOST, 0.6, UNIT_FRACTION, MESSAGE_FOUND_TENSOR_PIPE, MESSAGE_ADVICE_TENSOR_PIPE,
	 NULL},
	{"health-dram", MESSAGE_TITLE_FEED_MEMORY, SEVERITY_PROBLEM, "dram_throughput", dram,
	 AT_MOST, 0.7, UNIT_FRACTION, MESSAGE_FOUND_DRAM, MESSAGE_ADVICE_DRAM, NULL},
	{"health-occupancy", MESSAGE_TITLE_RAISE_OCCUPANCY, SEVERITY_PROBLEM, "achieved_occupancy",
	 NULL, AT_MOST, 0.25, UNIT_FRACTION, MESSAGE_FOUND_OCCUPANCY, MESSAGE_ADVICE_OCCUPANCY,
	 NULL},
	{"health-l2", MESSAGE_TITLE_REUSE_L2, SEVERITY_PROBLEM, "l2_hit_rate", NULL, AT_MOST, 0.8,
	 UNIT_FRACTION, MESSAGE_FOUND_L2, MESSAGE_ADVICE_L2, NULL},
	{"health-spills", MESSAGE_TITLE_REGISTER_SPILLS, SEVERITY_PROBLEM,
	 "local_spilling_requests", spills, ABOVE, 0, UNIT_COUNT, MESSAGE_FOUND_REGISTER_SPILLS,
	 MESSAGE_ADVICE_REGISTER_SPILLS, NULL},
	{"access-global-loads", MESSAGE_TITLE_COALESCE, SEVERITY_PROBLEM, "global_load_efficiency",
	 NULL, BELOW, 0.8, UNIT_FRACTION, MESSAGE_FOUND_LOAD_EFFICIENCY, MESSAGE_ADVICE_COALESCE,
	 NULL},
	{"access-global-stores", MESSAGE_TITLE_COALESCE, SEVERITY_PROBLEM,
	 "global_store_efficiency", NULL, BELOW, 0.8, UNIT_FRACTION, MESSAGE_FOUND_STORE_EFFICIENCY,
	 MESSAGE_ADVICE_COALESCE, NULL},
	{"access-global", MESSAGE_TITLE_COALESCE, SEVERITY_PROBLEM, "sectors_per_request", sectors,
	 ABOVE, most_sectors, UNIT_NONE, MESSAGE_FOUND_SECTORS, MESSAGE_ADVICE_COALESCE, NULL},
	{"launch-gaps", MESSAGE_TITLE_LAUNCH_GAPS, SEVERITY_PROBLEM,
	 "idle_before_launch / total_time", launch_gaps, ABOVE, 0.5, UNIT_NONE,
	 MESSAGE_FOUND_LAUNCH_GAPS, MESSAGE_ADVICE_LAUNCH_GAPS, NULL},
	{"access-bank-conflicts", MESSAGE_TITLE_BANK_CONFLICTS, SEVERITY_PROBLEM,
	 "shared_bank_conflict_share", bank_conflicts, ABOVE, 0.1, UNIT_FRACTION,
	 MESSAGE_FOUND_BANK_CONFLICTS, MESSAGE_ADVICE_BANK_CONFLICTS, NULL},
	{"health-waves", MESSAGE_TITLE_FILL_GPU, SEVERITY_PROBLEM, "waves_per_sm", NULL, AT_MOST, 1,
	 UNIT_NONE, MESSAGE_FOUND_WAVES, MESSAGE_ADVICE_WAVES, gain_of_waves},
};

const struct rule *findings_gpu_rules(size_t *count)
{
	*count = sizeof rows / sizeof *rows;
	return rows;
}
