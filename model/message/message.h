/*
 * Sentences as data: a code and the values that the sentence mentions, in SI units. The
 * words, in each language, are in render/vocabulary/vocabulary.h; nothing in model/ writes a
 * sentence.
 *
 *     message_of(arena, MESSAGE_CYCLES, message_fraction(change))
 *
 * Codes and the names of their values are declared in the .def files of this folder: those of the
 * model, and in form.def those of the fixed forms that render/report fills.
 *
 * Never add words of any language; these belong to render/vocabulary.
 */
#pragma once

#include "base/base.h"
#include "base/text/text.h"

enum message_code {
	MESSAGE_NONE, /* "" in each language */
#define TERM(ID) MESSAGE_##ID,
#define MESSAGE(ID, ...) MESSAGE_##ID,
#include "model/message/message.def"
#undef TERM
#undef MESSAGE
	MESSAGE_COUNT
};

struct message;

enum message_kind {
	MESSAGE_QUANTITY, /* `number` in `unit`; NAN is unknown */
	MESSAGE_INTEGER,  /* `number` is a count */
	MESSAGE_TEXT,    /* `text`: a name, a commit, what a file says; the same in each language */
	MESSAGE_PART,    /* `part`; NULL: nothing */
	MESSAGE_PARTS,   /* `count` messages at `parts` */
	MESSAGE_CHANGE,  /* from `number` to `after`, as "-12 %", "4.0x less", "0 B -> 1.2 MB" */
	MESSAGE_SIDES,   /* the same two numbers, as "44.9 -> 702 FLOP/B" */
	MESSAGE_VERDICT, /* `number` is verdict_words() (model/verdict/verdict.h), `after` 1 of a
			  * time or a rate, else 0 */
	MESSAGE_DIFFERENCE, /* `number` more, as "+2.9 us"; of fractions in percentage points */
};

struct message_value {
	enum message_kind kind;
	enum unit unit;
	double number, after;
	const char *text;
	const struct message *part;
	const struct message *const *parts;
	size_t count;
};

/* A message, its texts and its parts are all in the same arena. */
struct message {
	enum message_code code;
	const struct message_value *values; /* message_arity(code) of them */
};

/* Number of values of a message with this code, and their names in the templates; "" for an index
 * past the last value. */
size_t message_arity(enum message_code code);
struct span message_value_name(enum message_code code, size_t index);
/* "BOUND_REASON_MEMORY": for tests. */
const char *message_code_name(enum message_code code);

/* The values of a message. Texts must not be NULL. */
#define message_value(KIND, ...) ((struct message_value){.kind = MESSAGE_##KIND, __VA_ARGS__})
#define message_quantity(quantity, its_unit)                                                       \
	message_value(QUANTITY, .number = (quantity), .unit = (its_unit))
#define message_fraction(fraction) message_quantity(fraction, UNIT_FRACTION)
#define message_number(plain_number) message_quantity(plain_number, UNIT_NONE)
#define message_integer(integer) message_value(INTEGER, .number = (double)(integer))
#define message_text(its_text) message_value(TEXT, .text = (its_text))
#define message_part(message) message_value(PART, .part = (message))
#define message_term(code) message_part(message_plain(code))
#define message_change(from, to, its_unit)                                                         \
	message_value(CHANGE, .number = (from), .after = (to), .unit = (its_unit))
#define message_sides(from, to, its_unit)                                                          \
	message_value(SIDES, .number = (from), .after = (to), .unit = (its_unit))
#define message_difference(difference, its_unit)                                                   \
	message_value(DIFFERENCE, .number = (difference), .unit = (its_unit))
/* A function, because a literal of an array has commas. */
struct message_value message_parts(const struct message *const *parts, size_t count);

/* A message without values. Static: it needs no memory. */
const struct message *message_plain(enum message_code code);
/* A message with copies of the values and their texts. `count` must be message_arity(code). */
const struct message *message_new(struct arena *arena, enum message_code code,
				  const struct message_value *values, size_t count);
#define message_of(arena, code, ...)                                                               \
	message_new((arena), (code), (const struct message_value[]){__VA_ARGS__},                  \
		    sizeof((const struct message_value[]){__VA_ARGS__}) /                          \
			    sizeof(struct message_value))

/* A deep copy of the message in another arena; NULL for NULL. */
const struct message *message_copy(struct arena *arena, const struct message *message);
