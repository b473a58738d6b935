/*
 * Work, traffic and busy cycles from AMD's hardware counters, as one table. Counters are found by
 * their names. A metric is unknown unless the file has all counters of its formula.
 *
 * The formulas are those of rocprof-compute: of its roofline (src/utils/roofline_calc.py), and of
 * "MFMA Utilization", "VALU Utilization" and "Wave Cycles"
 * (src/rocprof_compute_soc/analysis_configs/ gfx942/0200_system-speed-of-light.yaml,
 * 0700_wavefront-launch.yaml). Its utilizations divide by GRBM_GUI_ACTIVE / num_xcd and by the
 * device's compute units, which a file of counters lacks; so here are cycles, and
 * model/run/metric.def divides.
 */
#pragma once

#include "base/base.h"
#include "ingest/collect/collect.h"

enum { amd_metric_count = 13, amd_term_limit = 64 };

/* Rows for a launch table; their provenance is derived. */
extern const struct launch_metric amd_metrics[amd_metric_count];

/* The columns of the formulas' terms. */
struct amd_columns {
	size_t at[amd_term_limit]; /* index of the column; (size_t)-1 if it is missing */
};

struct amd_columns rocm_counter_columns_of(const struct span *names, size_t count);
/* Whether a formula uses the column. */
bool rocm_counter_columns_use(const struct amd_columns *columns, size_t column);
/* Computes all of amd_metrics from the numbers in the columns; NAN unknown. */
void rocm_counters_derive(const struct amd_columns *columns, const double *numbers,
			  double values[amd_metric_count]);
