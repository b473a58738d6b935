/* Reads the rows that belong to many runs, one query per range of consecutive rowids: runs that
 * were stored one after the other cost one search of the table. */
#pragma once

#include "db/store/internal.h"

struct run_row {
	struct run *run;
	struct run_seals *seals; /* receive what is read; NULL: not needed */
};
/* Runs sorted by their rowid in the store (run->row). A run may be listed more than once. */
struct run_rows {
	struct run_row *items;
	size_t count;
	enum seal_part part; /* to which what is read next belongs */
	int tag;             /* begins each of its rows */
};
/* `seals` by index in the list; NULL: none. */
struct run_rows store_run_rows_of(struct arena *arena, const struct run_list *list,
				  struct run_seals *seals);
/* The same runs for another kind of rows. */
struct run_rows store_run_rows_for(const struct run_rows *rows, enum seal_part part, int tag);

/* Reads the columns after the first, of a row that belongs to the run. */
typedef int run_rows_take(struct query *query, struct run *run, void *context, struct error *err);
/* Calls `take` for each row of the statement and each run that it belongs to. The statement has the
 * parameters :first and :last, rowids of runs; its first column is the rowid of the run, by which
 * its rows are sorted. */
int store_run_rows_read(struct store *store, const struct run_rows *rows, const char *statement,
			run_rows_take *take, void *context, struct error *err);
