/*
 * Pieces that the files of the terminal's card share.
 *
 * Never add JSON or the choice of what to show.
 */
#pragma once

#include "render/terminal/terminal.h"

enum { TERMINAL_LABEL_WIDTH = 14 };

enum terminal_style { TERMINAL_PLAIN, TERMINAL_BOLD, TERMINAL_DIM };
/* From here on; nothing where there is no colour. */
void terminal_style(const struct terminal *terminal, struct strbuf *out, enum terminal_style style);
/* Without what a terminal would obey. */
void terminal_clean(const struct terminal *terminal, struct strbuf *out, const char *text);

/* A bar of at most so many cells, to an eighth of one; nothing for NAN. The columns it takes. */
size_t terminal_bar(const struct terminal *terminal, struct strbuf *out, double fraction,
		    size_t cells);

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
/* The same of items, a line each in `items`: none is broken. */
void terminal_items(const struct terminal *terminal, struct strbuf *out, const char *label,
		    const char *items);

/* The card of one run while it is made: its lines note the metrics that they have. */
enum { TERMINAL_SHOWN = 96 };
struct terminal_card {
	struct arena *arena;
	const struct terminal *terminal;
	const struct json *run;
	struct strbuf *out;
	const char *shown[TERMINAL_SHOWN]; /* keys */
	size_t shown_count;
};

/* Time, ratios, traffic, work and what limits the run: only what is known. */
void terminal_key_figures(struct terminal_card *card);
/* The counters of a GPU run; nothing for another. */
void terminal_gpu_lines(struct terminal_card *card);
/* All known metrics that no line before has: a new one is here by itself. */
void terminal_further_metrics(const struct terminal_card *card);
