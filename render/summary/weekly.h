/* What the weekly report adds to the report document. */
#ifndef RENDER_SUMMARY_WEEKLY_H
#define RENDER_SUMMARY_WEEKLY_H

#include "render/report/report.h"

/* document.week, of the document's gate: changes at commits since then (Unix seconds). `author`
 * gives the name of a commit's author, NULL where nobody knows. */
struct report_week {
	int64_t since;
	const char *(*author)(void *context, const char *oid);
	void *context;
};
void report_add_week(struct arena *arena, struct json *document, const struct gate *gate,
		     const struct report_week *asked);

#endif
