/* Pieces that the files of the terminal's card share. */
#ifndef RENDER_TERMINAL_LINES_H
#define RENDER_TERMINAL_LINES_H

#include "render/terminal/terminal.h"

enum { TERMINAL_LABEL_WIDTH = 14 };

enum terminal_style { TERMINAL_PLAIN, TERMINAL_BOLD, TERMINAL_DIM };
/* From here on; nothing where there is no colour. */
void terminal_style(const struct terminal *terminal, struct strbuf *out, enum terminal_style style);
/* Without what a terminal would obey. */
void terminal_clean(const struct terminal *terminal, struct strbuf *out, const char *text);

bool terminal_is_gpu(const struct json *run);
/* Words of `text` from column `indent` on, broken before the right margin. `column` is where
 * the cursor stands. */
void terminal_wrapped(const struct terminal *terminal, struct strbuf *out, const char *text,
		      size_t column, size_t indent);
/* `text` from column `indent` on; its other lines stand two columns further right. */
void terminal_paragraph(const struct terminal *terminal, struct strbuf *out, const char *text,
			size_t indent);
/* "  label         text", wrapped. */
void terminal_line(const struct terminal *terminal, struct strbuf *out, const char *label,
		   const char *text);
/* Time, ratios, traffic, work and what limits the run: only what is known. */
void terminal_key_figures(struct arena *arena, const struct terminal *terminal,
			  const struct json *run, struct strbuf *out);
/* The counters of a GPU run; nothing for another. */
void terminal_gpu_lines(const struct terminal *terminal, const struct json *run,
			struct strbuf *out);

#endif
