/*
 * A bisection of a series' history for people and for programs. What is believed
 * of the commits comes from model/bisect; nothing here weighs evidence.
 *
 * Never add the search.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "base/json/json.h"
#include "model/bisect/bisect_case.h"

/* The change, the most probable commits, and what to measure next. `width`: what lines keep
 * within; 0: they are as long as they are. */
const char *render_bisect_text(struct arena *arena, const struct bisect_case *bisect_case,
			       size_t width);
struct json *render_bisect_json(struct arena *arena, const struct bisect_case *bisect_case);

/* What is known of the commit that is checked out. */
struct bisect_step {
	const char *oid;
	const char *verdict; /* "good", "bad", "unknown" */
	double moved;        /* probability to be at the new level; NAN: no data */
	size_t sessions;
	bool stray; /* measured at neither level */
};
/* Adds the member "step" to the document. */
void render_bisect_add_step(struct arena *arena, struct json *document,
			    const struct bisect_step *step);
