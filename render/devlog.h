/*
 * Devlog entries in a Markdown file: finds the Performance block of the newest
 * `### V<N>: ...` entry below `## Development log` by cmark-gfm's source positions and
 * replaces only it; every other byte stays.
 */
#ifndef RENDER_DEVLOG_H
#define RENDER_DEVLOG_H

#include "base/arena.h"
#include "base/error.h"
#include "base/span.h"
#include "base/strbuf.h"

/* `block` is the rendered Performance block: heading paragraph, table, bottleneck paragraph,
 * ending in one newline. Where the newest entry has a Performance block (a paragraph that
 * starts with **Performance**), it is replaced from that paragraph to the end of the table and of the
 * **Bottleneck** paragraph that follow; else the block is put at the end of the entry. Line
 * endings of the file (LF or CRLF) are kept. Idempotent. `entry` receives the entry's heading text.
 * ERR_FORMAT when the file has no development log or no entry, saying what is expected. */
int devlog_fill(struct arena *arena, struct span file, struct span block, struct strbuf *out,
		const char **entry, struct error *err);

/* Markdown (GitHub flavour, tables) to HTML, safe mode: raw HTML is dropped. */
int markdown_html(struct span markdown, struct strbuf *out, struct error *err);

#endif
