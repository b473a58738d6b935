/*
 * A strict reader of JSON documents of any size in fixed memory. The document
 * is one object; a table says which of its members ("sections") are wanted and
 * what of them:
 *
 *   {"name": RECORD, ...}  or  {"name": [RECORD, RECORD, ...], ...}
 *
 * A RECORD is an object. A section either lists the fields it wants, which are
 * handed over together at the end of each record, or lists none and is handed
 * every member that is no container, one by one. All the rest is skipped, but
 * checked as strictly (see scan.h). Order never matters.
 *
 * Repeated members: the last one wins and the repetition is counted; a repeated
 * section is refused. NaN, Infinity and -Infinity are accepted as "no number"
 * and counted. A byte order mark is skipped. Errors say where: the JSON path if
 * it is inside a wanted section, and always the byte offset after unpacking.
 */
#ifndef INGEST_JSON_STREAM_H
#define INGEST_JSON_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/span.h"
#include "ingest/input/input.h"

enum json_value_kind {
	JSON_VALUE_MISSING = 0, /* absent, null or not a number (NaN, Infinity) */
	JSON_VALUE_NUMBER,
	JSON_VALUE_TEXT,
	JSON_VALUE_BOOL,
	JSON_VALUE_CONTAINER /* an object or array; its content was skipped */
};

struct json_value {
	enum json_value_kind kind;
	bool truth; /* JSON_VALUE_BOOL */
	bool exact; /* a whole number below 2^64 in size: `magnitude` is exact */
	bool negative;
	uint64_t magnitude;
	double number;    /* JSON_VALUE_NUMBER: finite, correctly rounded */
	struct span text; /* JSON_VALUE_TEXT: decoded UTF-8 without NUL, valid in the callback */
};

enum json_field_type {
	JSON_FIELD_ANY,
	JSON_FIELD_NUMBER, /* a text, boolean or container is an error */
	JSON_FIELD_TEXT    /* anything else counts as missing */
};

struct json_field {
	const char *name; /* NULL ends a list */
	enum json_field_type type;
};

enum { json_field_limit = 16 };

struct json_section {
	const char *name;                /* of the top-level member; "*": any other; NULL ends */
	const struct json_field *fields; /* NULL: all members */
	/* For sections without fields. The section's name tells "*" sections apart. */
	int (*member)(void *context, struct span section, struct span name,
		      const struct json_value *value, struct error *err);
	/* At the end of each record: one value per field, in the order of the list; NULL values
	 * for sections without fields. NULL when nobody wants to know. */
	int (*record)(void *context, struct span section, const struct json_value *values,
		      struct error *err);
};

struct json_stream_counts {
	uint64_t not_numbers; /* NaN and infinities in wanted values */
	uint64_t duplicates;  /* repeated names of wanted values */
};

/* How to read a document. An error set by a callback gets path and byte in front. */
struct json_stream {
	const struct json_section *sections;
	void *context;
	bool skip_preamble; /* ignore lines before the first one that begins with '{' */
	size_t room;        /* bytes of the buffer at first, 64 or more; 0: json_buffer_size */
	/* The name of a section after which nothing is read, not even whether the document is
	 * whole. NULL: everything is read. */
	const char *until;
};

/* *counts grows while the document is read: callbacks may look at it. */
int json_stream_read(const struct json_stream *stream, struct input *input,
		     struct json_stream_counts *counts, struct error *err);

#endif
