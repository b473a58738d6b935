/*
 * Texts with a size limit: a comment on a pull request, a job summary. Lists of `gate.shown` and
 * `gate.comparisons` are shortened in the document, least important first and from their ends,
 * until the rendered text fits. The document states how many rows each list lacks, so user
 * templates work as well.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"

/* GitHub's limits are in characters. Bytes are counted here: a text never has fewer bytes than
 * characters or UTF-16 units, so the limit holds for either unit. */
enum {
	SIZE_LIMIT_COMMENT = 65536,
	SIZE_LIMIT_SUMMARY = 1024 * 1024 - 2, /* two less than the limit of a job summary */
};

/* Adds the rendered document to `out`. Returns 0 or an error. */
typedef int size_limit_render(void *context, const struct json *document, struct strbuf *out,
			      struct error *err);

/* Adds the output of `render` for the document with as many rows as fit into `limit` bytes. A text
 * that is too long without any row is cut at a line end, with a note; a comment (<!-- ... -->) in
 * the last line stays. */
int size_limit_fit(struct arena *arena, struct json *document, size_t limit,
		   size_limit_render *render, void *context, struct strbuf *out, struct error *err);
