/* GitHub's workflow commands: the worst of what keeps the gate from passing, as annotations. */
#ifndef RENDER_EXPORT_GITHUB_H
#define RENDER_EXPORT_GITHUB_H

#include "render/export/exporter.h"

int serialize_github(struct arena *arena, const struct json *document, struct strbuf *out,
		     struct error *err);

#endif
