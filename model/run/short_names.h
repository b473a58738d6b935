/*
 * Short names for runs side by side: what they have in common is said once, each
 * name carries only what tells it apart. A single run has its whole name.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "model/run/run.h"

struct short_names {
	const struct run *first;            /* NULL when there are no runs */
	bool variant, dtype, device, dirty; /* differ between the runs */
	bool instance, cores, tool;         /* differ between runs on the same device */
	bool times, rates;                  /* some run's headline is one */
	const char *const *params; /* names of the parameters that differ or are not everywhere */
	size_t param_count;
};

struct short_names short_names_of(struct arena *arena, const struct run *const *runs, size_t count);
/* "attention fused s=512": the kernel, then what differs. */
const char *short_names_name(struct arena *arena, const struct short_names *naming,
			     const struct run *run);
/* "bf16, b=1, d=128": what all runs share; "" when nothing is left to say. */
const char *short_names_common(struct arena *arena, const struct short_names *naming);
/* What a column of their headlines is called: "time", "rate" or "time or rate". */
enum message_code short_names_headline(const struct short_names *naming);
