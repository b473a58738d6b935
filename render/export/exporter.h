/*
 * Formats for machines, other than the report document itself: one row in exporters.def and one
 * file per format. A format reads the document only.
 *
 * Never add text for people.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"

enum exporter_needs {
	EXPORTER_NEEDS_GATE,    /* refused if nothing was compared */
	EXPORTER_NEEDS_RUNS,    /* reads all runs of the commit, and a gate if present */
	EXPORTER_NEEDS_NOTHING, /* also valid if nothing was compared; the file says so */
};

struct exporter {
	const char *name;  /* "jsonl" */
	const char *title; /* for help texts: contents and consumer */
	enum exporter_needs needs;
	/* Adds the whole file to `out`, ending in a newline. May modify the document. */
	void (*write)(struct arena *arena, const struct json *document, struct strbuf *out);
};
/* Ends with a row whose name is NULL. */
extern const struct exporter exporters[];
/* NULL for an unknown name. */
const struct exporter *export_find(const char *name);

/* Adds the document in that format to `out`. Returns ERR_FORMAT and adds nothing if the format
 * needs a gate and the document has none. */
int export_write(const struct exporter *exporter, struct arena *arena, const struct json *document,
		 struct strbuf *out, struct error *err);

/* A value of a comparison: its name in the file, and the members that lead to it. */
struct export_cell {
	const char *name;
	const char *path[3];
};
/* NULL if a member is absent. */
const struct json *export_cell_of(const struct json *comparison, const struct export_cell *cell);

/* Declares one writer per row. */
#define EXPORTER(name, needs, title)                                                               \
	void export_##name(struct arena *arena, const struct json *document, struct strbuf *out);
#include "render/export/exporters.def"
#undef EXPORTER
