/* Recognizes GPU runs by their counters and devices. */
#include "model/run/gpu.h"

const double health_tensor = 0.6, health_dram = 0.7, health_l2 = 0.8;

bool run_has_gpu_counters(const struct run *run)
{
	static const enum metric counters[] = {
		METRIC_SM_THROUGHPUT,        METRIC_MEMORY_THROUGHPUT, METRIC_DRAM_THROUGHPUT,
		METRIC_L2_THROUGHPUT,        METRIC_L1_THROUGHPUT,     METRIC_ACHIEVED_OCCUPANCY,
		METRIC_TENSOR_PIPE,          METRIC_ISSUE_ACTIVE,      METRIC_L1_HIT_RATE,
		METRIC_L2_HIT_RATE,          METRIC_WAVES_PER_SM,      METRIC_THEORETICAL_OCCUPANCY,
		METRIC_REGISTERS_PER_THREAD, METRIC_SPILL_REQUESTS,
	};
	for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
		if (!isnan(run_number(run, counters[i])))
			return true;
	return false;
}

bool run_is_gpu(const struct run *run, const struct hardware *hardware)
{
	if (!hardware && run->device)
		hardware = hardware_find(NULL, run->device);
	if (hardware)
		return !hardware->per_core;
	return run_has_gpu_counters(run);
}
