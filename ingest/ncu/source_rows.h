/*
 * Rows of the source page of Nsight Compute (ncu --page source --csv). A kernel is printed as
 *
 *   "Kernel Name","copy(float *)",                                       (--print-source sass)
 *   "Address","Source","Warp Stall Sampling (All Samples)","# Samples","Instructions Executed", ...
 *   "0x7f10","      LDG.E R2, [R4]","42","42","3632", ...
 *
 *   "File Path","/home/me/copy.cu"                                       (cuda,sass)
 *   "Function Name","copy"
 *   "Line No","Source","Address","Source","Warp Stall Sampling (All Samples)", ...
 *   "12","out[i] = in[i];","-","-","42", ...
 *   "","","0x7f10","      LDG.E R2, [R4]","42", ...
 *
 * A row of a line has the sums of its instructions. An instruction that was inlined is printed once
 * for each line that it comes from. ncu does not double quotes inside cells, so a row is split from
 * both of its ends: only the text of a line can have more separators than the header.
 */
#pragma once

#include "base/base.h"
#include "ingest/ncu/value.h"

enum { source_figure_limit = 64, source_column_limit = 512 };

/* Names of figures, shared by all tables of a file: those of source_rows.c first, then stalls. */
struct source_figures {
	const char *names[source_figure_limit];
	size_t count;
};

struct source_row {
	struct span line, address; /* empty: the row has none */
	struct span text;          /* of the line, or of the instruction */
	double executed;           /* NAN unknown, like the figures */
	double figures[source_figure_limit];
};

struct source_page {
	struct arena *arena;
	struct span rest;
	size_t number; /* of the current line, from 1 */
	char decimal;
	struct source_figures figures;
	struct span kernel, file; /* of the current table; empty if the page has none */
	bool new_table;           /* the current row is the first one of its table */
	/* Columns of the current table. */
	bool open, quoted;
	size_t column_count;
	size_t line_at, address_at, texts_at[2]; /* source_column_limit: there is none */
	size_t executed_at;
	unsigned char figure_of[source_column_limit]; /* source_figure_limit: it is none */
};

/* Whether the line is the header of such a table. */
bool ncu_source_is_header(struct span line);
/* Determines the decimal sign and begins at the first row. `locale` as in input_hints(). */
int ncu_source_open(struct source_page *page, struct arena *arena, struct span text,
		    const char *locale, struct error *err);
/* The next row of a line or an instruction: 1; 0 at the end; -1 and *err. */
int ncu_source_next(struct source_page *page, struct source_row *row, struct error *err);
