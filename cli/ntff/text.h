/* Pieces that the files of the dump's text share. */
#ifndef CLI_NTFF_TEXT_H
#define CLI_NTFF_TEXT_H

#include "cli/ntff/dump.h"
#include "render/markup/table.h"
#include "render/terminal/terminal.h"

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

/* The sections about the file itself. */
void ntff_text_header(const struct ntff_dump *dump, const struct terminal *terminal,
		      struct strbuf *out);
void ntff_text_cores(const struct ntff_dump *dump, const struct terminal *terminal,
		     struct strbuf *out);
void ntff_text_queues(const struct ntff_dump *dump, const struct terminal *terminal,
		      struct strbuf *out);
void ntff_text_segments(const struct ntff_dump *dump, const struct terminal *terminal,
			struct strbuf *out);
void ntff_text_memory(const struct ntff_dump *dump, const struct terminal *terminal,
		      struct strbuf *out);
void ntff_text_unknown(const struct ntff_dump *dump, const struct terminal *terminal,
		       struct strbuf *out);

#endif
