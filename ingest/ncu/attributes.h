/* What a run of Nsight Compute says in words. */
#pragma once

#include "ingest/ncu/profile.h"
#include "model/run/run.h"

/* Attributes: of the first launch, and the verdict of ncu's own rule on the typical one. */
void ncu_add_facts(struct arena *arena, struct run *run, const struct ncu_launch *first,
		   const struct ncu_launch *typical);
/* What the user should know: kernels that are missing, FLOP that were not counted. */
void ncu_add_warnings(const struct ncu_profile *profile, struct run *run);
/* The rules of the launch with the largest estimated speedups, as notes. */
void ncu_add_advice(struct arena *arena, struct run *run, const struct ncu_launch *launch);
