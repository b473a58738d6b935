/*
 * Objects of documents, written as tables of members:
 *
 *     const struct document_member members[] = {
 *             {KEY(series), TEXT(series->key)},
 *             {KEY(baseline), QUANTITY(number, unit)},
 *             {KEY(reason), MESSAGE(judged->reason)},
 *             {KEY(variant), TEXT(run->variant), OPTIONAL},
 *     };
 *     document_fill(arena, object, members);
 *
 * The table says what a value is; this room decides how the document shows it, the same way
 * everywhere. An unknown text, number, percentage, interval, age or message becomes null, a change,
 * an effect and an amount the text "unknown"; a commit is left out. The member is absent if it is
 * OPTIONAL and unknown. Texts are English, for machines and templates.
 *
 * Never add members, or rules about one particular document.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"
#include "base/text/text.h"
#include "model/commits/commits.h"
#include "model/message/message.h"
#include "render/document/key.h"

enum document_kind {
	DOCUMENT_TEXT,
	DOCUMENT_NUMBER,
	DOCUMENT_BOOL,
	DOCUMENT_PERCENT,  /* a fraction as a text: "3.1 %" */
	DOCUMENT_CHANGE,   /* a relative change as a text: "+3.12 %" */
	DOCUMENT_INTERVAL, /* the range of a relative change, as a text: "+2.9 to +3.3 %" */
	DOCUMENT_EFFECT,   /* a change point's effect, relative or with its unit: "+4.096 kB" */
	DOCUMENT_AGE,      /* first-parent steps as a text: "3 commits back" */
	DOCUMENT_UNIT,     /* its symbol */
	DOCUMENT_AMOUNT,   /* a number with its unit as a text: "4.096 kB" */
	DOCUMENT_TERM,     /* the English text of a code without values */
	DOCUMENT_MESSAGE,  /* its English text */
	DOCUMENT_MESSAGES, /* the English texts of `count` messages */
	DOCUMENT_QUANTITY, /* {value, unit, text} */
	DOCUMENT_COMMIT,   /* {oid, short, subject, time, dirty}; always absent without a commit */
	DOCUMENT_OBJECT    /* of `count` members */
};

struct document_member {
	const char *name; /* KEY(...), another literal, or arena memory */
	enum document_kind kind;
	union {
		const char *text;
		double number;
		bool truth;
		enum message_code term;
		const struct message *message;
		const struct message *const *messages;
		const struct revision *commit;
		const struct document_member *members;
	};
	union {
		double high;  /* DOCUMENT_INTERVAL, which begins at `number` */
		bool dirty;   /* DOCUMENT_COMMIT */
		size_t count; /* DOCUMENT_MESSAGES, DOCUMENT_OBJECT */
		struct {
			enum unit unit; /* DOCUMENT_UNIT, _AMOUNT, _QUANTITY, _EFFECT */
			bool relative;  /* DOCUMENT_EFFECT: `number` has no unit */
		};
	};
	bool optional; /* absent if unknown or false */
};

#define TEXT(value) .kind = DOCUMENT_TEXT, .text = (value)
#define NUMBER(value) .kind = DOCUMENT_NUMBER, .number = (double)(value)
#define BOOL(value) .kind = DOCUMENT_BOOL, .truth = (value)
#define PERCENT(value) .kind = DOCUMENT_PERCENT, .number = (value)
#define CHANGE(value) .kind = DOCUMENT_CHANGE, .number = (value)
#define INTERVAL(from, to) .kind = DOCUMENT_INTERVAL, .number = (from), .high = (to)
#define EFFECT(value, is_relative, of_unit)                                                        \
	.kind = DOCUMENT_EFFECT, .number = (value), .relative = (is_relative), .unit = (of_unit)
#define AGE(value) .kind = DOCUMENT_AGE, .number = (double)(value)
#define UNIT(value) .kind = DOCUMENT_UNIT, .unit = (value)
#define AMOUNT(value, of_unit) .kind = DOCUMENT_AMOUNT, .number = (value), .unit = (of_unit)
#define TERM(code) .kind = DOCUMENT_TERM, .term = (code)
#define MESSAGE(value) .kind = DOCUMENT_MESSAGE, .message = (value)
#define MESSAGES(list, size) .kind = DOCUMENT_MESSAGES, .messages = (list), .count = (size)
#define QUANTITY(value, of_unit) .kind = DOCUMENT_QUANTITY, .number = (value), .unit = (of_unit)
#define COMMIT(value, is_dirty) .kind = DOCUMENT_COMMIT, .commit = (value), .dirty = (is_dirty)
#define OBJECT(table) .kind = DOCUMENT_OBJECT, .members = (table), .count = DOCUMENT_COUNT(table)
#define OPTIONAL .optional = true

#define DOCUMENT_COUNT(table) (sizeof(table) / sizeof *(table))

/* A document: an object whose first member is its schema, SCHEMA(...). */
struct json *document_begin(struct arena *arena, const char *schema);

/* Appends the members of a table to an object, and returns the object. */
#define document_fill(arena, object, table)                                                        \
	document_append(arena, object, table, DOCUMENT_COUNT(table))
struct json *document_append(struct arena *arena, struct json *object,
			     const struct document_member *members, size_t count);

/* Appends one member; an item if `name` is NULL. */
struct json *document_quantity(struct arena *arena, struct json *parent, const char *name,
			       double number, enum unit unit);
void document_commit(struct arena *arena, struct json *parent, const char *name,
		     const struct revision *revision, bool dirty);
/* Appends a commit to a list. */
void document_add_commit(struct arena *arena, struct json *list, const struct revision *revision,
			 bool dirty);
/* The effect of a change point, signed: "+3.12 %", or a difference "+4.096 kB" if it is not
 * relative; "unknown" if it is not finite. */
const char *document_effect(struct arena *arena, double effect, bool relative, enum unit unit);
/* "+2.9 to +3.3 %" */
const char *document_interval(struct arena *arena, double low, double high);
/* "2026-11-21T09:32:51Z"; NULL for a year that the calendar lacks. */
const char *document_time(struct arena *arena, int64_t unix_seconds);
/* "2026-11-21"; NULL as for document_time(). */
const char *document_day(struct arena *arena, int64_t unix_seconds);
