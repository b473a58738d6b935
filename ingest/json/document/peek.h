/*
 * Inspects the first bytes of a JSON document, for detection: names and kinds of values, without
 * decoding or fully checking them. The result is a guess; only reading the document verifies it.
 */
#pragma once

#include "base/base.h"

enum { json_peek_depth = 16 };

enum json_peek_end {
	JSON_PEEK_OPEN,   /* the bytes end inside the document */
	JSON_PEEK_CLOSED, /* one complete document, and only white space after it */
	JSON_PEEK_MORE,   /* something follows the document */
	JSON_PEEK_BROKEN  /* not JSON, or nested deeper than json_peek_depth */
};

struct json_peek {
	struct span rest;
	enum json_peek_end end;
	int depth;
	struct {
		bool is_array;
		struct span name; /* of the container; empty for items and for the document */
	} open[json_peek_depth];
	bool started;
};

/* A member of an object or an item of an array. */
struct json_peek_value {
	int depth;        /* number of containers around it: 1 for a top-level member */
	struct span name; /* undecoded; empty for items */
	bool is_item;
	char kind;        /* '{', '[', '"', '0' for numbers, 't' for true, false and null */
	struct span text; /* of a scalar, as far as available; a text without its quotes */
};

/* Skips a byte order mark. */
struct json_peek json_peek_of(struct span head);
/* Reads the next value; false at the end, whose kind is in `end`. */
bool json_peek_next(struct json_peek *peek, struct json_peek_value *value);
