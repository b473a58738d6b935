/*
 * The gate's outputs: a table for people, the list of what to measure again, and two documents,
 * each of which is the JSON and the source of its own text: the explained verdicts (every number,
 * so that they can be computed again) and the self-test.
 *
 * Never add the judging.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/json/json.h"
#include "base/base.h"
#include "model/gate/gate.h"
#include "model/run/runs.h"

/* Short names for all comparisons of one gate. */
struct short_names render_gate_naming(struct arena *arena, const struct gate_result *gate);

/* The word, what to do, the counts, a table, and why. `width`: columns of the terminal, 0 where
 * the text is not for one: then no line is broken. */
const char *render_gate_text(struct arena *arena, const struct gate_result *gate, size_t width,
			     bool utf8);

/* The comparisons whose name, as the gate prints it or whole, fits the pattern, or whose series key
 * is `series`; of a gate with gate_input.every_number. NULL and an error when there is none, with
 * examples of names. */
struct json *render_gate_explain(struct arena *arena, const struct gate_result *gate,
				 const char *series, struct error *err);
/* The same for 80 columns. */
const char *render_gate_explain_text(struct arena *arena, const struct json *document);

/* The document of docs/formats/report-document.md. */
struct json *render_gate_selftest(struct arena *arena, const struct gate_selftest *test);
const char *render_gate_selftest_text(struct arena *arena, const struct json *document,
				      size_t width);

/* One JSON object per line and series, the worst first; with commands where the configuration says
 * how to make them ([gate] rerun). Fails on a template that cannot be filled in safely. */
int render_gate_rerun_list(struct arena *arena, const struct gate_result *gate, struct strbuf *out,
			   struct error *err);
