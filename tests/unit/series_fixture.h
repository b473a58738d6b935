/* A run with every part that names its series. */
#ifndef TESTS_UNIT_SERIES_FIXTURE_H
#define TESTS_UNIT_SERIES_FIXTURE_H

#include "unit/unit.h"

#include "model/run/run.h"

static inline struct run *series_run(struct arena *arena, const char *kernel)
{
	struct run *run = run_new(arena);
	run->kernel = kernel;
	run->variant = "fused";
	run->dtype = "bf16";
	run->device = "trn2";
	run->instance_type = "trn2.3xlarge";
	run->cores = 2;
	run->tool = "neuron-profile";
	run_set_param(arena, run, "b", "1");
	run_set_param(arena, run, "s", "512");
	return run;
}

#endif
