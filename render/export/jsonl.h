/* JSON lines: one object a comparison, with schema, commit and time in each. */
#ifndef RENDER_EXPORT_JSONL_H
#define RENDER_EXPORT_JSONL_H

#include "render/export/exporter.h"

int serialize_jsonl(struct arena *arena, const struct json *document, struct strbuf *out,
		    struct error *err);

#endif
