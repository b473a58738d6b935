/*
 * The words of the program's messages, in English and Chinese, side by side: one template for each
 * code of model/message/message.h and language. A row that lacks a language does not compile.
 *
 * In a template {name} is a value of the message: a quantity with its unit, a text, a part (itself
 * a message). A number can have a format as in Python's: {noise:.1%}, {change:+.1%}, {p:.4f},
 * {p:.0e}, {days:.3g}, {working:g}; and {low:.1c}, the percentage without its sign, and {p:p}, a
 * probability. {count?one|more} is the first text where the value is 1 and
 * else the second. {parts*, } are the parts, separated by what follows the star.
 *
 * Never add numbers without a message, layout.
 */
#pragma once

#include "base/base.h"
#include "model/message/message.h"

enum language { LANGUAGE_ENGLISH, LANGUAGE_CHINESE, LANGUAGE_COUNT };

/* Adds the message in words; NULL adds nothing. */
void vocabulary_add(struct strbuf *out, enum language language, const struct message *message);
/* The same in arena memory: "" of NULL. */
const char *vocabulary_text(struct arena *arena, enum language language,
			    const struct message *message);
/* As vocabulary_text() in English, the language of documents for machines; NULL of NULL. */
const char *vocabulary_english(struct arena *arena, const struct message *message);
/* The words of a code without values. */
const char *vocabulary_term(enum language language, enum message_code code);
/* The template of a code: for tests. */
const char *vocabulary_template(enum language language, enum message_code code);

/* A label of the fixed forms, by its English text; itself where the language has no other. */
const char *vocabulary_label(enum language language, const char *english);
/* "bf16" is bfloat16. */
const char *vocabulary_dtype(enum language language, const char *dtype);
