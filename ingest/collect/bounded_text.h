/*
 * Texts of a file that are stored in a run. Files may contain texts of any length and repeat a
 * field any number of times. Therefore a stored text has at most kept_limit bytes, cut at a
 * character boundary, and a text that replaces another one reuses its buffer. Memory depends on the
 * number of stored texts only.
 */
#pragma once

#include "base/base.h"

enum { kept_limit = 4096 };

/* Copies a UTF-8 text. */
const char *bounded_text_of(struct arena *arena, struct span text);
/* Sets *kept to a copy of a UTF-8 text. *kept must be NULL or a result of these functions to which
 * nothing else points, because its bytes are overwritten. */
void bounded_text_keep(struct arena *arena, const char **kept, struct span text);
