/*
 * The command of [gate] rerun: a list of words, as a shell would split it, but nothing in it is
 * expanded. Places such as {{kernel}} are filled with values from files of third parties, so a
 * value stays part of its word, and a command that would run an argument of its own as a program
 * has no place for one.
 */
#pragma once

#include "base/base.h"

struct rerun_part {
	const char *text; /* literal, or the name of a place */
	bool is_place;
};

struct rerun_word {
	const struct rerun_part *parts;
	size_t count;
	bool only_plain; /* the command interprets this word: only values of letters and digits fit
			  */
};

struct rerun_words {
	const struct rerun_word *items;
	size_t count;
};

/* Splits a command; ERR_USAGE if it is not one. Names of places are not checked. */
int render_gate_rerun_split(struct arena *arena, const char *form, struct rerun_words *words,
			    struct error *err);
/* Whether a text needs no quotes in a shell. */
bool render_gate_rerun_is_plain(const char *text);
/* Adds a text as one word of a shell. */
void render_gate_rerun_quote(struct strbuf *out, const char *text);
/* Sets an error about the command. Returns -1. */
int render_gate_rerun_fault(const char *what, const char *at, struct error *err);
