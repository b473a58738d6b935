/*
 * The command of [gate] rerun: a list of words, as a shell would split it, but nothing in it is
 * expanded. Places such as {{kernel}} are filled with values from files of third parties, so a
 * value stays part of its word, and no word that could be a program or code has a place:
 *   - A value follows = (--kernel={{kernel}}, K={{kernel}}), where it is text of any kind; in a
 * path, and in a command that passes its words to a shell, it is a plain name.
 *   - It is a word of its own only as a plain name, and only as an argument of the project's
 * program
 *     (./bench {{kernel}}): any other first word could run it.
 *   - A command in which a word is an interpreter with an option for code has no place at all.
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
	bool only_plain; /* the word could be interpreted: only plain values fit */
};

struct rerun_words {
	const struct rerun_word *items;
	size_t count;
};

/* Splits a command; ERR_USAGE if it is not one. Names of places are not checked. */
int render_gate_rerun_split(struct arena *arena, const char *form, struct rerun_words *words,
			    struct error *err);
/* Whether a text is a plain name: no option, path, code or list. */
bool render_gate_rerun_is_plain(const char *text);
/* Sets an error about the command. Returns -1. */
int render_gate_rerun_fault(const char *what, const char *at, struct error *err);
