/*
 * Prints the result of a bisection as text and as JSON. The probabilities of the commits come from
 * model/bisect.
 *
 * Never add the search.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"
#include "model/bisect/bisect_case.h"

/* Prints the change point, the most probable commits, and what to measure next. `width` is the
 * maximal width of a line in columns; 0 means unlimited. */
const char *render_bisect_text(struct arena *arena, const struct bisect_case *bisect_case,
			       size_t width);
struct json *render_bisect_json(struct arena *arena, const struct bisect_case *bisect_case);
/* The same without a change to look for. */
struct json *render_bisect_no_change(struct arena *arena, const char *why);

/* The state of the commit that is checked out. */
struct bisect_step {
	const char *oid;
	const char *verdict; /* "good", "bad", "unknown" */
	double moved;        /* probability that the commit is at the new level; NAN: no data */
	size_t sessions;
	bool stray; /* measured, but at neither level */
};
/* Adds the member "step" to the document. */
void render_bisect_add_step(struct arena *arena, struct json *document,
			    const struct bisect_step *step);
