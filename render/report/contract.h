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
/* Adds one run to `runs`, without its contract. */
void form_add_run(struct form *form, struct json *runs);
/* Adds run.devlog: the Performance block. The run's part about the baseline must have been added
 * before. */
void form_add_devlog(const struct form *form, struct json *run_document);
/* Which runs are stages of one contract. */
struct form_stages *form_stages_of(struct arena *arena, const struct report_run *runs,
				   size_t count);
/* Adds run.contract if the run at this index is the first stage of its contract, or no stage. */
void form_add_contract(const struct form *form, const struct form_stages *stages, size_t index,
		       struct json *run_document);
