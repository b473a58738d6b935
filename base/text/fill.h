/* Text broken at blanks to a number of columns, as help texts and sentences on a terminal are. */
#pragma once

#include <stddef.h>

#include "base/base.h"

/* Adds the words of the text and a newline. Where a line would be longer than 80 columns it is
 * ended, and the next one begins with `indent` blanks; the cursor stands at that column already. */
void fill_words(struct strbuf *out, const char *text, size_t indent);
/* Adds lines; those that are longer than `width` are broken as above, and go on below their text:
 * after the blanks that they begin with, or what precedes ":  ". Width 0 breaks no line. */
void fill_lines(struct strbuf *out, const char *text, size_t width);
