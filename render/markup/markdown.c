/* A wrapper of cmark-gfm. Only line numbers of its source positions are used: its columns count
 * bytes after the replacement of invalid UTF-8. */
#include "render/markup/markdown.h"

#include "render/markup/library_cmark.h"

static const size_t size_limit = (size_t)16 << 20;

/* Cuts off the next line, with cmark's rules for line ends. */
static struct markdown_line cut_line(struct span *rest)
{
	struct markdown_line line = {.text = {rest->ptr, 0}};
	while (line.text.len < rest->len && rest->ptr[line.text.len] != '\n' &&
	       rest->ptr[line.text.len] != '\r')
		line.text.len++;
	size_t left = rest->len - line.text.len;
	const char *end = rest->ptr + line.text.len;
	if (left > 0)
		line.end = left > 1 && end[0] == '\r' && end[1] == '\n' ? 2 : 1;
	rest->ptr = end + line.end;
	rest->len = left - line.end;
	return line;
}

static enum markdown_kind kind_of(cmark_node *node, bool top)
{
	cmark_node_type type = cmark_node_get_type(node);
	if (type == CMARK_NODE_PARAGRAPH)
		return MARKDOWN_PARAGRAPH;
	if (strcmp(cmark_node_get_type_string(node), "table") == 0)
		return MARKDOWN_TABLE;
	if (type == CMARK_NODE_CODE_BLOCK || type == CMARK_NODE_HTML_BLOCK)
		return MARKDOWN_OPAQUE;
	return type == CMARK_NODE_HEADING && top ? MARKDOWN_HEADING : MARKDOWN_OTHER;
}

/* The text of a node and its descendants, without markup. */
static const char *plain_text(struct arena *arena, cmark_node *node)
{
	struct strbuf text = {NULL, 0, 0};
	cmark_iter *iter = cmark_iter_new(node);
	while (cmark_iter_next(iter) != CMARK_EVENT_DONE) {
		const char *literal = cmark_node_get_literal(cmark_iter_get_node(iter));
		if (cmark_iter_get_event_type(iter) == CMARK_EVENT_ENTER && literal)
			strbuf_addstr(&text, literal);
	}
	cmark_iter_free(iter);
	return strbuf_into(&text, arena);
}

/* Assigns a leaf block to its lines. */
static void paint(struct arena *arena, struct markdown_lines *lines, cmark_node *node, size_t leaf)
{
	cmark_node *parent = cmark_node_parent(node);
	bool top = parent && cmark_node_get_type(parent) == CMARK_NODE_DOCUMENT;
	enum markdown_kind kind = kind_of(node, top);
	int start = cmark_node_get_start_line(node), end = cmark_node_get_end_line(node);
	if (kind == MARKDOWN_OTHER || start < 1 || (size_t)start > lines->count)
		return;
	for (size_t i = (size_t)start - 1; i < lines->count && (int)i < end; i++) {
		lines->items[i].kind = kind;
		lines->items[i].leaf = leaf;
		lines->items[i].top = top;
	}
	if (kind == MARKDOWN_HEADING) {
		lines->items[start - 1].level = cmark_node_get_heading_level(node);
		lines->items[start - 1].heading = plain_text(arena, node);
	}
}

int markdown_lines(struct arena *arena, struct span markdown, struct markdown_lines *lines,
		   struct error *err)
{
	if (markdown.len > size_limit)
		return error_set(err, ERR_FORMAT, "a Markdown text of more than 16 MiB");
	if (lazy_cmark_open(err) < 0)
		return -1;
	cmark_gfm_core_extensions_ensure_registered();
	cmark_parser *parser = cmark_parser_new(CMARK_OPT_DEFAULT);
	cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension("table"));
	cmark_parser_feed(parser, markdown.ptr, markdown.len);
	cmark_node *document = cmark_parser_finish(parser);
	cmark_iter *iter = cmark_iter_new(document);
	*lines = (struct markdown_lines){.count = 0};
	for (struct span rest = markdown; rest.len;)
		*arena_add(arena, lines) = cut_line(&rest);
	size_t leaf = 0;
	while (cmark_iter_next(iter) != CMARK_EVENT_DONE)
		if (cmark_iter_get_event_type(iter) == CMARK_EVENT_ENTER)
			paint(arena, lines, cmark_iter_get_node(iter), ++leaf);
	cmark_iter_free(iter);
	cmark_node_free(document);
	cmark_parser_free(parser);
	return 0;
}

bool markdown_is_blank(const struct markdown_line *line)
{
	for (size_t i = 0; i < line->text.len; i++)
		if (!ascii_is_blank(line->text.ptr[i]))
			return false;
	return true;
}
