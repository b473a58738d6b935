/* Lines of pasted tables, and tables that are joined. */
#pragma once

#include "ingest/table/pasted/pasted.h"

enum { pasted_cell_limit = 64 };

struct pasted_cells {
	struct span items[pasted_cell_limit];
	size_t count;
};

/* Whether it is a rule between header and rows: "-----", "|---|--:|", "+---+". */
bool pasted_is_rule(struct span line);
/* False for a line with fewer than two cells, or too many. */
bool pasted_split(struct span line, struct pasted_cells *cells);
/* Appends a cell, in quotes if a reader would take its quotes or tabs for those of the table. */
void pasted_add_cell(struct strbuf *out, struct span cell);
/* Like pasted_table() for columns that several tables have together. */
int pasted_join(struct arena *arena, struct span text, const struct pasted_names *names,
		struct pasted *found, struct error *err);
