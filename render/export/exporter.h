/*
 * What machines read of a report document beside the document itself: one row a
 * format, one file each (serialize_*.c). A serializer sees the document and nothing
 * else.
 */
#ifndef RENDER_EXPORT_EXPORTER_H
#define RENDER_EXPORT_EXPORTER_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/strbuf.h"

struct serializer {
	const char *name;  /* "jsonl" */
	const char *title; /* for help texts: what it is and who reads it */
	bool runs;         /* it reads the document's runs where all are there, and does without */
	/* Adds the whole file to `out`, ending in a newline. ERR_FORMAT with a sentence when the
	 * document lacks what the format is about (a gate). */
	int (*write)(struct arena *arena, const struct json *document, struct strbuf *out,
		     struct error *err);
};
/* NULL-named row at the end. */
extern const struct serializer serializers[];
const struct serializer *serializer_find(const char *name);

/* The gate of the document; NULL with an error that names the format when there is none. */
const struct json *serializer_gate(const struct json *document, const char *format,
				   struct error *err);

#endif
