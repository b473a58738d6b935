/* SARIF 2.1.0: a result for each comparison that keeps the gate from passing. */
#ifndef RENDER_SERIALIZE_SARIF_H
#define RENDER_SERIALIZE_SARIF_H

#include "render/serializer.h"

int serialize_sarif(struct arena *arena, const struct json *document, struct strbuf *out,
		    struct error *err);

#endif
