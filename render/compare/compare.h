/*
 * Runs of one commit side by side, a section a kernel: tables with why one
 * configuration is faster than the other, and the same as JSON. Two commits side
 * by side are render/summary/compare.h. Runs come grouped (model/run/variants.h).
 *
 * Never add the comparison of two commits.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "base/json/json.h"
#include "model/run/runs.h"

/* A run that stands for the runs of its series at the commit. */
struct compare_run {
	const struct run *run;
	const char *id; /* of the stored run */
	size_t samples; /* runs it stands for */
};

/* One kernel's comparison; its rows index `runs`. */
struct compare_section {
	const char *kernel;
	struct compare_run *runs;
	size_t count;
	struct compare compare;
	bool metrics; /* every metric, not only those of the table */
};

struct compare_section_list {
	struct compare_section *items;
	size_t count, capacity;
	size_t alone; /* configurations that nothing can be compared with */
};

/* `width`: what tables keep within; 0: they are as wide as their cells. */
void render_compare_text(struct arena *arena, const struct compare_section_list *sections,
			 size_t width, struct strbuf *sb);
/* `by`: what tells the compared runs apart. */
struct json *render_compare_json(struct arena *arena, const struct compare_section_list *sections,
				 const char *by);
