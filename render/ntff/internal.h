/* Pieces that the files of this room share. */
#pragma once

#include "render/markup/markup.h"
#include "render/ntff/ntff.h"

void ntff_text_section(struct strbuf *out, const struct terminal *terminal, const char *title);
/* Indented by two blanks, cleaned. */
void ntff_text_table(struct strbuf *out, const struct terminal *terminal, struct md_table *table);
const char *ntff_text_count(struct arena *arena, uint64_t number);
const char *ntff_text_bytes(struct arena *arena, uint64_t bytes);
const char *ntff_text_time(struct arena *arena, uint64_t ps);
/* "12.50 %"; NULL of an unknown or empty whole. */
const char *ntff_text_share(struct arena *arena, uint64_t part, uint64_t all);
/* What the file calls a core or a queue, cut where no real name is as long: it is in many rows. */
const char *ntff_text_name(struct arena *arena, const char *name);
/* To the picosecond: in microseconds with 6 decimals, or in nanoseconds with 3. */
const char *ntff_text_exact(struct arena *arena, int64_t ps, int decimals);
/* The version without the parentheses of an unknown hash; NULL unknown. */
const char *ntff_short_version(struct arena *arena, const struct ntff_version *version);
/* Two digits a byte, with `between` after each four bytes. */
const char *ntff_hex(struct arena *arena, const unsigned char *bytes, size_t len,
		     const char *between);
/* "static: data" */
const char *ntff_traffic_row_name(enum ntff_traffic_row row);
/* The opcode's name, "opcode 0x41" without one, "(outside the program)". */
const char *ntff_opcode_text(struct arena *arena, unsigned opcode);
/* What is odd about the trace, one sentence each. */
void ntff_add_warnings(const struct ntff_summary *summary, struct json *list);

/* The sections about the file itself. */
void ntff_text_header(const struct ntff_view *view, const struct terminal *terminal,
		      struct strbuf *out);
void ntff_text_cores(const struct ntff_summary *summary, const struct terminal *terminal,
		     struct strbuf *out);
void ntff_text_queues(const struct ntff_summary *summary, const struct terminal *terminal,
		      struct strbuf *out);
void ntff_text_segments(const struct ntff_summary *summary, const struct terminal *terminal,
			struct strbuf *out);
void ntff_text_memory(const struct ntff_summary *summary, const struct terminal *terminal,
		      struct strbuf *out);
void ntff_text_unknown(const struct ntff_summary *summary, const struct terminal *terminal,
		       struct strbuf *out);
