/*
 * JSON values as a tree in an arena; the only user of cJSON. For small documents: configuration,
 * params.json, the report document. Profiles are read with ingest/json/stream.h, which does not
 * load the whole file.
 *
 * Members keep their order. Names are compared byte by byte. If an object has several members of
 * the same name, the parser keeps the value of the last one, at the position of the first.
 *
 * The grammar is that of RFC 8259. The parser also rejects:
 *   - more than 256 levels or 64 MiB;
 *   - NUL in strings, and halves of surrogate pairs;
 *   - integers without fraction or exponent that a double cannot represent exactly;
 *   - numbers that overflow a double.
 *
 * Never add anything that knows the members of a particular document.
 */
#pragma once

#include "base/base.h"

struct json;

/* Further items of a long array, made when they are visited, so that they need the memory of one.
 */
struct json_items {
	/* The item at an index of the array, made in the arena of the visit; NULL: after the
	 * last one. A visit asks for them in order; an array may be visited again. */
	struct json *(*item)(void *context, struct arena *arena, size_t index);
	void *context;
};

enum json_type { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

/* Small, because a document has millions: `number` and what ends a list share their place. */
struct json {
	enum json_type type : 8;
	bool truth;         /* JSON_BOOL */
	bool more;          /* JSON_ARRAY: `items` makes those after the children, up to `count` */
	uint32_t count;     /* members of an object, items of an array */
	const char *name;   /* in an object; otherwise NULL */
	const char *text;   /* JSON_STRING */
	struct json *first; /* children of arrays and objects */
	struct json *next;  /* sibling */
	union {
		double number;                  /* JSON_NUMBER; never NaN or infinite */
		struct json *last;              /* of arrays and objects, unless there is more */
		const struct json_items *items; /* where there is */
	};
};
static_assert(sizeof(struct json) == 48, "three quarters of a cache line");

/* The children of an array or object in their order:
 *
 *     for (struct json_walk walk = json_walk_of(list); json_walk_next(&walk);)
 *             use(walk.child);
 *
 * An item that is made lives until the next one. A walk that ends early needs json_walk_end(). */
struct json_walk {
	const struct json *list, *child;
	size_t index; /* the next child's */
	bool made;    /* the child is in the arena */
	struct arena arena;
};
/* NULL has no children. */
struct json_walk json_walk_of(const struct json *list);
bool json_walk_next(struct json_walk *walk);
void json_walk_end(struct json_walk *walk);
/* Makes the child live as long as the arena and the array. */
void json_walk_keep(struct json_walk *walk, struct arena *arena);

/* Parses one complete JSON document; NULL and *err if it is invalid. The message contains line,
 * column and offset of the fault. A UTF-8 byte order mark is skipped. The tree does not refer to
 * `bytes`. */
struct json *json_parse(struct arena *arena, struct span bytes, struct error *err);

/* NULL if `object` is NULL, is not an object, or does not have the member. */
struct json *json_get(const struct json *object, const char *name);
/* The first item of the array, or member of the object, that `name` is; NULL if there is none. */
struct json *json_first(const struct json *object, const char *name);
/* The member's text or number; the fallback if it is absent or has another type. */
const char *json_text(const struct json *object, const char *name, const char *fallback);
double json_number(const struct json *object, const char *name, double fallback);
/* The number at a place of an array; NAN if there is none. */
double json_number_at(const struct json *array, size_t index);
/* Whether the member exists and is true. */
bool json_truth(const struct json *object, const char *name);

/* Building a tree. json_set_*() append a member to an object, json_add_*() an item to an array, and
 * return the new child.
 *   - A NULL text and a number that is not finite become null.
 *   - Names are not copied: they are literals or arena memory. Texts are copied.
 *   - A name must not be set twice. */
struct json *json_object(struct arena *arena);
struct json *json_array(struct arena *arena);
struct json *json_set_object(struct arena *arena, struct json *object, const char *name);
struct json *json_set_array(struct arena *arena, struct json *object, const char *name);
struct json *json_set_text(struct arena *arena, struct json *object, const char *name,
			   const char *text);
struct json *json_set_number(struct arena *arena, struct json *object, const char *name,
			     double number);
struct json *json_set_bool(struct arena *arena, struct json *object, const char *name, bool truth);
/* Appends a value that does not belong to another tree. For an object, its name must be set. */
struct json *json_append(struct json *parent, struct json *child);
struct json *json_add_object(struct arena *arena, struct json *array);
struct json *json_add_array(struct arena *arena, struct json *array);
struct json *json_add_text(struct arena *arena, struct json *array, const char *text);
struct json *json_add_number(struct arena *arena, struct json *array, double number);

/* Makes the array one of at most `count` items: its children, and further ones. */
void json_set_items(struct arena *arena, struct json *array, size_t count, struct json_items items);

/* Adds the document, indented by two spaces per level, or in one line if `compact`. Numbers have
 * the fewest digits that are parsed as the same double. Characters that do not show are escaped
 * (\u200b), so that a terminal can display the document; parsing it gives the same texts. */
void json_write(struct strbuf *out, const struct json *value, bool compact);
/* The same; whenever the text is long and between two items that are made, the drain takes it. */
void json_write_long(struct strbuf *out, const struct json *value, bool compact,
		     const struct strbuf_drain *drain);
/* Adds the document in one line; only what JSON forbids is escaped. What is stored or compared uses
 * this form: the same value is the same text in every version. */
void json_exact(struct strbuf *out, const struct json *value);
/* The text of a string; the compact JSON of anything else: bf16, 512, [1,2]. */
const char *json_plain(struct arena *arena, const struct json *value);
/* Adds a quoted JSON string, escaped as by json_write(). Invalid UTF-8 becomes U+FFFD. */
void json_string(struct strbuf *out, const char *text);
