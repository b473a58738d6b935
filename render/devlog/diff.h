/* What differs between two texts, as patch(1) and people read it. */
#ifndef RENDER_DEVLOG_DIFF_H
#define RENDER_DEVLOG_DIFF_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/span.h"
#include "base/strbuf.h"

struct diff_look {
	const char *name; /* of the file, in both header lines */
	bool color;       /* for a terminal that takes colours */
	bool clean;       /* for a terminal: nothing that it would obey; patch cannot read that */
};

/* A unified diff with three lines of context; nothing when the texts are the same. Lines end in LF.
 * The fewest lines differ, unless that is more than a thousand: then everything between the first
 * and the last difference. */
void diff_unified(struct arena *arena, const struct span texts[2], const struct diff_look *look,
		  struct strbuf *out);

#endif
