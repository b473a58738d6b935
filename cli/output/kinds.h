/* What -o and --as can ask for: one row for each kind, and who writes it. */
#pragma once

#include "cli/output/report_kinds.h"
#include "render/chart/chart.h"

/* The commands with -o, as bits. */
enum output_command {
	OUTPUT_GATE = 1,
	OUTPUT_REPORT = 2,
	OUTPUT_COMPARE = 4,
	OUTPUT_CHART = 8,
	OUTPUT_BUCKETS = 16,
	OUTPUT_FUSION = 32,
	OUTPUT_SHOW = 64,
};

enum output_maker {
	OUTPUT_FORM,    /* the command's own document as text, md, html or json */
	OUTPUT_PEOPLE,  /* a report_kind: Markdown, HTML, or the document as JSON */
	OUTPUT_EXPORT,  /* an exporter */
	OUTPUT_CHARTED, /* a chart: SVG, PNG or PDF */
	OUTPUT_LIST     /* what only that command writes */
};

struct output_kind {
	const char *name, *title;
	enum output_maker maker;
	unsigned commands; /* that write it: bits of enum output_command */
};

/* All kinds; a row without name ends them. */
extern const struct output_kind output_kinds[];
/* NULL for an unknown name. */
const struct output_kind *output_kind_find(struct span name);
/* The names of the kinds of a command: "text, md, html". */
const char *output_kinds_of(struct arena *arena, enum output_command command);
/* The kind of the command's own files that end so, "picture" for any chart; NULL: the name does not
 * say. */
const char *output_kind_of_path(const char *path);
