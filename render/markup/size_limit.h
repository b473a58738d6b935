/*
 * Texts that must not grow beyond a size: a comment on a pull request, a job's
 * summary. What shrinks are the lists of `gate.shown` and `gate.comparisons` in
 * the document, the least important first and from their ends, until what is rendered fits;
 * how many each lacks stands beside it. So a template of the user's own fits as well.
 */
#pragma once

#include <stddef.h>

#include "base/base.h"
#include "base/json/json.h"

/* What GitHub takes, in its unit: characters. Bytes are counted here, of which no text has fewer
 * than characters or UTF-16 units, so that nobody has to know which of them a server counts. */
enum {
	BUDGET_COMMENT = 65536,
	BUDGET_SUMMARY = 1024 * 1024 - 2, /* two below what a job's summary may have */
};

/* Adds the document's text to `out`. */
typedef int budget_render(void *context, const struct json *document, struct strbuf *out,
			  struct error *err);

/* Adds to `out` what `render` makes of the document with as many rows as fit into `limit` bytes.
 * What is too long without any row is cut at the end of a line, which is said; a comment (<!-- ...
 * -->) in the last line stays. */
int size_limit_fit(struct arena *arena, struct json *document, size_t limit, budget_render *render,
		   void *context, struct strbuf *out, struct error *err);
