/*
 * Texts of a file that are kept in a run. A file may hold texts of any length
 * and give one over and over again: a kept text has at most kept_limit bytes,
 * cut at the end of a character, and one that takes the place of another uses
 * its room, so that memory depends on how many are kept and on nothing else.
 */
#pragma once

#include "base/base.h"

enum { kept_limit = 4096 };

/* A new copy of a UTF-8 text. */
const char *kept_text(struct arena *arena, struct span text);
/* Makes *kept a copy of a UTF-8 text. It must be NULL or a result of these that nothing else
 * points to: its bytes are overwritten. */
void keep_text(struct arena *arena, const char **kept, struct span text);
