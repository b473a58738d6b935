/* What the nightly report adds to the report document. */
#ifndef RENDER_SUMMARY_NIGHTLY_H
#define RENDER_SUMMARY_NIGHTLY_H

#include "render/report/report.h"

/* document.night, of the document's gate. */
void report_add_night(struct arena *arena, struct json *document, const struct gate *gate);

/* One comparison as a row of a list: name, mark, verdict, before and now, since when, spark. */
struct json *report_night_row(struct arena *arena, struct json *list, const struct gate *gate,
			      const struct comparison *one);
/* The member `name` {count, more, rows} of a list of which at most `most` are shown; `more` is
 * absent where nothing is left out. Returns rows, which the caller fills. */
struct json *report_night_list(struct arena *arena, struct json *out, const char *name,
			       size_t count, size_t most);
/* Kernel, variant, parameters and dtype, cut in the middle where that is long. */
const char *report_night_name(struct arena *arena, const struct comparison *one);
/* A longer text without its middle; NULL stays NULL. */
const char *report_night_cut(struct arena *arena, const char *text, size_t most);

#endif
