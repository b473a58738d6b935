/* Breaks text at spaces into lines of limited width: for help texts and sentences in a terminal. */
#pragma once

#include "base/base.h"

/* Adds the words of an ASCII text and a newline, in lines of at most 80 columns. The first line
 * begins in column `indent`, to which the caller has written; the next ones are indented by as many
 * spaces. */
void fill_words(struct strbuf *out, const char *text, size_t indent);
/* Adds the lines of a text. If a line has more than `width` columns, it is broken as by
 * fill_words() and its continuations are indented: by the spaces at its beginning, or to the column
 * after a label that ends with ":" and two spaces. Width 0: no line is broken. */
void fill_lines(struct strbuf *out, const char *text, size_t width);
