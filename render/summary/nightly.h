/* What the nightly report adds to the report document. */
#pragma once

#include "model/periodic/nightly.h"
#include "render/report/report.h"

enum { REPORT_NIGHTLY_ROWS = 12 }; /* rows per list: one screen */

/* Adds document.night to a document with a gate. Takes nightly_of() with REPORT_NIGHTLY_ROWS. */
void summary_add_nightly(struct arena *arena, struct json *document, const struct nightly *nightly);

/* Adds one comparison as a row of a list: name, mark, verdict, before and now, since when,
 * spark. */
struct json *summary_nightly_row(struct arena *arena, struct json *list,
				 const struct nightly_row *shown);
/* Adds the member `name` {count, more, rows} with the first rows of a list; nothing if it is
 * empty. */
void summary_nightly_list(struct arena *arena, struct json *out, const char *name,
			  const struct nightly_list *list);
/* Kernel, variant, parameters and dtype; a long name is cut in the middle. */
const char *summary_nightly_name(struct arena *arena, const struct comparison *one);
/* Cuts the middle out of a text longer than `most` bytes; NULL stays NULL. */
const char *summary_nightly_cut(struct arena *arena, const char *text, size_t most);
