/* Breaks text at spaces into lines of limited width: for help texts and sentences in a terminal. */
#pragma once

#include "base/base.h"

/* Cuts off what comes before the next blank that may end a line. A number and its unit stay
 * together: "5.0 %", "102 FLOP/B,". After the last word, rest->ptr is NULL. */
struct span fill_next(struct span *rest);
/* The length of the longest beginning of a word after which a line may end. Chinese has no blanks:
 * its lines end at wide characters, but never before closing punctuation or after an opening one.
 */
size_t fill_piece(struct span word);
/* Adds the words of a text and a newline, in lines of at most `columns` columns unless a word is
 * longer. The first line begins in column `indent`, to which the caller has written; the next ones
 * are indented by as many spaces. */
void fill_text(struct strbuf *out, const char *text, size_t indent, size_t columns);
/* As fill_text(), in lines of 80 columns. */
void fill_words(struct strbuf *out, const char *text, size_t indent);
/* Adds the lines of a text. If a line has more than `width` columns, it is broken as by fill_text()
 * and its continuations are indented: by the spaces at its beginning, or to the column after a
 * label that ends with ":" and two spaces. Width 0: no line is broken. */
void fill_lines(struct strbuf *out, const char *text, size_t width);
