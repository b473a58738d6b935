/* Breaks text into lines. */
#include "base/text/fill.h"

#include "base/base.h"
#include "base/text/utf8.h"

void fill_words(struct strbuf *out, const char *text, size_t indent)
{
	static const size_t columns = 80;
	size_t column = indent;
	for (bool first = true;; first = false) {
		text += strspn(text, " \n");
		size_t len = strcspn(text, " \n");
		if (len == 0)
			break;
		size_t width = utf8_columns((struct span){text, len});
		if (!first && column + 1 + width > columns) {
			strbuf_addch(out, '\n');
			strbuf_repeat(out, " ", indent);
			column = indent;
		} else if (!first) {
			strbuf_addch(out, ' ');
			column++;
		}
		strbuf_add(out, text, len);
		column += width;
		text += len;
	}
	strbuf_addch(out, '\n');
}

static void fill_line(struct strbuf *out, const char *line)
{
	const char *label = strstr(line, ":  ");
	size_t indent = label ? (size_t)(label - line) + 1 : 0;
	indent += strspn(line + indent, " ");
	strbuf_add(out, line, indent);
	fill_words(out, line + indent, indent);
}

void fill_lines(struct strbuf *out, const char *text, size_t width)
{
	struct arena scratch = {0};
	struct span rest = span_of(text);
	while (rest.len) {
		struct span line = span_cut(&rest, '\n');
		if (width && utf8_columns(line) > width)
			fill_line(out, arena_strndup(&scratch, line.ptr, line.len));
		else
			strbuf_addf(out, "%.*s\n", (int)line.len, line.ptr);
	}
	arena_free(&scratch);
}
