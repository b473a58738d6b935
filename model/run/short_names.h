/*
 * Short names for a list of runs: what all runs share is stated once, and each name contains only
 * what distinguishes the run. A single run has its whole name.
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"

struct short_names {
	const struct run *first;            /* NULL: no runs */
	bool variant, dtype, device, dirty; /* differ between the runs */
	bool instance, cores, tool;         /* differ between runs on the same device */
	bool times, rates;                  /* whether any run's headline is a time, a rate */
	const char *const *params; /* names of the parameters that differ, or that some runs lack */
	size_t param_count;
};

struct short_names short_names_of(struct arena *arena, const struct run *const *runs, size_t count);
/* "attention fused s=512": the kernel, then the differences. */
const char *short_names_name(struct arena *arena, const struct short_names *naming,
			     const struct run *run);
/* "bf16, b=1, d=128": what all runs share; "" if nothing. */
const char *short_names_common(struct arena *arena, const struct short_names *naming);
/* The title of a column of their headlines: "time", "rate" or "time or rate". */
enum message_code short_names_headline(const struct short_names *naming);
