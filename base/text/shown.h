/*
 * Text for people: every character shows, and names that differ look different.
 *
 * Characters that utf8_is_hidden() knows, and letters that pass for others, are written as their
 * code point, e.g. <U+200B>. Letters pass for others
 *   - in a word that mixes scripts: Cyrillic letters, and those Greek ones that look like Latin;
 *   - in a word of three letters or more that all look like Latin ones.
 * Emoji of several characters fall apart, because a joiner and a variation selector do not show.
 *
 * Limits: words of one or two letters; letters of other scripts, e.g. Armenian, full-width and
 * mathematical ones; a name that spells "<U+200B>" itself; bytes that are not UTF-8, which are all
 * U+FFFD. Documents in JSON distinguish all but the last.
 */
#pragma once

#include "base/base.h"

/* Adds the text. White space becomes a blank, except the characters in `stays`. The result is shown
 * as itself: to show it again changes nothing. */
void shown_text(struct strbuf *out, struct span text, const char *stays);
/* As shown_text(), for values that programs distinguish: a tab or a line end stays, other white
 * space is written as its code point. */
void shown_value(struct strbuf *out, struct span text);
