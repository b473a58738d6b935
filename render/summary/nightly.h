/* What the nightly report adds to the report document. */
#pragma once

#include "model/periodic/nightly.h"
#include "render/report/report.h"

enum { REPORT_NIGHTLY_ROWS = 12 }; /* shown of each list: one screen */

/* document.night, of the document's gate; nightly_of() with REPORT_NIGHTLY_ROWS. */
void summary_add_nightly(struct arena *arena, struct json *document, const struct nightly *nightly);

/* One comparison as a row of a list: name, mark, verdict, before and now, since when, spark. */
struct json *summary_nightly_row(struct arena *arena, struct json *list,
				 const struct nightly_row *shown);
/* The member `name` {count, more, rows} of a list of which at most `most` are shown; `more` is
 * absent where all are. Returns rows, which the caller fills. */
struct json *summary_nightly_list(struct arena *arena, struct json *out, const char *name,
				  size_t count, size_t most);
/* Kernel, variant, parameters and dtype, cut in the middle where that is long. */
const char *summary_nightly_name(struct arena *arena, const struct comparison *one);
/* A longer text without its middle; NULL stays NULL. */
const char *summary_nightly_cut(struct arena *arena, const char *text, size_t most);
