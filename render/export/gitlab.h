/* GitLab's code-quality report: an issue for each comparison that keeps the gate from passing. */
#ifndef RENDER_EXPORT_GITLAB_H
#define RENDER_EXPORT_GITLAB_H

#include "render/export/exporter.h"

int serialize_gitlab(struct arena *arena, const struct json *document, struct strbuf *out,
		     struct error *err);

#endif
