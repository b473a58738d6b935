/*
 * What a commit's performance can be written as: reports for people, each a template over the
 * report document, and formats for machines (render/export/exporter.h). One row each; "report",
 * "gate --format" and "gate --write" read the same table.
 */
#pragma once

#include "cli/runs/runs.h"
#include "render/export/exporter.h"

struct output_subject;

enum { REPORT_CHARTS = 4 }; /* of one kind, with the NULL at the end */

struct report_kind {
	const char *name;    /* "pr-comment"; also the built-in template's */
	const char *title;   /* for help texts */
	const char *against; /* what it compares with unless asked otherwise; NULL: nothing */
	bool needs_gate;     /* without something to compare with there is no such report */
	bool windowed;       /* it tells of changes among commits, which only a window knows */
	bool html;           /* there is a page of it, too */
	size_t runs; /* so many runs are in the document, of the worst series; 0: no limit */
	/* The charts that its template shows beside Markdown and in its page; those of one's own
	 * have all of them. */
	const char *charts[REPORT_CHARTS], *page_charts[REPORT_CHARTS];
	/* Texts that must not grow; 0: no limit. */
	size_t limit;       /* bytes */
	size_t bad, folded; /* rows of the lists of gate.shown at most */
	size_t trends;      /* so many comparisons carry their trend */
	/* Adds what only this kind has to a document with a gate; NULL: nothing. */
	void (*add)(struct cli *cli, const struct output_subject *subject, struct json *document);
	bool since; /* it is about changes since a time */
};
/* NULL-named row at the end. The first is the default. */
extern const struct report_kind report_kinds[];
const struct report_kind *output_report_kind_find(const char *name);

/* Where one output goes and as what. */
struct output {
	const struct report_kind *kind;
	const struct exporter *exporter; /* NULL: a report, or the document itself */
	const char *format;              /* "md", "html", "json"; of a report */
	const char *template;            /* the user's; NULL: a built-in one */
	const char *built_in;            /* its name where it is not the kind's */
	const char *path;                /* NULL or "-": standard output */
};

/* "md", "html", "json", or the name of a kind or of a format; the ending of `path` decides
 * between md, html and json of a kind. ERR_USAGE lists what there is. */
int output_named(const char *name, const char *path, const struct report_kind *kind,
		 struct output *output, struct error *err);

/* ERR_USAGE when a name or a URL could not stand in a comment. */
int output_check_place(const struct report_place *place, struct error *err);

/* What outputs are about. */
struct output_subject {
	const char *oid;                 /* full */
	const struct run_filter *filter; /* NULL: all runs */
	const struct gate_result *gate;  /* NULL: nothing is compared */
	int64_t since; /* Unix seconds, for kinds that ask; 0: a week before the commit */
	bool all_runs; /* where the kind has no limit; else those of the first 100 series */
	struct report_place place; /* as the command line says it; the configuration has the rest */
	struct json **bare; /* keeps the document without runs, so that it is made once; NULL: no */
};

/* The option rows of a struct report_place. */
extern const struct option report_place_options[];

/* Makes the document for the output and writes it. */
int output_write(struct cli *cli, const struct output_subject *subject, const struct output *output,
		 struct error *err);
