/*
 * The report document: from the model to the JSON that templates, exporters
 * and charts see (docs/formats/report-document.md). Nothing behind this point looks at
 * a run again.
 *
 * Never add text for people; templates and terminals make it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "base/json/json.h"
#include "model/roofline/roofline.h"
#include "model/explain/explain.h"
#include "model/gate/gate.h"
#include "model/run/run.h"
#include "model/commits/commits.h"

struct report_run {
	const struct run *run;           /* derived, with details */
	const char *id;                  /* content hash; NULL before it is stored */
	const char *series;              /* its key; NULL before it is stored */
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

/* How much of the runs is told. */
enum report_extent {
	REPORT_WHOLE,
	REPORT_DRAWN,  /* what charts draw: no findings, no changes, no texts for people */
	REPORT_LENGTHS /* of timelines that differ no parts either, which take the most time */
};

struct report {
	const char *version; /* of rooflog */
	const char *title;
	int64_t generated_at;            /* Unix seconds */
	const struct revision *revision; /* the commit the report is about; may be NULL */
	const struct report_run *runs;
	size_t run_count;
	const struct gate_result *gate; /* may be NULL */
	size_t comparisons;             /* of the gate at most, the worst; 0: all */
	enum report_extent extent;
};

struct json *report_document(struct arena *arena, const struct report *report);

/* "2026-11-21T09:32:51Z" */
const char *report_time(struct arena *arena, int64_t unix_seconds);
/* "2026-11-21"; NULL likewise. */
const char *report_day(struct arena *arena, int64_t unix_seconds);
/* "49.3 % faster (33.0 % less time)" for a duration, "+12.30 %" for anything else. */
const char *report_change_words(struct arena *arena, enum metric metric, double previous,
				double current);
/* "33.0 %", "5.25 %": the size of a change without its sign. */
const char *report_percent(struct arena *arena, double fraction);
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
void report_add_gate(struct arena *arena, struct json *document, const struct gate_result *gate,
		     size_t comparisons);
/* The baseline's number in words, ">= 550 /s" where it is a limit. */
const char *report_baseline_text(struct arena *arena, const struct comparison *one);
struct json *report_baseline(struct arena *arena, struct json *out, const struct comparison *one);
const char *report_interval_text(struct arena *arena, double low, double high);
/* What a change of level amounts to, in its sign: "+3.12 %", and where it is no ratio but a
 * difference "+4.096 kB"; "unknown" where it is not finite. */
const char *report_effect_text(struct arena *arena, double effect, bool relative, enum unit unit);
/* The 95 % interval of it: "+2.9 to +3.3 %", "+4.000 kB to +4.200 kB". NULL where it is unknown. */
const char *report_effect_interval_text(struct arena *arena, double low, double high, bool relative,
					enum unit unit);
/* One of its comparisons as a new item of `list`. */
struct json *report_add_comparison(struct arena *arena, struct json *list,
				   const struct comparison *one);
/* comparison.trend of the document's first `count` comparisons, which are those of the gate
 * (gate_trends()): after report_document(), where trends are asked for. */
struct trend;
void report_add_trends(struct arena *arena, struct json *document, const struct gate_result *gate,
		       const struct trend *trends, size_t count);
/* comparison.distribution, likewise: how the repeats of both sides are spread. */
void report_add_distributions(struct arena *arena, struct json *document,
			      const struct gate_result *gate, size_t most);
/* comparison.trend of one series. */
void report_add_trend(struct arena *arena, struct json *comparison, const struct trend *trend,
		      enum unit unit);
/* gpu, time, work, levels. */
void report_add_figures(struct arena *arena, struct json *run_document,
			const struct report_run *entry);
/* "DMA" of "dma". */
const char *report_engine_title(const char *name);
/* baseline.timeline_difference, where both runs have timelines; with the parts that differ, or only
 * the lengths. */
void report_add_timeline(struct arena *arena, struct json *baseline_document,
			 const struct report_run *entry, bool parts);
/* bottleneck.verdicts and bottleneck.disagree, of a GPU run. */
void report_add_verdicts(struct arena *arena, struct json *bottleneck_document,
			 const struct run *run, const struct bottleneck *bottleneck);
/* gain, gain_fraction, gain_bound of a finding; nothing where it has none. */
void report_add_gain(struct arena *arena, struct json *object, const struct finding *finding);
/* run.opportunities, of what was found. */
void report_add_opportunities(struct arena *arena, struct json *run_document,
			      const struct finding_list *findings);
/* "dma_average_bytes=1.927 kB": what made the finding. */
const char *report_trigger(struct arena *arena, const struct finding *finding);
/* The member why; nothing where it is NULL, or the profiles do not say. */
void report_add_why(struct arena *arena, struct json *parent, const struct explanation *found);
