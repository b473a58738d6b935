/*
 * JSON values as a tree in an arena: the one door to cJSON. For small documents
 * (configuration, params.json, the report document); profiles go through
 * ingest/json_stream, which never holds a whole file.
 *
 * Members keep their order. Names are compared exactly. On parsing, the last of
 * equal names wins, at the place of the first. The grammar is RFC 8259's; also refused
 * are more than 256 levels or 64 MiB, NUL in strings, surrogates without a partner,
 * integers written as plain digits that a double does not keep exactly, and numbers
 * that overflow one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum json_type { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
	enum json_type type;
	const char *name;   /* member name inside an object, else NULL */
	const char *text;   /* JSON_STRING */
	double number;      /* JSON_NUMBER; never NaN or infinite */
	bool truth;         /* JSON_BOOL */
	size_t count;       /* members or items */
	struct json *first; /* children of arrays and objects */
	struct json *last;
	struct json *next;
};

/* NULL and *err on anything that is not one complete JSON document. Line, column and byte of
 * the fault are in the message. A UTF-8 byte order mark is skipped. */
struct json *json_parse(struct arena *arena, struct span bytes, struct error *err);

/* NULL when `object` is NULL, no object, or has no such member. */
struct json *json_get(const struct json *object, const char *name);
/* The member's text/number, or the fallback when it is absent or of another type. */
const char *json_text(const struct json *object, const char *name, const char *fallback);
double json_number(const struct json *object, const char *name, double fallback);
/* Whether the member is there and true. */
bool json_truth(const struct json *object, const char *name);

/* Building. A setter with a NULL text or a NAN number stores null: unknown stays unknown.
 * Setters on an object append the member; names are not copied and must outlive the tree
 * (literals or arena memory), texts are copied. Each returns the new child. */
struct json *json_object(struct arena *arena);
struct json *json_array(struct arena *arena);
struct json *json_set_object(struct arena *arena, struct json *object, const char *name);
struct json *json_set_array(struct arena *arena, struct json *object, const char *name);
struct json *json_set_text(struct arena *arena, struct json *object, const char *name,
			   const char *text);
struct json *json_set_number(struct arena *arena, struct json *object, const char *name,
			     double number);
struct json *json_set_bool(struct arena *arena, struct json *object, const char *name, bool truth);
/* Adds a value that stands in no other tree any more; in an object its name is set. */
struct json *json_append(struct json *parent, struct json *child);
struct json *json_add_object(struct arena *arena, struct json *array);
struct json *json_add_array(struct arena *arena, struct json *array);
struct json *json_add_text(struct arena *arena, struct json *array, const char *text);
struct json *json_add_number(struct arena *arena, struct json *array, double number);

/* Adds the document: two-space indentation, or one line when `compact`. Numbers are written
 * with the fewest digits that read back as the same double. */
void json_write(struct strbuf *out, const struct json *value, bool compact);
/* A text as it is, anything else as its compact JSON: "bf16", "512", "[1,2]". */
const char *json_plain(struct arena *arena, const struct json *value);
/* A quoted, escaped JSON string. */
void json_string(struct strbuf *out, const char *text);
