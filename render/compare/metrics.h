/*
 * Two runs of the same work, metric by metric: how many of those that both know are equal, which
 * differ and by how much. For render/compare alone.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"
#include "model/run/run.h"

struct compare_sides {
	const char *work;              /* "attention s=512" */
	const char *reference, *value; /* "neuron-profile", "ntff": what tells them apart */
	const struct run *reference_run, *run;
};

/* "+1.85 %", "+3.1e-09" where that would be nothing, "equal". */
const char *render_compare_change_text(struct arena *arena, double reference, double number);
/* A sentence, and a table of the metrics that differ. */
void render_compare_metrics_add(struct arena *arena, const struct compare_sides *sides,
				size_t width, struct strbuf *sb);
/* Sets "agreement" of the row. */
void render_compare_metrics_json(struct arena *arena, const struct compare_sides *sides,
				 struct json *row);
