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
 * If no table has all columns, tables that have the keys and some of the others are joined: rows
 * with the same keys are one row, and the cells of a table that does not have it are empty.
 *
 * Never add the meaning of a column, but to suggest it in a message.
 */
#pragma once

#include "base/base.h"

enum { pasted_part_limit = 16 };

struct pasted_names {
	const char *const *items;
	size_t count;
	size_t keys; /* how many of the first ones distinguish rows */
};

struct pasted {
	/* Tab-separated text with the line numbers of the original: other lines are blank. An empty
	 * span if the text has no such table. */
	struct span table;
	size_t headers[pasted_part_limit]; /* lines of the tables that are in it */
	size_t count;
};

/* Finds the table whose header has all of these names, or the tables that have them together. -1
 * and *err if nothing says which one is meant, or which rows belong together. */
int pasted_table(struct arena *arena, struct span text, const struct pasted_names *names,
		 struct pasted *found, struct error *err);
/* Appends the tables of a text that have a column with a unit of time, each with the line of its
 * header, its columns and the options that read it; but not those that were found, NULL: none.
 * Returns how many there are; the first 4 are described. */
size_t pasted_offer(struct strbuf *out, struct span text, const struct pasted *found);
