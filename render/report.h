/*
 * The report document: from the model to the JSON that templates, serializers
 * and charts see (docs/report-document.md). Nothing behind this point looks at
 * a run again.
 */
#ifndef RENDER_REPORT_H
#define RENDER_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/json.h"
#include "model/bottleneck.h"
#include "model/gate.h"
#include "model/hardware.h"
#include "model/revision.h"
#include "model/run.h"

struct report_run {
	const struct run *run;           /* derived, with details */
	const char *id;                  /* content hash; NULL before it is stored */
	const struct revision *revision; /* NULL when it has no commit yet */
	struct peaks peaks;              /* as used for run_derive() */
	const struct hardware *hardware; /* for the roofs of other dtypes; may be NULL */
	const struct run *baseline;      /* derived; NULL when there is none */
	const struct revision *baseline_revision;
	int64_t baseline_age;      /* first-parent steps; -1 unknown */
	const char *baseline_kind; /* "nearest ancestor with data", "previous variant v3" */
	size_t samples;            /* repeats of which this run has the median time; 0 or 1: none */
	double fastest, slowest;   /* their total times, s */
};

struct report {
	const char *version; /* of rooflog */
	const char *title;
	int64_t generated_at;            /* Unix seconds */
	const struct revision *revision; /* the commit the report is about; may be NULL */
	const struct report_run *runs;
	size_t run_count;
	const struct gate *gate; /* may be NULL */
};

struct json *report_document(struct arena *arena, const struct report *report);

/* "2026-11-21T09:32:51Z" */
const char *report_time(struct arena *arena, int64_t unix_seconds);
/* "49.3 % faster (33.0 % less time)" for a duration, "+12.30 %" for anything else. */
const char *report_change_words(struct arena *arena, enum metric metric, double previous,
				double current);
/* The metric's title; the device memory of a GPU is called DRAM. */
const char *report_title(struct arena *arena, const struct run *run, enum metric metric);
/* {key, title, value, unit, text, provenance, formula[, reported]} of a metric, as a new member
 * (or item when `name` is NULL) of `parent`. */
struct json *report_metric(struct arena *arena, struct json *parent, const char *name,
			   const struct run *run, enum metric metric);
/* {value, unit, text} */
struct json *report_quantity(struct arena *arena, struct json *parent, const char *name,
			     double number, enum unit unit);
void report_commit(struct arena *arena, struct json *parent, const char *name,
		   const struct revision *revision, bool dirty);

/* age_commits and age_text of a baseline; nothing when the age is negative: unknown. */
void report_age(struct arena *arena, struct json *baseline, int64_t age);

/* Parts, each in a file of its own. */
void report_add_run(struct arena *arena, struct json *runs, const struct report_run *entry);
void report_add_gate(struct arena *arena, struct json *document, const struct gate *gate);
/* gpu, time, work, levels. */
void report_add_figures(struct arena *arena, struct json *run_document,
			const struct report_run *entry);
/* bottleneck.verdicts and bottleneck.disagree, of a GPU run. */
void report_add_verdicts(struct arena *arena, struct json *bottleneck_document,
			 const struct run *run, const struct bottleneck *bottleneck);
/* run.devlog and run.contract: the two fixed forms. */
void report_add_forms(struct arena *arena, struct json *run_document,
		      const struct report_run *entry);

#endif
