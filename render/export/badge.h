/* The JSON of a shields.io endpoint badge: the gate in two words. */
#ifndef RENDER_EXPORT_BADGE_H
#define RENDER_EXPORT_BADGE_H

#include "render/export/exporter.h"

int serialize_badge(struct arena *arena, const struct json *document, struct strbuf *out,
		    struct error *err);

#endif
