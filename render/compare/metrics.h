/*
 * Two runs of the same work, metric by metric: how many metrics known for both are equal, which
 * differ, and by how much. Private to render/compare.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"
#include "model/run/run.h"

struct compare_sides {
	const char *work;              /* "attention s=512" */
	const char *reference, *value; /* what distinguishes them: "neuron-profile", "ntff" */
	const struct run *reference_run, *run;
};

/* "+1.85 %"; "+3.1e-09" where two decimals would print zero; "equal". */
const char *render_compare_change_text(struct arena *arena, double reference, double number);
/* Adds a sentence, and a table of the metrics that differ. */
void render_compare_metrics_add(struct arena *arena, const struct compare_sides *sides,
				size_t width, struct strbuf *sb);
/* Sets "agreement" of the row. */
void render_compare_metrics_json(struct arena *arena, const struct compare_sides *sides,
				 struct json *row);
