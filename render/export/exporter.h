/*
 * What machines read of a report document beside the document itself: one row in exporters.def
 * and one file a format. A format sees the document and nothing else.
 *
 * Never add text for people.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"

enum exporter_needs {
	EXPORTER_NEEDS_GATE, /* refused where nothing was compared */
	EXPORTER_NEEDS_RUNS, /* reads all runs of the commit, or none, and a gate if there is one */
	EXPORTER_NEEDS_NOTHING, /* says so where nothing was compared */
};

struct exporter {
	const char *name;  /* "jsonl" */
	const char *title; /* for help texts: what it is and who reads it */
	enum exporter_needs needs;
	/* Adds the whole file to `out`, ending in a newline. May take the document apart. */
	void (*write)(struct arena *arena, const struct json *document, struct strbuf *out);
};
/* NULL-named row at the end. */
extern const struct exporter exporters[];
/* NULL when no format has this name. */
const struct exporter *export_find(const char *name);

/* Adds the document in that format to `out`. ERR_FORMAT, and nothing added, when it has no gate and
 * the format needs one. */
int export_write(const struct exporter *exporter, struct arena *arena, const struct json *document,
		 struct strbuf *out, struct error *err);

/* The writers, one a row. */
#define EXPORTER(name, needs, title)                                                               \
	void export_##name(struct arena *arena, const struct json *document, struct strbuf *out);
#include "render/export/exporters.def"
#undef EXPORTER
