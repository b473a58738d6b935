/*
 * Tables in the middle of a text, as people paste them into notes: cells apart by two blanks or
 * more, or a Markdown table.
 *
 *   Kernel    Config                    Torch Time (ms)
 *   ---------------------------------------------------
 *   nkilib    b=1, s=128, h=1024        4039.86
 *
 * The table is found by the names of its columns. Its rows follow the header until a line that is
 * blank; rules of dashes are skipped. A line that is not a row stays, as a row of one cell, so that
 * the reader of the table reports it.
 *
 * Never add the meaning of a column, but to suggest it in a message.
 */
#pragma once

#include "base/base.h"

/* The table whose header has all of these names, as tab-separated text with the line numbers of the
 * original: lines outside it are blank. An empty span if the text has no such table. *at is the
 * line of its header, 0 without one. -1 and *err if two tables have them, because nothing says
 * which one is meant. */
int pasted_table(struct arena *arena, struct span text, const char *const *names, size_t count,
		 struct span *table, size_t *at, struct error *err);
/* Appends the tables of a text that have a column with a unit of time, each with the line of its
 * header, its columns and the options that read it; but not that at line `except`. Returns how many
 * there are; the first 4 are described. */
size_t pasted_offer(struct strbuf *out, struct span text, size_t except);
