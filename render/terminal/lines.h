/*
 * Pieces that the files of this room share.
 *
 * Never add JSON or the choice of what to show.
 */
#pragma once

#include "render/markup/markup.h"
#include "render/terminal/terminal.h"

enum { TERMINAL_LABEL_WIDTH = 14 };

enum terminal_style {
	TERMINAL_PLAIN,
	TERMINAL_BOLD,
	TERMINAL_DIM,
	TERMINAL_RED,  /* slower */
	TERMINAL_GREEN /* faster */
};
/* Switches the style of the following text; nothing without color. */
void terminal_style(const struct terminal *terminal, struct strbuf *out, enum terminal_style style);
/* Adds text in which everything shows, in ASCII where the terminal has no UTF-8. Returns its width
 * in columns. */
size_t terminal_clean(const struct terminal *terminal, struct strbuf *out, const char *text);

/* Adds a bar of at most `cells` cells, with a resolution of an eighth; nothing for NAN. Returns
 * its width in columns. */
size_t terminal_bar(const struct terminal *terminal, struct strbuf *out, double fraction,
		    size_t cells);

bool terminal_is_gpu(const struct json *run);
/* Adds the words of `text` from column `indent` on, wrapped at the right margin. `column` is the
 * current column. */
void terminal_wrapped(const struct terminal *terminal, struct strbuf *out, const char *text,
		      size_t column, size_t indent);
/* Adds "  label         text", wrapped. */
void terminal_line(const struct terminal *terminal, struct strbuf *out, const char *label,
		   const char *text);
/* Adds a label and one line per line of `items`; an item is never wrapped. */
void terminal_items(const struct terminal *terminal, struct strbuf *out, const char *label,
		    const char *items);

/* What is shown, and where. */
enum { TERMINAL_SHOWN = 96 };
struct terminal_page {
	struct arena *arena;
	const struct terminal *terminal;
	const struct json *json; /* the run, comparison or history of the report document */
	struct strbuf *out;
	const char *shown[TERMINAL_SHOWN]; /* keys of the metrics that a run's card shows so far */
	size_t shown_count;
};

/* Adds a paragraph from column `indent` on; continuation lines are indented by two more columns. */
void terminal_say(const struct terminal_page *page, size_t indent, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Adds "  label         text", wrapped. */
void terminal_entry(const struct terminal_page *page, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* An empty table for the page's width and characters. */
struct md_table terminal_page_table(const struct terminal_page *page);

/* Adds time, ratios, traffic, work and bottleneck, as far as known. */
void terminal_key_figures(struct terminal_page *card);
/* Adds the counters of a GPU run; nothing for other runs. */
void terminal_gpu_lines(struct terminal_page *card);
/* Adds all known metrics that no earlier line shows, so that a new metric appears automatically. */
void terminal_further_metrics(const struct terminal_page *card);
