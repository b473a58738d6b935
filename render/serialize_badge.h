/* The JSON of a shields.io endpoint badge: the gate in two words. */
#ifndef RENDER_SERIALIZE_BADGE_H
#define RENDER_SERIALIZE_BADGE_H

#include "render/serializer.h"

int serialize_badge(struct arena *arena, const struct json *document, struct strbuf *out,
		    struct error *err);

#endif
