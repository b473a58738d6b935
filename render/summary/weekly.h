/* What the weekly report adds to the report document. */
#ifndef RENDER_SUMMARY_WEEKLY_H
#define RENDER_SUMMARY_WEEKLY_H

#include "model/gate/weekly.h"
#include "render/report/report.h"

enum { REPORT_WEEKLY_COMMITS = 12 }; /* shown, with their authors */

/* document.week, of the document's gate; weekly_of() with REPORT_NIGHTLY_ROWS. */
void report_add_weekly(struct arena *arena, struct json *document, const struct weekly *weekly);

#endif
