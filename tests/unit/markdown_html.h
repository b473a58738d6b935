/* Markdown as GitHub displays it, by cmark-gfm: what tests compare Markdown texts by. */
#pragma once

#include "render/markup/library_cmark.h"

/* Renders HTML with tables, strikethrough and autolinks, in safe mode: raw HTML and unsafe links
 * are dropped. */
static inline int markdown_html(struct span markdown, struct strbuf *out, struct error *err)
{
	static const char *const extensions[] = {"table", "strikethrough", "autolink"};
	if (lazy_cmark_open(err) < 0)
		return -1;
	cmark_gfm_core_extensions_ensure_registered();
	cmark_parser *parser = cmark_parser_new(CMARK_OPT_DEFAULT);
	for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
		cmark_parser_attach_syntax_extension(parser,
						     cmark_find_syntax_extension(extensions[i]));
	cmark_parser_feed(parser, markdown.ptr, markdown.len);
	cmark_node *document = cmark_parser_finish(parser);
	char *html = cmark_render_html(document, CMARK_OPT_DEFAULT,
				       cmark_parser_get_syntax_extensions(parser));
	strbuf_addstr(out, html);
	free(html);
	cmark_node_free(document);
	cmark_parser_free(parser);
	return 0;
}
