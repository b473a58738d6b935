/*
 * What AMD's hardware counters say about work and traffic: the formulas of
 * rocprof-compute's roofline, as one table. Counters are told by their names;
 * a metric is unknown unless all the counters of its formula are there.
 */
#pragma once

#include <stddef.h>

#include "base/base.h"
#include "ingest/collect/collect.h"

enum { amd_metric_count = 9, amd_term_limit = 64 };

/* Rows for a launch table, provenance derived. */
extern const struct launch_metric amd_metrics[amd_metric_count];

/* Which columns hold the terms of the formulas. */
struct amd_columns {
	size_t at[amd_term_limit]; /* (size_t)-1: there is none */
};

struct amd_columns amd_columns_of(const struct span *names, size_t count);
/* Whether the formulas use the column. */
bool amd_columns_use(const struct amd_columns *columns, size_t column);
/* One number for each of amd_metrics from the numbers of the columns; NAN unknown. */
void amd_derive(const struct amd_columns *columns, const double *numbers,
		double values[amd_metric_count]);
