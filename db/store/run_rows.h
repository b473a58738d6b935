/* Rows that hang on runs: of many runs stretch by stretch, so that a table is entered once for each
 * stretch of runs that were stored one after the other. */
#ifndef DB_STORE_RUN_ROWS_H
#define DB_STORE_RUN_ROWS_H

#include "db/store/internal.h"

/* Runs by their row in the store. */
struct run_rows {
	struct run **runs;
	size_t count;
};
struct run_rows run_rows_of(struct arena *arena, const struct run_list *list);

/* Takes the columns after the first of a row of the run. */
typedef int run_rows_take(struct query *query, struct run *run, void *context, struct error *err);
/* The statement selects rows from :first to :last by the run that is their first column. */
int run_rows_read(struct store *store, const struct run_rows *rows, const char *statement,
		  run_rows_take *take, void *context, struct error *err);

#endif
