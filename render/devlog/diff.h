/* What differs between two texts, as patch(1) and people read it. */
#pragma once

#include <stdbool.h>

#include "base/base.h"

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
