/*
 * Texts of a file that are stored in a run. Files may contain texts of any length and repeat a
 * field any number of times. Therefore a stored text has at most bounded_text_limit bytes, cut at a
 * character boundary, and a text that replaces another one reuses its buffer. Memory depends on the
 * number of stored texts only.
 */
#pragma once

#include "base/base.h"

enum { bounded_text_limit = 4096 };

/* Copies a UTF-8 text. */
const char *bounded_text_of(struct arena *arena, struct span text);
/* Sets *copy to a copy of a UTF-8 text. *copy must be NULL or a result of these functions to which
 * nothing else points, because its bytes are overwritten. */
void bounded_text_set(struct arena *arena, const char **copy, struct span text);
