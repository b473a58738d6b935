/*
 * The pages of a site: what is known of every series along one first-parent chain
 * as documents for the templates, and as data for the pages' scripts. docs/user/site.md
 * describes the documents.
 *
 * Everything is given in a struct site, which the command collects from the store;
 * nothing here loads a run, or knows where a page is written. Names of pages never
 * hold a name from outside: a slug of harmless letters and a hash.
 *
 * Never add copying files or walking commits.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "base/json/json.h"
#include "model/changepoint/changepoint.h"
#include "model/gate/gate.h"
#include "model/verdict/series_history.h"

enum { site_shown_series = 32 }; /* of a kernel, with a section each */

struct site_series {
	const char *key, *anchor; /* run_series_key(), and what a link ends in */
	const char *name;         /* tells it apart from the others of its kernel */
	const struct run *identity;
	size_t kernel;                   /* into site.kernels */
	enum metric metric;              /* METRIC_COUNT: nothing is known */
	enum metric_direction direction; /* which way is better of it, as the gate sees it */
	struct history_points points;    /* of that metric, oldest first; by place of the chain */
	const struct detect_change *changes; /* of level among the points */
	size_t change_count;
	const struct comparison *comparison; /* the worst of its primary ones; NULL: not compared */
	const struct comparison **compared;  /* all of them, worst first */
	size_t compared_count, compared_capacity;
	const char *spark; /* what a small line is drawn with; "" for none */
	/* Of the newest run. */
	const struct revision *revision; /* NULL: there is none */
	bool dirty;
	struct value newest;
	double mfu;
	const char *bottleneck; /* NULL unknown */
};

struct site_kernel {
	const char *name, *slug;
	const char *common; /* what its series share */
	size_t *series;     /* worst first */
	size_t series_count, series_capacity;
};

/* One series at one commit. */
struct site_measurement {
	uint32_t series, point;
	double change; /* from the point before, relative; NAN: it is the first */
	const struct detect_change *level; /* the level changed here; or NULL */
};

struct site_commit {
	struct site_measurement *items;
	size_t count;
	size_t worse, better; /* changes of level */
};

struct site {
	struct arena *arena;            /* of the page that is made */
	int64_t now;                    /* Unix seconds */
	const char *version;            /* of rooflog */
	const struct gate_result *gate; /* NULL: nothing could be compared */
	const struct history_set *set;
	struct site_series *series; /* worst first */
	size_t series_count;
	struct site_kernel *kernels; /* in the order of their worst series */
	size_t kernel_count;
	struct site_commit *commits; /* by place of the chain */
	const char *common;          /* of all kernels; "" where it differs */
};

/* The first page, and the list of commits. */
struct json *render_site_index(const struct site *site);
struct json *render_site_commits(const struct site *site);
/* rooflog.commits = [[short, day, subject, oid or null], ...], the newest first: places of the
 * chain. */
void render_site_commits_data(const struct site *site, struct strbuf *out);
/* rooflog.series = [[name, page and anchor, unit as quantity_add_unit() has it], ...], worst first.
 */
void render_site_series_data(const struct site *site, struct strbuf *out);

/* What was measured at the commit at a place of the chain, and whose level changed. */
struct json *render_site_commit(const struct site *site, size_t place);
/* Whether the page leaves out measurements, which are then among the data. */
bool render_site_commit_is_cut(const struct site *site, size_t place);
/* rooflog.commit = [[series, value, change in percent], ...], series as in data/series.js. */
void render_site_commit_data(const struct site *site, size_t place, struct strbuf *out);

/* All series of one kernel. `report` is the document of the newest runs and the gate of these
 * series, of which parts are moved into the page; its runs are those of the series i with
 * has_run[i], among the first site_shown_series, in their order. */
struct json *render_site_kernel(const struct site *site, const struct site_kernel *kernel,
				struct json *report, const bool *has_run);
/* rooflog.kernel = {"s0123456789": {"name", "unit", "title", "p": the first place and the steps
 * down from it, "v": values, "c": [place, level before, level after]}}, oldest first. */
void render_site_kernel_data(const struct site *site, const struct site_kernel *kernel,
			     struct strbuf *out);

/* The `d` of an SVG path; the chain runs from left to right, from the series' oldest commit on. */
const char *render_site_spark(struct arena *arena, const struct history_points *points);
