/*
 * Mustache templates over the report document: variables, sections, inverted sections, comments,
 * delimiters, partials, inheritance and dynamic names, as in the mustache specification 1.4
 * (without lambdas, because a document contains no code).
 *
 * False values are null, false, "", the empty array and missing members. The number 0 is true: an
 * unknown number is null, never 0. Numbers are written as in JSON, objects and arrays as one line
 * of JSON.
 *
 * Two extensions of names: a leading dot searches the current object only ({{.commit}} in a run
 * without commit is empty, while {{commit}} would find the report's), and a number selects an item
 * of an array ({{#findings.0}} is true if there is a finding).
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"

/* How {{name}} is escaped; {{{name}}} and {{&name}} are never escaped. */
enum template_escape { TEMPLATE_ESCAPE_NONE, TEMPLATE_ESCAPE_HTML, TEMPLATE_ESCAPE_MARKDOWN };

/* The text of a partial by name. NULL renders as nothing, as specified. */
typedef const char *template_partial(void *context, const char *name);

/* Adds the rendered text to `out`; nothing on failure. Errors name the template, line and tag.
 * `partial` may be NULL. Partials and blocks nest at most 100 deep. */
struct template_call {
	const char *name;
	struct span text;
	const struct json *data;
	enum template_escape escape;
	template_partial *partial;
	void *context; /* of `partial` */
	/* Takes the text of long lists while it is made (json_set_items()), also if rendering fails
	 * later. May be NULL. */
	const struct strbuf_drain *drain;
};
int template_run(const struct template_call *call, struct strbuf *out, struct error *err);
int template_render(const char *name, struct span text, const struct json *data,
		    enum template_escape escape, template_partial *partial, void *context,
		    struct strbuf *out, struct error *err);
