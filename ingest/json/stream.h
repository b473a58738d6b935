/*
 * A strict reader of JSON documents of any size in fixed memory. The document is one object. A
 * table lists the members that are wanted ("sections") and their content:
 *
 *   {"name": RECORD, ...}  or  {"name": [RECORD, RECORD, ...], ...}
 *
 * A RECORD is an object. A section either has a list of fields, whose values are passed to the
 * callback together at the end of each record, or it has none; then every member is passed one by
 * one. All other content is skipped but checked as strictly (see scan.h). The order of members does
 * not matter.
 *
 * - Repeated members: the last one wins, and the repetition is counted.
 * - A repeated section is an error.
 * - NaN, Infinity and -Infinity are accepted as missing values and counted.
 * - A byte order mark is skipped.
 * - Errors contain the byte offset after decompression, and inside a section also the JSON path.
 */
#pragma once

#include "base/base.h"
#include "ingest/input/input.h"

enum json_value_kind {
	JSON_VALUE_MISSING = 0, /* absent, null, or NaN or Infinity */
	JSON_VALUE_NUMBER,
	JSON_VALUE_TEXT,
	JSON_VALUE_BOOL,
	JSON_VALUE_CONTAINER /* an object or array, whose content was skipped */
};

/* A value of another kind than a member is for has the member's empty value. */
struct json_value {
	enum json_value_kind kind;
	bool truth; /* JSON_VALUE_BOOL; else false */
	bool exact; /* a whole number of magnitude below 2^64, which `magnitude` holds */
	bool negative;
	uint64_t magnitude;
	double number;    /* JSON_VALUE_NUMBER: finite, correctly rounded; else NAN */
	struct span text; /* JSON_VALUE_TEXT: decoded UTF-8 without NUL, valid in the callback; else
			     empty */
};

enum json_field_type {
	JSON_FIELD_ANY,
	JSON_FIELD_NUMBER, /* a text, boolean or container is an error */
	JSON_FIELD_TEXT    /* any other kind counts as missing */
};

struct json_field {
	const char *name; /* NULL ends the list */
	enum json_field_type type;
};

enum { json_field_limit = 16 };

struct json_section {
	const char *name;                /* of the top-level member; "*": any other; NULL ends */
	const struct json_field *fields; /* NULL: all members */
	/* For sections with fields: called for each record with one value per field, in the order
	 * of the list. */
	void (*record)(void *context, const struct json_value *values);
	/* For sections without fields: called for each member, and at the end of each record.
	 * `section` is the name, which distinguishes "*" sections. */
	int (*member)(void *context, struct span section, struct span name,
		      const struct json_value *value, struct error *err);
	int (*end)(void *context, struct span section, struct error *err);
};

struct json_stream_counts {
	uint64_t not_numbers; /* NaN and Infinity in wanted values */
	uint64_t duplicates;  /* repeated names of wanted values */
};

/* How to read a document. Path and byte offset are prepended to the errors of callbacks. */
struct json_stream {
	const struct json_section *sections;
	void *context;
	bool skip_preamble; /* ignore lines before the first one that begins with '{' */
	size_t room;        /* initial size of the buffer, at least 64; 0: json_buffer_size */
	/* The name of the last section to be read. The rest of the document is neither read nor
	 * checked. NULL: everything is read. */
	const char *until;
};

/* 0, or -1 and *err. *counts is updated during reading, so that callbacks may use it. */
int json_stream_read(const struct json_stream *stream, struct input *input,
		     struct json_stream_counts *counts, struct error *err);
