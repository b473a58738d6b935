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
#include "render/markdown.h"

/* `block` is the rendered Performance block: heading paragraph, table, bottleneck paragraph,
 * ending in one newline. The newest entry is the one with the highest N, of equals the last.
 * Where it has a Performance block (a paragraph that starts with **Performance**), that is
 * replaced from this paragraph to the end of the table and of the **Bottleneck** paragraph that
 * follow; a line that starts with other bold text ends either. Else the block is put before the
 * entry's **Issues** or **Insights**, or at the end of the entry. A blank line is added on either
 * side where there is none. Line endings of the file (LF, CRLF or CR) are kept, and so is a
 * missing final newline. Filling twice gives the same bytes. `entry` receives the entry's heading
 * text, in the arena. ERR_FORMAT when the file has no development log or no entry, saying what is
 * expected, and when the block could not be found again where it was put. */
int devlog_fill(struct arena *arena, struct span file, struct span block, struct strbuf *out,
		const char **entry, struct error *err);

#endif
