/*
 * Turns launches into runs: launches of one kernel with the same work are repeats of one run. run.c
 * groups them, derive.c has the formulas over the quantities of a launch, attributes.c the texts.
 */
#pragma once

#include "ingest/ncu/profile.h"
#include "model/run/run.h"

/* Adds the runs of a finished profile, in the order of their first launches. -1 and *err if no
 * launch has a known quantity. */
int ncu_runs(struct ncu_profile *profile, struct run_list *runs, struct error *err);

/* A metric that a formula may compute: traffic from rates, FLOP from instruction counts, peaks from
 * what the file states about the device. Results are in SI units; NAN unknown. */
struct ncu_formula {
	double (*of)(const struct ncu_launch *launch);
	enum ncu_quantity counted; /* if the launch has it, the value is that, and is measured */
	enum metric metric;
	enum provenance provenance; /* of a computed value */
};

enum { NCU_FORMULA_COUNT = 20 };
extern const struct ncu_formula ncu_formulas[NCU_FORMULA_COUNT];
double ncu_time(const struct ncu_launch *launch); /* the duration, else cycles / clock */
/* Bytes per second of device memory. *error is the relative error due to rounding: 0 if the device
 * states the peak. */
double ncu_peak_dram(const struct ncu_launch *launch, double *error);

/* Adds attributes of the first launch, and the bottleneck that ncu's own rule found for the typical
 * launch. */
void ncu_add_facts(struct arena *arena, struct run *run, const struct ncu_launch *first,
		   const struct ncu_launch *typical);
/* Adds warnings: kernels are missing, FLOP were not counted. */
void ncu_add_warnings(const struct ncu_profile *profile, struct run *run);
/* Adds the launch's rules with the largest estimated speedups, as warnings. */
void ncu_add_advice(struct arena *arena, struct run *run, const struct ncu_launch *launch);
