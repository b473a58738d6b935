/*
 * rooflog site: a folder of static pages. What is known of every series along one first-parent
 * chain is collected once (site_collect.c); each page is a document of its own (site_index.c,
 * site_kernel.c, site_commit.c), rendered by a template (site_files.c) and written beside the data
 * that its scripts read.
 *
 * Names of pages never hold a name from outside: a slug of harmless letters and a hash.
 */
#ifndef CLI_SITE_SITE_H
#define CLI_SITE_SITE_H

#include "cli/runs/runs.h"
#include "cli/site/files.h"
#include "model/changepoint/detect.h"
#include "model/gate/gate.h"

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
	struct cli *cli;
	struct site_files *files;
	const struct gate_result *gate; /* NULL: nothing could be compared */
	struct history_set *set;
	struct site_series *series; /* worst first */
	size_t series_count;
	struct site_kernel *kernels; /* in the order of their worst series */
	size_t kernel_count;
	struct site_commit *commits; /* by place of the chain */
	const char *common;          /* of all kernels; "" where it differs */
};

/* Reads the store, judges, and finds the changes of level. */
int site_collect(struct cli *cli, const char *oid, struct site *site, struct error *err);

int site_write_kernels(struct site *site, struct error *err); /* fills in the newest runs, too */
int site_write_commits(struct site *site, struct error *err);
int site_write_index(struct site *site, struct error *err);

/* --- what the pages share (site_document.c) --- */

/* {schema, generator, root, title, commit} */
struct json *site_document(struct site *site, const char *root, const char *title);
void site_add_revision(struct site *site, struct json *parent, const char *name,
		       const struct revision *revision, bool dirty);
/* What the gate says of the newest commit; nothing where nothing could be compared. */
void site_add_gate(struct site *site, struct json *document);
/* A series as a row of a table: names, newest value, verdict, small line. */
struct json *site_add_series(struct site *site, struct json *list,
			     const struct site_series *series);
/* A change of level: series, commits, both levels, effect. */
void site_add_change(struct site *site, struct json *list, const struct site_series *series,
		     const struct detect_change *change);
/* What the series' panel is drawn from, and the panel (site_trend.c), which begins at the place
 * `oldest`. */
void site_add_trend(struct site *site, struct json *section, const struct site_series *series,
		    uint32_t oldest);
/* A number of a script: five digits, a whole one with all of its, null where unknown. */
void site_add_number(struct strbuf *out, double number);

#endif
