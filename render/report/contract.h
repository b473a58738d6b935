/* The facts about a run that its part of the document and the two fixed forms share, computed
 * once. Private to render/report. */
#pragma once

#include "model/explain/explain.h"
#include "render/report/report.h"
#include "render/vocabulary/vocabulary.h"

struct form {
	struct arena *arena;
	const struct report_run *entry;
	enum report_extent extent;
	enum language language;
	bool engines; /* Neuron (engines, DMA); else GPU (occupancy, pipes) */
	struct bottleneck bottleneck;
	struct finding_list findings;
	struct explanation why; /* since the baseline; without text before form_add_run() */
};

/* Collects the facts. Texts live in the arena. */
struct form form_of(struct arena *arena, const struct report_run *entry, enum language language);
/* The message in the language of the form; "" for NULL. */
const char *form_text(const struct form *form, const struct message *message);
const char *form_term(const struct form *form, enum message_code code);
/* The change since the baseline; "--" if unknown. */
const char *form_versus(const struct form *form, enum metric metric);
/* A number with its unit, or "unknown". */
const char *form_quantity(const struct form *form, double number, enum unit unit);
/* The same. An unknown number is "unknown" in the form for devices with engines and
 * "--" in the other, as specified for each form. */
const char *form_figure(const struct form *form, double number, enum unit unit);
/* Why the time moved since the baseline; without text if nothing is worth saying. */
struct explanation form_why(const struct form *form);

/* Runs that are shown together: stages of one contract differ only in the parameter "stage", shapes
 * of one kernel in any parameter. The first run of a group carries it in the document. */
enum form_grouping { FORM_BY_STAGE, FORM_BY_SHAPE };
struct form_groups *form_groups_of(struct arena *arena, const struct report *report,
				   enum form_grouping grouping);
struct form_group {
	struct form *items;
	size_t count;
};
/* The group of the run at this index; empty unless it is the group's first. A run is alone if it
 * has no stage, or if `groups` is NULL. */
struct form_group form_group_of(const struct form *form, const struct form_groups *groups,
				size_t index);

/* Adds one run to `runs`, without its contract and its Performance block. */
void form_add_run(struct form *form, struct json *runs);
/* Adds run.devlog: the Performance block of the group, whose first run this is. Sorts the group by
 * shape. */
void form_add_devlog(struct form_group *shapes, struct json *run_document);
/* Adds run.tiling, if the run has any. (tiling.c) */
void form_add_tiling(struct arena *arena, const struct run *run, struct json *out);
/* How the stages are tiled, as a table; NULL if nothing is known. */
const char *form_tiling_table(const struct form_group *stages);
/* Adds run.contract: the contract of the group. */
void form_add_contract(const struct form_group *stages, struct json *run_document);
