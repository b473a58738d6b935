/*
 * A look at the first bytes of a JSON document, for detection: names and kinds
 * of values as far as the bytes go, without decoding or checking them in full.
 * What it says is a guess; reading the document is what decides.
 */
#ifndef INGEST_JSON_DOCUMENT_PEEK_H
#define INGEST_JSON_DOCUMENT_PEEK_H

#include <stdbool.h>

#include "base/span.h"

enum { json_peek_depth = 16 };

enum json_peek_end {
	JSON_PEEK_OPEN,   /* the bytes end inside the document */
	JSON_PEEK_CLOSED, /* one whole document and nothing but blanks behind it */
	JSON_PEEK_MORE,   /* something follows the document */
	JSON_PEEK_BROKEN  /* this is no JSON, or deeper than json_peek_depth */
};

struct json_peek {
	struct span rest;
	enum json_peek_end end;
	int depth;
	struct {
		bool is_array;
		struct span name; /* of the container, empty for items and the document itself */
	} open[json_peek_depth];
	bool started;
};

/* A member of an object or an item of an array. */
struct json_peek_value {
	int depth;        /* containers around it: 1 for a top-level member */
	struct span name; /* undecoded; empty for items */
	bool is_item;
	char kind;        /* '{', '[', '"', '0' for numbers, 't' for true, false and null */
	struct span text; /* of a scalar, as far as it goes; texts without their quotes */
};

/* Skips a byte order mark. */
struct json_peek json_peek_of(struct span head);
/* The next value; false at the end, then `end` says which. */
bool json_peek_next(struct json_peek *peek, struct json_peek_value *value);

#endif
