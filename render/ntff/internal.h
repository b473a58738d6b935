/* Pieces that the files of this room share. */
#pragma once

#include "render/markup/markup.h"
#include "render/ntff/ntff.h"
#include "render/terminal/lines.h"

/* A trace, and the terminal on which its sections are printed. */
struct ntff_page {
	const struct ntff_view *view;
	const struct ntff_summary *summary; /* the view's */
	struct arena *arena;                /* the summary's */
	const struct terminal *terminal;
	struct strbuf *out;
};

/* Adds the title of a section. */
void render_ntff_section(const struct ntff_page *page, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Adds "  label         text", wrapped; the text is a format. */
#define render_ntff_line(page, label, ...)                                                         \
	terminal_line((page)->terminal, (page)->out, (label),                                      \
		      arena_printf((page)->arena, __VA_ARGS__))
/* Adds a table, indented by two blanks. */
void render_ntff_table(const struct ntff_page *page, struct md_table *table);
const char *render_ntff_count(struct arena *arena, uint64_t number);
const char *render_ntff_bytes(struct arena *arena, uint64_t bytes);
const char *render_ntff_time(struct arena *arena, uint64_t ps);
/* "12.50 %"; NULL if the whole is unknown or zero. */
const char *render_ntff_share(struct arena *arena, uint64_t part, uint64_t all);
/* The name of a core or a queue from the file. It appears in many rows, so it is cut at a length
 * that real names do not reach. */
const char *render_ntff_name(struct arena *arena, const char *name);
/* A time in ps with full precision: in microseconds with 6 decimals, or in nanoseconds with 3. */
const char *render_ntff_exact(struct arena *arena, int64_t ps, int decimals);
/* The version without the parentheses of an unknown hash; NULL: unknown. */
const char *render_ntff_short_version(struct arena *arena, const struct ntff_version *version);
/* Two digits per byte, with `between` after every four bytes. */
const char *render_ntff_hex(struct arena *arena, const unsigned char *bytes, size_t len,
			    const char *between);
/* "static: data" */
const char *render_ntff_traffic_name(enum ntff_traffic_row row);
/* The opcode's name, "opcode 0x41" without one, "(outside the program)". */
const char *render_ntff_opcode_text(struct arena *arena, unsigned opcode);
/* Adds the irregularities of the trace, one sentence each. */
void render_ntff_add_warnings(const struct ntff_summary *summary, struct json *list);

/* Prints the sections about the file itself. */
void render_ntff_header(const struct ntff_page *page);
void render_ntff_cores(const struct ntff_page *page);
void render_ntff_queues(const struct ntff_page *page);
void render_ntff_segments(const struct ntff_page *page);
void render_ntff_memory(const struct ntff_page *page);
void render_ntff_unknown(const struct ntff_page *page);
