/*
 * The gate's outputs: a table for people, the list of series to measure again, and two documents,
 * which are both the JSON and the source of the text: the explained verdicts (every number, so
 * that a reader can recompute them) and the self-test.
 *
 * Never add the judging.
 */
#pragma once

#include "base/json/json.h"
#include "base/base.h"
#include "model/gate/gate.h"
#include "model/run/runs.h"

/* Prints the status, what to do, the counts, a table, and the reasons. `width`: columns of the
 * terminal; 0: not a terminal, lines are not wrapped. */
const char *render_gate_text(struct arena *arena, const struct gate_result *gate, size_t width,
			     bool utf8);

/* Explains the comparisons that are wanted. The gate must have been run with
 * gate_input.every_number. NULL if none is wanted. */
typedef bool gate_explain_wants(const void *context, const struct run *run);
struct json *render_gate_explain(struct arena *arena, const struct gate_result *gate,
				 gate_explain_wants *wants, const void *context);
/* Prints the document for 80 columns. */
const char *render_gate_explain_text(struct arena *arena, const struct json *document);

/* The document of docs/formats/report-document.md. */
struct json *render_gate_selftest(struct arena *arena, const struct gate_selftest *test);
const char *render_gate_selftest_text(struct arena *arena, const struct json *document,
				      size_t width);

/* Adds one JSON object per series and line, worst first, with commands if the configuration has a
 * template ([gate] rerun). Fails if a template cannot be filled in safely. */
int render_gate_rerun_list(struct arena *arena, const struct gate_result *gate, struct strbuf *out,
			   struct error *err);
