/*
 * The door to cmark-gfm: Markdown (GitHub flavour) to HTML, and the lines of a document
 * with what stands on them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* Tables, strikethrough and autolinks; safe mode: raw HTML and unsafe links are dropped.
 * ERR_FORMAT beyond 16 MiB. */
int markdown_html(struct span markdown, struct strbuf *out, struct error *err);

enum markdown_kind {
	MARKDOWN_OTHER,     /* blank lines, rules, link definitions ... */
	MARKDOWN_PARAGRAPH, /* also inside lists and quotes */
	MARKDOWN_TABLE,     /* and, in some versions of cmark-gfm, the paragraph it grew out of */
	MARKDOWN_HEADING,   /* only outside lists and quotes */
	MARKDOWN_OPAQUE     /* code and raw HTML */
};

/* A line from text.ptr to text.ptr + text.len, followed by its line end of `end` bytes. */
struct markdown_line {
	struct span text;
	size_t end;
	enum markdown_kind kind;
	size_t leaf;         /* lines with the same leaf belong to one paragraph, table ... */
	bool top;            /* not inside a list or quote */
	int level;           /* of a heading, on its first line; else 0 */
	const char *heading; /* its plain text, on its first line; else NULL */
};

struct markdown_lines {
	struct markdown_line *items;
	size_t count;
};

/* Lines end in LF, CRLF or CR; texts are pieces of `markdown`, headings belong to the arena.
 * ERR_FORMAT beyond 16 MiB. */
int markdown_lines(struct arena *arena, struct span markdown, struct markdown_lines *lines,
		   struct error *err);
bool markdown_is_blank(const struct markdown_line *line);
