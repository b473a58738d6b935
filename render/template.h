/*
 * Mustache templates over the report document: variables, sections, inverted
 * sections, comments, delimiters, partials and inheritance, as in the mustache
 * specification 1.4 (lambdas are absent: there is no code in a document).
 */
#ifndef RENDER_TEMPLATE_H
#define RENDER_TEMPLATE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"

/* How {{name}} is escaped; {{{name}}} and {{&name}} never are. */
enum template_escape { TEMPLATE_ESCAPE_NONE, TEMPLATE_ESCAPE_HTML, TEMPLATE_ESCAPE_MARKDOWN };

/* Text of a partial by name, or NULL (renders as nothing, as the specification says). */
typedef const char *template_partial(void *context, const char *name);

/* Errors name the template, line and tag. */
int template_render(const char *name, struct span text, const struct json *data,
		    enum template_escape escape, template_partial *partial, void *context,
		    struct strbuf *out, struct error *err);

#endif
