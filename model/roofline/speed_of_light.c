/* The SpeedOfLight rule of Nsight Compute. */
#include "model/roofline/speed_of_light.h"

const double sol_no_bound = 0.8, sol_latency = 0.6, sol_balanced = 0.1, sol_waves = 1;

static const struct speed_of_light_info infos[SOL_LIMIT] = {
	[SOL_UNKNOWN] = {"Unknown", NULL, BOUND_UNKNOWN},
	[SOL_SMALL_GRID] = {"Small Grid", "grid is too small", BOUND_LATENCY},
	[SOL_LATENCY] = {"Latency Issue", "low compute throughput and memory bandwidth",
			 BOUND_LATENCY},
	[SOL_LOW] = {"Small Grid or Latency Issue", NULL, BOUND_LATENCY},
	[SOL_COMPUTE] = {"High Compute Throughput", "Compute is more heavily utilized than Memory",
			 BOUND_COMPUTE},
	[SOL_MEMORY] = {"High Memory Throughput", "Memory is more heavily utilized than Compute",
			BOUND_MEMORY},
	[SOL_BALANCED] = {"Balanced Throughput", "Compute and Memory are well-balanced",
			  BOUND_BALANCED},
	[SOL_HIGH] = {"High Throughput", "utilizing greater than 80.0% of the available",
		      BOUND_BALANCED},
};

/* Percentages have few decimals: 60.00 % must not compare as less because of its binary
 * fraction. */
static bool below(double a, double b)
{
	return a < b - 1e-12;
}

enum sol speed_of_light_of(double sm, double memory, double waves)
{
	if (sm >= sol_no_bound - 1e-12 || memory >= sol_no_bound - 1e-12)
		return SOL_HIGH; /* even if the other one is unknown */
	if (isnan(sm) || isnan(memory))
		return SOL_UNKNOWN;
	if (below(sm, sol_latency) && below(memory, sol_latency)) {
		if (isnan(waves))
			return SOL_LOW;
		return waves < sol_waves ? SOL_SMALL_GRID : SOL_LATENCY;
	}
	if (below(fabs(sm - memory), sol_balanced))
		return SOL_BALANCED;
	return sm > memory ? SOL_COMPUTE : SOL_MEMORY;
}

const struct speed_of_light_info *speed_of_light_info(enum sol sol)
{
	return &infos[sol];
}

enum sol speed_of_light_of_text(struct span text)
{
	for (enum sol sol = SOL_UNKNOWN; sol < SOL_LIMIT; sol++)
		if (infos[sol].phrase && span_find(text, infos[sol].phrase) < text.len)
			return sol;
	for (enum sol sol = SOL_SMALL_GRID; sol < SOL_LIMIT; sol++)
		if (span_starts(text, infos[sol].title))
			return sol;
	return SOL_UNKNOWN;
}

enum bound speed_of_light_bound(enum sol sol, double sm, double memory)
{
	if (sol != SOL_HIGH || below(fabs(sm - memory), sol_balanced))
		return infos[sol].bound;
	if (isnan(sm) || isnan(memory))
		return BOUND_UNKNOWN;
	return sm > memory ? BOUND_COMPUTE : BOUND_MEMORY;
}
