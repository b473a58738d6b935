/* JUnit XML: a testcase a comparison. */
#ifndef RENDER_SERIALIZE_JUNIT_H
#define RENDER_SERIALIZE_JUNIT_H

#include "render/serializer.h"

int serialize_junit(struct arena *arena, const struct json *document, struct strbuf *out,
		    struct error *err);

#endif
