/* OpenMetrics text: the values of a commit by series, and how many verdicts there are of each. */
#ifndef RENDER_EXPORT_OPENMETRICS_H
#define RENDER_EXPORT_OPENMETRICS_H

#include "render/export/exporter.h"

int serialize_openmetrics(struct arena *arena, const struct json *document, struct strbuf *out,
			  struct error *err);

#endif
