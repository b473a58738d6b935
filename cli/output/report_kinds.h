/*
 * The outputs for a commit's performance: reports for people, each a template over the report
 * document, and formats for programs (render/export/exporter.h). One row each.
 */
#pragma once

#include "cli/runs/runs.h"
#include "render/export/exporter.h"

struct output_subject;

enum { REPORT_CHARTS = 4 }; /* per kind, including the NULL at the end */

struct report_kind {
	const char *name;    /* "comment"; also the built-in template's */
	const char *against; /* default of --against; NULL: nothing is compared */
	bool needs_gate;     /* an error if there is nothing to compare with */
	bool windowed;       /* reports changes between commits, which requires --against window */
	bool html;           /* also available as HTML */
	bool by_shape;       /* runs of one kernel are shown together */
	size_t runs; /* maximum runs in the document, those of the worst series; 0: no limit */
	/* The charts of the built-in templates, for Markdown and for HTML. Templates of the user
	 * have all charts. */
	const char *charts[REPORT_CHARTS], *page_charts[REPORT_CHARTS];
	bool worst; /* with the trend of the worst series as a picture of its own */
	/* For texts of limited size; 0: no limit. */
	size_t limit;       /* bytes */
	size_t bad, folded; /* maximum rows in the lists of gate.shown */
	size_t trends;      /* maximum comparisons with a trend */
	/* Adds the members that only this kind has; called with a gate only. NULL: none. */
	void (*add)(struct cli *cli, const struct output_subject *subject, struct json *document);
	bool since; /* takes --since */
	bool form;  /* each language has a template of its own: "contract-zh" */
};
/* All kinds; a row without name ends them. The first is the default. */
extern const struct report_kind report_kinds[];
const struct report_kind *output_report_kind_find(const char *name);

/* One output: its kind or format, and its file. */
struct output {
	const char *name; /* of its kind (cli/output/kinds.h) */
	const struct report_kind *kind;
	const struct exporter *exporter; /* NULL: a report, or the document as JSON */
	const char *format;              /* "md", "html", "json"; NULL with an exporter */
	const char *template;            /* the user's template; NULL: a built-in one */
	const char *path;                /* NULL or "-": standard output */
};

/* What to report on. Several outputs may share one subject. */
struct output_subject {
	const char *oid;                 /* full */
	const struct run_filter *filter; /* NULL: all runs */
	/* Its runs that pass the filter, if they are loaded already (runs_load_facts()). */
	const struct loaded_list *runs;
	const struct gate_result *gate; /* NULL: nothing is compared */
	/* That nothing was compared: kinds with a limit, and those that need a gate, state it.
	 * NULL: it was not tried. */
	const struct gate_result *uncompared;
	int64_t since; /* Unix seconds, for kinds with --since; 0: a week before the commit */
	bool all_runs; /* all runs, if the kind has no limit; else those of the first 100 series */
	struct json *
		*bare; /* caches the document without runs for several outputs; NULL: no cache */
};

/* Says on standard error whose configuration decided, for outputs that have no place for it. */
void output_warn_of_configuration(const struct cli *cli, const struct gate_result *gate);

/* Builds the document for the output and writes it. */
int output_write(struct cli *cli, const struct output_subject *subject, const struct output *output,
		 struct error *err);
