/* From the report document to what a person gets: templates, formats, charts. */
#pragma once

#include "cli/context.h"
#include "render/chart/chart.h"

struct rendering {
	const char *format;   /* "md", "html", "json" */
	const char *template; /* a built-in name ("report", "contract" ...), or a user's file */
	const char *output;   /* NULL: standard output */
	const char *const *charts; /* the names of those that the template shows; NULL: all */
	size_t limit; /* bytes of the text at most (render/markup/size_limit.h); 0: no limit */
	const char *url_base; /* where the charts will be found; NULL: beside the text. A text with
			       * a limit, which goes elsewhere than its file, has charts only with
			       * this */
};

/* Renders the document. With an output file the charts are written beside it (Markdown) or set
 * into the page (HTML). */
int output_render(struct cli *cli, struct json *document, const struct rendering *rendering,
		  struct error *err);

/* A built-in template's text rendered over `data`. */
int output_render_text(struct cli *cli, const char *template, const char *format,
		       const struct json *data, struct strbuf *out, struct error *err);

/* The built-in of a name in a language, "en", "zh" or NULL, which is English: "contract" in Chinese
 * is "contract-zh". Refused where there is none. */
int output_template_in(struct cli *cli, const char *template, const char *language,
		       const char **name, struct error *err);

/* The bytes of one chart of the document as svg, png or pdf, by the ending of the file's name. */
int output_draw_chart(struct cli *cli, const char *chart, const struct json *document, bool dark,
		      const char *output, struct strbuf *out, struct error *err);
/* The same into that file. */
int output_write_chart(struct cli *cli, const char *chart, const struct json *document, bool dark,
		       const char *output, struct error *err);
/* Whether a file of that name can be a picture: known before anything is loaded. */
int output_check_picture(const char *output, struct error *err);
