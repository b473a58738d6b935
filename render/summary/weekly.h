/* What the weekly report adds to the report document. */
#pragma once

#include "model/periodic/weekly.h"
#include "render/report/report.h"

enum { REPORT_WEEKLY_COMMITS = 12 }; /* commits shown, with their authors */

/* Adds document.week to a document with a gate. Takes weekly_of() with REPORT_NIGHTLY_ROWS. */
void summary_add_weekly(struct arena *arena, struct json *document, const struct weekly *weekly);
