/*
 * The report document: from the model to the JSON that templates, exporters and charts read
 * (docs/formats/report-document.md). Later stages never access the runs.
 *
 * Never add text for people; templates and terminals make it.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"
#include "model/roofline/roofline.h"
#include "model/explain/explain.h"
#include "model/gate/gate.h"
#include "model/run/run.h"
#include "model/pattern/scenario.h"
#include "model/commits/commits.h"

/* The first runs and comparisons of a document are in its tree; further ones are made when they are
 * visited (json_walk_of()), so that their number does not matter. */
enum { REPORT_KEPT_RUNS = 300, REPORT_KEPT_COMPARISONS = 1000 };

struct report_run {
	const struct run *run;           /* derived; with details once it is complete */
	const char *id;                  /* content hash; NULL before the run is stored */
	const char *series;              /* its key; NULL before the run is stored */
	const struct revision *revision; /* NULL without a commit */
	struct peaks peaks;              /* as used for run_derive() */
	const struct hardware *hardware; /* for the roofs of other dtypes; may be NULL */
	const struct run *baseline;      /* derived; NULL without a baseline */
	const struct revision *baseline_revision;
	int64_t baseline_age;      /* first-parent steps; -1 unknown */
	const char *baseline_kind; /* "nearest ancestor with data", "previous variant v3" */
	size_t samples;            /* repeats whose median this run is; 0 or 1: no repeats */
	double fastest, slowest;   /* total times of the extreme repeats, s */
};

/* How much of each run the document contains. */
enum report_extent {
	REPORT_WHOLE,
	REPORT_SHOWN,  /* what a terminal shows: no contract, no block of a development log */
	REPORT_DRAWN,  /* what charts need: no findings, no changes, no texts */
	REPORT_LENGTHS /* and without parts of timeline differences, which are slow to compute */
};

struct report {
	const char *version; /* of rooflog */
	const char *title;
	const char *commit_url; /* with the id of a commit after it, its page; NULL: none */
	const char *diff_url; /* with "A...B" after it, the difference of two commits; NULL: none */
	const char *site_url; /* of the pages of rooflog site, ends with a slash; NULL: none */
	int64_t generated_at; /* Unix seconds */
	const struct revision *revision; /* the subject of the report; may be NULL */
	const struct report_run *runs;
	size_t run_count;
	const struct gate_result *gate; /* may be NULL */
	/* Maximal number of comparisons, worst first, all in the tree; 0: all comparisons, made
	 * when they are visited. */
	size_t comparisons;
	size_t kept_runs; /* maximal number of runs in the tree; 0: REPORT_KEPT_RUNS */
	/* Completes the run at an index, in the arena of its document: its details, if it has none
	 * yet, and what it is compared with. NULL: the runs are complete. */
	void (*complete)(void *context, struct arena *arena, size_t index, struct report_run *run);
	void *context;
	enum report_extent extent;
	const struct scenario_list *scenarios; /* groups of the runs; NULL: none */
	bool by_shape; /* runs of one kernel that differ in parameters share a Performance block */
};

/* What the report refers to must live as long as the document. */
struct json *report_document(struct arena *arena, const struct report *report);

/* "49.3 % faster (33.0 % less time)" for a duration, "+12.30 %" for other metrics. */
const struct message *report_change(struct arena *arena, enum metric metric, double previous,
				    double current);
const char *report_change_words(struct arena *arena, enum metric metric, double previous,
				double current);
/* "33.0 %", "5.25 %": the magnitude of a change. */
const char *report_percent(struct arena *arena, double fraction);
/* A GPU's device memory is called DRAM: "HBM traffic" becomes "DRAM traffic". */
const char *report_for_device(struct arena *arena, const struct run *run, const char *title);
/* The metric's title on the run's device. */
const char *report_title(struct arena *arena, const struct run *run, enum metric metric);
/* Adds {key, title, value, unit, text, provenance, formula[, reported]} of a metric to `parent`:
 * as member `name`, or as an item if `name` is NULL. */
struct json *report_metric(struct arena *arena, struct json *parent, const char *name,
			   const struct run *run, enum metric metric);
/* What --against chose, in the spoken language; ids and names stay. */
const char *report_against(struct arena *arena, const char *against);
/* The same after "vs. ". */
const char *report_versus(struct arena *arena, const char *against);
/* Adds age_commits and age_text of a baseline; nothing if the age is negative (unknown). */
void report_age(struct arena *arena, struct json *baseline, int64_t age);

/* The run at an index, complete. */
const struct report_run *report_entry(const struct report *report, struct arena *arena,
				      size_t index);
/* Adds whose configuration decided; nothing if that is not known. */
void report_add_configuration(struct arena *arena, struct json *out,
			      const struct gate_configuration *configuration);

/* The parts of the document, each in its own file. */
/* Adds `scenarios`, the groups that have runs; nothing if no scenario has. */
void report_add_scenarios(struct arena *arena, struct json *document,
			  const struct scenario_list *list, const struct run *const *runs,
			  size_t run_count);
/* Adds `scenarios`, the names of those that the run belongs to. */
void report_add_scenarios_of(struct arena *arena, struct json *object,
			     const struct scenario_list *list, const struct run *run);
void report_add_run(struct arena *arena, struct json *runs, const struct report_run *entry);
void report_add_gate(struct arena *arena, struct json *document, const struct gate_result *gate,
		     size_t comparisons);
/* A verdict in the words for people: that of one comparison, and that which all primary comparisons
 * with it share. */
const char *report_verdict_text(const struct comparison *one);
const char *report_verdicts_text(const struct gate_result *gate, enum verdict verdict);
/* The baseline's value as text; ">= 550 /s" for a limit. */
const char *report_baseline_text(struct arena *arena, const struct comparison *one);

/* First line: the word, which agrees with the exit status, and a sentence. */
enum report_place {
	REPORT_LINE,    /* for the terminal, with the advice */
	REPORT_COMMENT, /* with both values; the advice is a sentence of its own */
	REPORT_NIGHT    /* part of a title */
};
enum message_code report_gate_word(const struct gate_result *gate);
const struct message *report_headline(struct arena *arena, const struct gate_result *gate,
				      enum report_place place);
/* The first of its sentences alone, with both values: the heading of a comment. */
const struct message *report_answer(struct arena *arena, const struct gate_result *gate);
/* "WORD: SENTENCE" */
const struct message *report_headline_line(struct arena *arena, const struct gate_result *gate,
					   const struct message *sentence);
/* "mlp s=512 +7.3 %": one comparison as titles name it. */
const struct message *report_example(struct arena *arena, const struct gate_result *gate,
				     const struct comparison *one);
/* The 95 % confidence interval of document_effect(): "+2.9 to +3.3 %", "+4.000 kB to +4.200 kB".
 * NULL if unknown. */
const char *report_effect_interval_text(struct arena *arena, double low, double high, bool relative,
					enum unit unit);
/* A change as the first screen of a page or a comment shows it. */
struct report_digest {
	double before, after, change, low, high; /* low and high: 95 % interval of the change */
	enum unit unit;
};
/* Adds `digest`: {delta, ci, values, why}, with three significant digits; four of a small
 * change. What is unknown is absent. */
void report_add_digest(struct arena *arena, struct json *parent, const struct report_digest *digest,
		       const char *why);
/* That of a comparison; `why` is the cause if the profiles contain one, else the reason. */
void report_add_comparison_digest(struct arena *arena, struct json *parent,
				  const struct comparison *one);
/* "+18.4 %" with a minus sign; "+653 %". */
const char *report_digest_change(struct arena *arena, double change);
/* The page of the series on the site, below its URL. */
const char *report_page(struct arena *arena, const struct comparison *one);
/* Adds what all comparisons share: shared, shared_metric, shared_limit ... */
void report_add_shared(struct arena *arena, struct json *out, const struct gate_result *gate);
/* Adds one of the gate's comparisons to `list`. */
struct json *report_add_comparison(struct arena *arena, struct json *list,
				   const struct comparison *one);
/* Adds comparison.trend to the first `count` comparisons of the document, in the order of
 * gate_trends(). Call after report_document(), if trends are requested: with more than
 * REPORT_KEPT_COMPARISONS of them, for a document that has all comparisons in its tree. */
struct trend;
void report_add_trends(struct arena *arena, struct json *document, const struct gate_result *gate,
		       const struct trend *trends, size_t count);
/* Adds the releases to the commits that report_add_trends() added. */
void report_add_releases(struct arena *arena, struct json *document,
			 const struct release_list *releases);
/* Adds comparison.distribution in the same way: the distribution of the repeats of both sides. */
void report_add_distributions(struct arena *arena, struct json *document,
			      const struct gate_result *gate, size_t most);
/* Adds comparison.trend of one series. */
void report_add_trend(struct arena *arena, struct json *comparison, const struct trend *trend,
		      enum unit unit);
/* Adds gpu, time, work, levels. */
void report_add_figures(struct arena *arena, struct json *run_document,
			const struct report_run *entry);
/* The title of an engine: "DMA" for "dma". */
const char *report_engine_title(const char *name);
/* "long_sb 93 %": the stall of most of a tally's samples; its name alone without samples; NULL: it
 * has none. */
const char *report_stall(struct arena *arena, const struct run *run, size_t tally, double samples);
/* Adds source_lines, those with most of the time or of the samples; nothing without any. */
void report_add_source_lines(struct arena *arena, struct json *run_document, const struct run *run);
/* Adds baseline.timeline_difference if both runs have timelines: with the parts that differ, or
 * only the lengths. */
void report_add_timeline(struct arena *arena, struct json *baseline_document,
			 const struct report_run *entry, bool parts);
/* Adds bottleneck.verdicts and bottleneck.disagree of a GPU run. */
void report_add_verdicts(struct arena *arena, struct json *bottleneck_document,
			 const struct run *run, const struct bottleneck *bottleneck);
/* "up to 12.00 % of total time"; NULL without a gain. */
const struct message *report_gain(struct arena *arena, const struct potential_gain *gain);
/* Adds gain, gain_fraction, gain_bound of a finding; nothing without a gain. */
void report_add_gain(struct arena *arena, struct json *object, const struct finding *finding);
/* Adds run.opportunities from the findings. */
void report_add_opportunities(struct arena *arena, struct json *run_document,
			      const struct finding_list *findings);
/* Adds the member why; nothing if it is NULL or the profiles do not explain the change. */
void report_add_why(struct arena *arena, struct json *parent, const struct explanation *found);
