/*
 * The words of the program's messages in English and Chinese: one template per code of
 * model/message/message.h and language. A row that lacks a language does not compile.
 *
 * {name} in a template is a value of the message: a quantity with its unit, a text, or a part
 * (itself a message). Formats of numbers are those of Python: {noise:.1%}, {change:+.1%}, {p:.4f},
 * {p:.0e}, {days:.3g}, {working:g}. In addition, {low:.1c} is a percentage without its sign, {p:p}
 * a probability, {time:s} a quantity with three significant digits, and {limit:t} one without zeros
 * at its end. {count?one|more} is the first text if the value is 1, otherwise the second. {parts*,
 * } lists the parts, separated by the text after the star.
 *
 * Never add numbers without a message, or layout.
 */
#pragma once

#include "base/base.h"
#include "model/message/message.h"
#include "model/run/run.h"
#include "model/verdict/verdicts.h"

enum language {
	LANGUAGE_ENGLISH,
	LANGUAGE_CHINESE,
	LANGUAGE_COUNT,
	/* Both for the first screen of a page or a comment: without the statistics that only an
	 * explanation needs (brief.def), and with the signs of vocabulary_typeset(). Only of
	 * messages. */
	LANGUAGE_BRIEF = LANGUAGE_COUNT,
	LANGUAGE_BRIEF_CHINESE
};

/* Adds the text of the message; NULL adds nothing. */
void vocabulary_add(struct strbuf *out, enum language language, const struct message *message);
/* The text in arena memory; "" for NULL. */
const char *vocabulary_text(struct arena *arena, enum language language,
			    const struct message *message);
/* The language of what a command writes for people, English unless it chose another before anything
 * was written. Documents for machines stay English: no command that writes one chooses. */
void vocabulary_speak(enum language language);
enum language vocabulary_spoken(void);
/* A label of the terminal or a value of the report document in the spoken language; as it is
 * without a row for it. */
const char *vocabulary_label(const char *english);
/* The format of a sentence of a chart or a comment in the spoken language; a text without values is
 * one, too. Chinese formats number their arguments. */
const char *vocabulary_format(const char *english) __attribute__((format_arg(1)));
/* One of all formats, for tests; false after the last. */
bool vocabulary_format_at(size_t index, const char **english, const char **chinese);
/* A template with its labels in the spoken language: what stands between tags. */
const char *vocabulary_page(struct arena *arena, const char *template);
/* Removes the blank before each sign of percent where the spoken language is Chinese. */
void vocabulary_close_percents(struct strbuf *text);
/* The text of a number in a language: Chinese has no blank before the sign of percent. */
const char *vocabulary_figure(struct arena *arena, enum language language, const char *text);
/* The text of a number in the spoken language: percents, and "unknown". A cell of a table
 * (render/markup/table.h) is said by it. */
const char *vocabulary_value(struct arena *arena, const char *text);

/* As vocabulary_text() in the spoken language; NULL for NULL. */
const char *vocabulary_say(struct arena *arena, const struct message *message);
/* The same for a first screen: LANGUAGE_BRIEF. */
const char *vocabulary_say_briefly(struct arena *arena, const struct message *message);
/* The text of numbers as pages write it: "-5.2 us" becomes "−5.2 µs", "->" an arrow. Never for
 * names. */
const char *vocabulary_typeset(struct arena *arena, const char *numbers);
/* The text of a code without values. */
const char *vocabulary_term(enum language language, enum message_code code);
/* The template of a code: for tests. */
const char *vocabulary_template(enum language language, enum message_code code);

/* One of the seven words for people, with at most one qualifier: "slower (drift)", "unclear
 * (unconfirmed)". `words` is a verdict or VERDICT_WORDS_CLEAR. Of what is neither a time nor a rate
 * (`is_speed`: metric_is_time_or_rate()), slower and faster read worse and better. */
const char *vocabulary_verdict(enum language language, int words, bool is_speed);
/* What of a verdict's words fits into a table of this width: below 100 columns no qualifier, which
 * the reason below the table repeats. "slower (accepted)" keeps it: no action is needed. "slower
 * (unconfirmed)" becomes "slower?". */
const char *vocabulary_verdict_in_table(struct arena *arena, const char *words, size_t columns);
/* The title of a metric; without a Chinese one it stays English. */
const char *vocabulary_metric(enum language language, enum metric metric);
/* The full name of a dtype: "bf16" is "bfloat16". */
const char *vocabulary_dtype(enum language language, const char *dtype);
