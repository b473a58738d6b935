/*
 * The pages of a site: every series along one first-parent chain, as documents for the templates
 * and as data for the pages' scripts. docs/user/site.md describes the documents.
 *
 * The command collects everything in a struct site; this room neither loads runs nor knows where a
 * page is written. Page names never contain names from outside: they are a slug of harmless
 * letters and a hash.
 *
 * Never add copying files or walking commits.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"
#include "model/changepoint/changepoint.h"
#include "model/gate/gate.h"
#include "model/verdict/series_history.h"
#include "render/chart/series/trend.h"

enum {
	site_shown_series = 12, /* sections per kernel */
	site_newest_points = 6  /* of a series in its section, with details of their runs */
};

/* Details of the run of a measurement. */
struct site_run {
	double of_roof;      /* METRIC_ROOFLINE_EFFICIENCY; NAN unknown */
	double hbm_bytes;    /* NAN unknown */
	const char *machine; /* instance type or host; NULL unknown */
};

struct site_series {
	const char *key, *anchor; /* run_series_key(); the fragment of links to it */
	const char *name;         /* distinguishes it from the other series of its kernel */
	const struct run *identity;
	size_t kernel;                   /* index into site.kernels */
	enum metric metric;              /* METRIC_COUNT: no data */
	enum metric_direction direction; /* which direction is better, as in the gate */
	struct history_points points;    /* of that metric, oldest first; by commit index */
	const struct history *history;   /* their runs, and the metric's index in the set */
	size_t column;
	const struct detect_change *changes; /* change points among the points */
	size_t change_count;
	const struct comparison *comparison; /* the worst primary comparison; NULL: not compared */
	const struct comparison **compared;  /* all of them, worst first */
	size_t compared_count, compared_capacity;
	/* The newest run. */
	const struct revision *revision; /* NULL: there is none */
	bool dirty;
	struct value newest;
	struct site_run latest[site_newest_points]; /* of the newest points, the newest first */
	double mfu;
	const char *bottleneck;         /* NULL unknown */
	bool has_timeline;              /* of the newest run: t/ANCHOR.html */
	const struct revision *against; /* its run is above the newest one in t/ANCHOR-against.html;
					   NULL: no such page */
};

struct site_kernel {
	const char *name, *slug;
	const char *common; /* what all its series share */
	size_t *series;     /* worst first */
	size_t series_count, series_capacity;
};

/* One series at one commit. */
struct site_measurement {
	uint32_t series, point;
	double change;                     /* relative to the previous point; NAN: first point */
	const struct detect_change *level; /* change point at this commit, or NULL */
};

struct site_commit {
	struct site_measurement *items;
	size_t count;
	size_t worse, better; /* numbers of change points */
};

/* The level of a series from a commit on: the noise between its commits, relative; NAN: unknown. */
struct site_level {
	uint32_t commit;
	double noise;
};

/* How a change is judged. The limits are relative; `exact` is that of equal counters. */
struct site_rule {
	const struct policy *policy;
	enum metric_direction direction;
	double relative, exact;
};

/* One metric of a series, as any two commits are compared by it. */
struct site_compared {
	size_t series, rule; /* indices */
	enum metric metric;
	const struct history *history;
	size_t column;                /* of the metric in the history set */
	struct history_points points; /* oldest first */
	struct site_level *levels;    /* oldest first */
	size_t level_count;
	const struct detect_change *changes; /* change points among the points */
	size_t change_count;
};

struct site {
	struct arena *arena;            /* of the current page */
	int64_t now;                    /* Unix seconds */
	const char *version;            /* of rooflog */
	const char *commit_url;         /* with the id of a commit after it, its page; NULL: none */
	const char *diff_url;           /* with A...B after it, their difference; NULL: none */
	const struct gate_result *gate; /* NULL: nothing could be compared */
	const struct history_set *set;
	struct site_series *series; /* worst first */
	size_t series_count;
	struct site_kernel *kernels; /* in the order of their worst series */
	size_t kernel_count;
	struct site_commit *commits;  /* by commit index */
	struct release_list releases; /* tags and pinned baselines, sorted */
	struct trend_commits labels;  /* of the commits, for axes and tooltips of kernel pages */
	const char *common;           /* what all kernels share; "" if they differ */
	const struct gate_settings *settings;
	struct site_compared *compared; /* by series */
	size_t compared_count, compared_capacity;
	struct site_rule *rules;
	size_t rule_count, rule_capacity;
	struct {
		uint32_t *first; /* commit of each file of values, counted from the oldest, 0 */
		size_t count;
	} value_files;
	/* Timelines: series with a page, series whose file is gone or has no events, and series
	 * that were not tried. */
	size_t timelines, without_events, untried;
};

/* Fills in site->labels, from the chain, its releases and which of its commits have a page. */
void render_site_label_commits(struct site *site);

/* The first page: all kernels, and the list of commits. */
struct json *render_site_index(const struct site *site);
struct json *render_site_commits(const struct site *site);
/* The list of timelines. */
struct json *render_site_timelines(const struct site *site);
/* rooflog.commits = [[short, day, subject, oid or null, author, names of releases unless there are
 * none], ...], newest first, by commit index. */
void render_site_commits_data(const struct site *site, struct strbuf *out);
/* rooflog.series = [[name, page and anchor, unit as quantity_add_unit() writes it], ...], worst
 * first. */
void render_site_series_data(const struct site *site, struct strbuf *out);

/* The page that compares two commits, which its script fills, and its data (compare.c). */
struct json *render_site_compare(const struct site *site);
void render_site_compare_data(const struct site *site, struct strbuf *out);
/* Fills in site->value_files: which commits are in data/v-NUMBER.js. */
void render_site_split_values(struct site *site);
void render_site_values(const struct site *site, size_t number, struct strbuf *out);

/* What was measured at the commit with this index, and which series changed level. */
struct json *render_site_commit(const struct site *site, size_t index);
/* Whether the page leaves out measurements; the page's data then contains them. */
bool render_site_commit_is_cut(const struct site *site, size_t index);
/* rooflog.commit = [[series, value, change in percent], ...]; series are indices into
 * data/series.js. */
void render_site_commit_data(const struct site *site, size_t index, struct strbuf *out);

/* All series of one kernel. `report` is the document of the newest runs and the gate of these
 * series; parts of it are moved into the page. Its runs belong to the series i with has_run[i],
 * among the first site_shown_series, in order. */
struct json *render_site_kernel(const struct site *site, const struct site_kernel *kernel,
				struct json *report, const bool *has_run);
/* rooflog.kernel = {"s0123456789": {"name", "unit", "title", "better": "lower", "higher"
 * or "", "noise" between commits or null, "p": first commit index and the steps down from it, "v":
 * values, "n" and "r": numbers and ranges of runs if there are repeats, "c": [commit index, level
 * before, level after, effect, its interval, 1 worse or -1 better, 1 accepted]}}, oldest first. */
void render_site_kernel_data(const struct site *site, const struct site_kernel *kernel,
			     struct strbuf *out);
/* rooflog.metrics = {"s0123456789": {METRIC: the same members}}: the metrics of the series that do
 * not lead. False if there are none. */
bool render_site_metrics_data(const struct site *site, const struct site_kernel *kernel,
			      struct strbuf *out);
