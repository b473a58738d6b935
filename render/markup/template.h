/*
 * Mustache templates over the report document: variables, sections, inverted
 * sections, comments, delimiters, partials, inheritance and dynamic names, as in the mustache
 * specification 1.4 (lambdas are absent: there is no code in a document).
 *
 * False are null, false, "", the empty array and what is missing; the number 0 is true, because
 * an unknown number is null and never 0. Numbers are written as in JSON, objects and arrays as JSON
 * in one line.
 *
 * Two additions to names: a leading dot looks in the current object only ({{.commit}} in a run
 * without commit is nothing, while {{commit}} would find the report's), and a number picks an
 * item of an array ({{#findings.0}} is true when there is a finding).
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"

/* How {{name}} is escaped; {{{name}}} and {{&name}} never are. */
enum template_escape { TEMPLATE_ESCAPE_NONE, TEMPLATE_ESCAPE_HTML, TEMPLATE_ESCAPE_MARKDOWN };

/* Text of a partial by name, or NULL (renders as nothing, as the specification says). */
typedef const char *template_partial(void *context, const char *name);

/* Adds the rendered text to `out`, nothing on failure. Errors name the template, line and tag.
 * `partial` may be NULL. Partials and blocks nest at most 100 deep. */
int template_render(const char *name, struct span text, const struct json *data,
		    enum template_escape escape, template_partial *partial, void *context,
		    struct strbuf *out, struct error *err);
