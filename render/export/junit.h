/* JUnit XML: a testcase a comparison. */
#ifndef RENDER_EXPORT_JUNIT_H
#define RENDER_EXPORT_JUNIT_H

#include "render/export/exporter.h"

int serialize_junit(struct arena *arena, const struct json *document, struct strbuf *out,
		    struct error *err);

#endif
