/* Lines of pasted tables. */
#pragma once

#include "base/base.h"

enum { pasted_cell_limit = 64 };

struct pasted_cells {
	struct span items[pasted_cell_limit];
	size_t count;
};

/* Whether it is a rule between header and rows: "-----", "|---|--:|", "+---+". */
bool pasted_is_rule(struct span line);
/* False for a line with fewer than two cells, or too many. */
bool pasted_split(struct span line, struct pasted_cells *cells);
