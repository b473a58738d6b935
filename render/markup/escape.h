/*
 * Escaping, named by destination. Every function adds `text` to `out` so that it is displayed
 * literally and cannot become markup: what does not show is written as <U+200B>
 * (base/text/shown.h), line ends and tabs become blanks, invalid UTF-8 becomes U+FFFD.
 */
#pragma once

#include "base/base.h"
#include "render/markup/autolink.h"

/* Markdown text, also inside a table row. Characters that are special at the start of a line (#,
 * "- ", "1. ", "---") are escaped where only the start of a list item or quote precedes. An
 * underscore between letters or digits is literal in GitHub's flavor and stays readable. Nothing
 * becomes a link: neither addresses nor what autolink.h lists. */
void md_text(struct strbuf *out, struct span text);
/* As md_text(), but `ids` may become links. */
void md_text_about(struct strbuf *out, struct span text, const struct md_ids *ids);
/* As md_text(), for text that never starts a line, such as the cell of a table. */
void md_cell(struct strbuf *out, struct span text);
/* HTML text and quoted attribute values. Keeps line ends and tabs. */
void html_text(struct strbuf *out, struct span text);
/* Terminal text: cleaned only, so that no escape sequence remains. */
void terminal_text(struct strbuf *out, struct span text);
/* As terminal_text(), for a terminal without UTF-8: a non-ASCII character becomes one question
 * mark per column. */
void terminal_ascii(struct strbuf *out, struct span text);
/* The same two, but line ends stay. */
void terminal_text_lines(struct strbuf *out, struct span text);
void terminal_ascii_lines(struct strbuf *out, struct span text);
