/* From the report document to what a person gets: templates, formats, charts. */
#ifndef CLI_RENDER_H
#define CLI_RENDER_H

#include "cli/context.h"
#include "render/chart.h"

/* "md", "html", "json", and "text" where `text` is true; else an error. */
int cli_check_format(const char *format, bool text, struct error *err);

/* Renders the document to `output` (NULL: standard output). `template` is a built-in name
 * ("report", "contract") or the path of a user's file; NULL: "report". With an output file
 * the charts are written beside it (Markdown) or set into the page (HTML). */
int cli_render(struct cli *cli, struct json *document, const char *format, const char *template,
	       const char *output, struct error *err);

/* A built-in template's text rendered over `data`. */
int cli_render_text(struct cli *cli, const char *template, const char *format,
		    const struct json *data, struct strbuf *out, struct error *err);

/* Draws one chart of the document as svg, png or pdf (by the file name's ending). */
int cli_write_chart(struct cli *cli, const char *chart, const struct json *document, bool dark,
		    const char *output, struct error *err);

/* The same with a chart that is no row of the table, from its own document. */
int cli_draw_chart(struct cli *cli, const struct chart *chart, const struct json *document,
		   bool dark, const char *output, struct error *err);

#endif
