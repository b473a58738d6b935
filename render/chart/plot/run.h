/*
 * What charts need from the runs of a report document, read once: their series (one color per
 * series) and the shortest names that distinguish them. Texts and arrays belong to the arena.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"

struct chart_run {
	const struct json *json;
	size_t series;     /* index in chart_runs.series */
	const char *point; /* name inside the series: "s=512"; "" when nothing differs */
	const char *name;  /* name within the chart: "fused s=512" */
	const char *whole; /* full name for tooltips: the run's title */
};

struct chart_runs {
	struct chart_run *items;
	size_t count;
	const char **series; /* names; "" if there is only one series */
	size_t series_count;
	const char *subject; /* "attention_fwd", "3 kernels" */
	const char *device;  /* "trn2, 2 cores", "2 devices", or "" */
};

/* ERR_FORMAT when the report has no runs. */
int plot_runs_read(struct arena *arena, const struct json *report, struct chart_runs *runs,
		   struct error *err);

/* The number of a member that is a quantity or a plain number; NAN if absent or unknown. */
double plot_number(const struct json *object, const char *name);
/* The value of a metric of a run; NAN when unknown. */
double plot_metric(const struct json *run, const char *key);
