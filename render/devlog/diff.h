/* Unified diff of two texts, for patch(1) and for people. */
#pragma once

#include "base/base.h"

struct diff_look {
	const char *name; /* file name in both header lines */
	bool color;       /* ANSI colors */
	bool clean;       /* no control characters; not for patch */
};

/* Adds a unified diff with three lines of context; nothing if the texts are equal. Lines end in
 * LF. The diff is minimal up to a thousand edits. Beyond that it replaces everything between the
 * first and the last difference. */
void diff_unified(struct arena *arena, const struct span texts[2], const struct diff_look *look,
		  struct strbuf *out);
