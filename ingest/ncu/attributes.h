/* The texts of a Nsight Compute run: attributes, warnings, advice. */
#pragma once

#include "ingest/ncu/profile.h"
#include "model/run/run.h"

/* Adds attributes of the first launch, and the bottleneck that ncu's own rule found for the typical
 * launch. */
void ncu_add_facts(struct arena *arena, struct run *run, const struct ncu_launch *first,
		   const struct ncu_launch *typical);
/* Adds warnings: kernels are missing, FLOP were not counted. */
void ncu_add_warnings(const struct ncu_profile *profile, struct run *run);
/* Adds the launch's rules with the largest estimated speedups, as warnings. */
void ncu_add_advice(struct arena *arena, struct run *run, const struct ncu_launch *launch);
