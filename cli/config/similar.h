/*
 * Finds the known words that are most similar to an unknown one, for messages: those that begin
 * with it, if it has three letters or more, and those that differ by at most two letters added,
 * lost, replaced or exchanged with their neighbor: one in words of up to four letters, and always
 * fewer than half of them.
 *
 * Use: struct similar s = similar_to(typed); similar_offer(&s, word) for each known word; s.word.
 */
#pragma once

#include "base/base.h"

enum { SIMILAR_WORDS = 3 };

struct similar {
	struct span wanted;
	const char *word; /* the most similar word so far; NULL: none */
	/* The most similar ones, the nearest first; `word` is the first. */
	const char *words[SIMILAR_WORDS];
	size_t distances[SIMILAR_WORDS], count;
};

struct similar similar_to(struct span wanted);
void similar_offer(struct similar *similar, const char *word);
/* Adds "\nhint: did you mean 'a', 'b' or 'c'?", or nothing if no word is similar. */
void similar_hint(const struct similar *similar, struct strbuf *out);
/* The same as an error's text, ERR_USAGE, after a message. Returns -1. */
int similar_refuse(const struct similar *similar, const char *message, struct error *err);
