/*
 * Formats for machines, other than the report document itself: one row in exporters.def and one
 * file per format. A format reads the document only.
 *
 * Never add text for people.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"

enum { EXPORT_WORST = 8 };

enum exporter_needs {
	EXPORTER_NEEDS_GATE,    /* refused if nothing was compared */
	EXPORTER_NEEDS_WORST,   /* as GATE; reads the runs of at most EXPORT_WORST of its series */
	EXPORTER_NEEDS_RUNS,    /* reads all runs of the commit, and a gate if present */
	EXPORTER_NEEDS_NOTHING, /* also valid if nothing was compared; the file says so */
};

/* Where an export goes: the text, and what takes its beginning while the rest is made (NULL: the
 * text is needed whole). */
struct export_target {
	struct strbuf *out;
	const struct strbuf_drain *drain;
};

struct exporter {
	const char *name;  /* "jsonl" */
	const char *title; /* for help texts: contents and consumer */
	enum exporter_needs needs;
	/* Adds the whole file, ending in a newline. May modify the document. */
	void (*write)(struct arena *arena, const struct json *document,
		      const struct export_target *to);
};
/* Ends with a row whose name is NULL. */
extern const struct exporter exporters[];
/* NULL for an unknown name. */
const struct exporter *export_find(const char *name);

/* Adds the document in that format. Returns ERR_FORMAT and adds nothing if the format needs a gate
 * and the document has none. */
int export_write(const struct exporter *exporter, struct arena *arena, const struct json *document,
		 const struct export_target *to, struct error *err);
/* For a format, between two items: gives the text to the drain if it is long. */
void export_drain(const struct export_target *to);

/* A value of a comparison: its name in the file, and the members that lead to it. */
struct export_cell {
	const char *name;
	const char *path[3];
};
/* NULL if a member is absent. */
const struct json *export_cell_of(const struct json *comparison, const struct export_cell *cell);

/* Declares one writer per row. */
#define EXPORTER(name, needs, title)                                                               \
	void export_##name(struct arena *arena, const struct json *document,                       \
			   const struct export_target *to);
#include "render/export/exporters.def"
#undef EXPORTER
