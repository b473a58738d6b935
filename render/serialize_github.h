/* GitHub's workflow commands: the worst of what keeps the gate from passing, as annotations. */
#ifndef RENDER_SERIALIZE_GITHUB_H
#define RENDER_SERIALIZE_GITHUB_H

#include "render/serializer.h"

int serialize_github(struct arena *arena, const struct json *document, struct strbuf *out,
		     struct error *err);

#endif
