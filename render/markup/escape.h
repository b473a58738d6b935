/*
 * Escaping, named by destination. Every function adds `text` to `out` so that it is
 * shown as it is there and cannot become markup: control characters and what turns the direction
 * of text are dropped, line ends and tabs become blanks, bytes that are no UTF-8 become U+FFFD.
 */
#pragma once

#include "base/base.h"

/* Markdown text, also right inside a table row. What is special only at the start of a line (#, "-
 * ", "1. ", "---") is escaped where nothing stands on the line but the beginning of an item or a
 * quote. An underscore between letters or digits is no markup in GitHub's flavour and stays
 * readable. What a server would take for a person (@name), an issue (#12) or an address gets a
 * space without width, or a backslash. */
void md_text(struct strbuf *out, struct span text);
/* The same for a piece that never starts a line, such as the cell of a table. */
void md_cell(struct strbuf *out, struct span text);
/* HTML text and quoted attribute values. Keeps line ends and tabs. */
void html_text(struct strbuf *out, struct span text);
/* A terminal: only the common cleaning, so that no escape sequence gets through. */
void terminal_text(struct strbuf *out, struct span text);
/* One that shows ASCII only: as many question marks as the character has columns. */
void terminal_ascii(struct strbuf *out, struct span text);
/* The same two, which keep line ends. */
void terminal_text_lines(struct strbuf *out, struct span text);
void terminal_ascii_lines(struct strbuf *out, struct span text);
