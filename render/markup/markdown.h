/* The interface to cmark-gfm: the lines of a Markdown document with their block types. */
#pragma once

#include "base/base.h"

enum markdown_kind {
	MARKDOWN_OTHER,     /* blank lines, rules, link definitions ... */
	MARKDOWN_PARAGRAPH, /* includes those in lists and quotes */
	MARKDOWN_TABLE,     /* some versions of cmark-gfm include the paragraph before it */
	MARKDOWN_HEADING,   /* top level only, not in lists and quotes */
	MARKDOWN_OPAQUE     /* code and raw HTML */
};

/* A line: its text, followed by a line end of `end` bytes. */
struct markdown_line {
	struct span text;
	size_t end;
	enum markdown_kind kind;
	size_t leaf;         /* lines with equal leaf belong to one paragraph, table ... */
	bool top;            /* not inside a list or quote */
	int level;           /* of a heading, on its first line; otherwise 0 */
	const char *heading; /* plain text, on the first line of a heading; otherwise NULL */
};

struct markdown_lines {
	struct markdown_line *items;
	size_t count, capacity;
};

/* Splits into lines at LF, CRLF or CR. Texts are slices of `markdown`; headings belong to the
 * arena. Returns ERR_FORMAT above 16 MiB. */
int markdown_lines(struct arena *arena, struct span markdown, struct markdown_lines *lines,
		   struct error *err);
bool markdown_is_blank(const struct markdown_line *line);
