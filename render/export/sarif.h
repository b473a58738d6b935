/* SARIF 2.1.0: a result for each comparison that keeps the gate from passing. */
#ifndef RENDER_EXPORT_SARIF_H
#define RENDER_EXPORT_SARIF_H

#include "render/export/exporter.h"

int serialize_sarif(struct arena *arena, const struct json *document, struct strbuf *out,
		    struct error *err);

#endif
