/*
 * Runs of one commit side by side, one section per kernel: tables with the reasons why one
 * configuration is faster than another, and the same as JSON. render/summary compares
 * two commits. Runs come grouped (model/run/variants.h).
 *
 * Never add the comparison of two commits.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"
#include "model/run/runs.h"

/* A run that represents the runs of its series at the commit. */
struct compare_run {
	const struct run *run;
	const char *id; /* the stored run's */
	size_t samples; /* number of runs that it represents */
};

/* The comparison of one kernel; its rows are indices into `runs`. */
struct compare_section {
	const char *kernel;
	struct compare_run *runs;
	size_t count;
	struct compare compare;
	bool metrics; /* all metrics, not only those of the table */
};

struct compare_section_list {
	struct compare_section *items;
	size_t count, capacity;
	size_t alone; /* configurations without a counterpart */
};

/* Prints the sections. `width` is the maximal width of a table in columns; 0 means unlimited. */
void render_compare_text(struct arena *arena, const struct compare_section_list *sections,
			 size_t width, struct strbuf *sb);
void render_compare_markdown(struct arena *arena, const struct compare_section_list *sections,
			     struct strbuf *sb);
/* The sections as JSON. `by` names what distinguishes the compared runs: "variant", "tool" ... */
struct json *render_compare_json(struct arena *arena, const struct compare_section_list *sections,
				 const char *by);
