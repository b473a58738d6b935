/* What is found out about a run once, for its part of the document and for the two fixed forms
 * (report_run.c, report_devlog.c, report_forms.c). Inside render/ only. */
#pragma once

#include "model/explain/explain.h"
#include "render/report/report.h"
#include "render/vocabulary/vocabulary.h"

struct form {
	struct arena *arena;
	const struct report_run *entry;
	enum report_extent extent;
	enum language language;
	bool engines; /* a device with engines and a DMA, not one with occupancy and a tensor pipe
		       */
	struct bottleneck bottleneck;
	struct finding_list findings;
	struct explanation why; /* since the baseline; without text before form_add_run() */
};

/* In arena memory, as what is made of it. */
struct form form_of(struct arena *arena, const struct report_run *entry, enum language language);
/* The message in the language of the form, "" of NULL. */
const char *form_text(const struct form *form, const struct message *message);
/* What changed since the baseline, "--" where that is not known. */
const char *form_versus(const struct form *form, enum metric metric);
/* A number with its unit; what is not known is "unknown" in the form of a device with engines, and
 * "--" in the other, as its users write it. */
const char *form_figure(const struct form *form, double number, enum unit unit);
/* One run as a new item of `runs`, without its contract. */
void form_add_run(struct form *form, struct json *runs);
/* run.devlog: the Performance block. What it says of the baseline must be there already. */
void form_add_devlog(const struct form *form, struct json *run_document);
/* run.contract, of the first of the stages that belong together: `runs` has an item a form. */
void form_add_contracts(const struct form *forms, size_t count, struct json *runs);
