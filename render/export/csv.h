/* CSV (RFC 4180): a line a comparison, the names of the columns first. */
#ifndef RENDER_EXPORT_CSV_H
#define RENDER_EXPORT_CSV_H

#include "render/export/exporter.h"

int serialize_csv(struct arena *arena, const struct json *document, struct strbuf *out,
		  struct error *err);

#endif
