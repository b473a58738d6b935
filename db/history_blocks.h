/*
 * The blocks of the table `history` (db/schema/0003_history.sql): the runs that may serve as
 * history, small and side by side, so that reading all of them is reading a few MB in a row. They
 * follow the runs: whoever wrote runs catches up in the same transaction, and what a reader finds
 * missing it takes from the runs themselves.
 */
#ifndef DB_HISTORY_BLOCKS_H
#define DB_HISTORY_BLOCKS_H

#include "db/store_internal.h"

/* A run of a clean work tree whose result is not known to be wrong. */
struct history_entry {
	int64_t run;
	uint32_t series, revision;
	int64_t metric; /* the stored key of run_headline(); 0: none */
	double value;   /* of the headline; NAN: none */
};
struct history_entries {
	struct history_entry *items; /* in ingest order */
	size_t count;
	size_t capacity;
	bool caught_up; /* the blocks held all of them, so series_metric is whole, too */
};

/* All that the store has, inside the open transaction. */
int history_entries_read(struct store *store, struct arena *arena, struct history_entries *entries,
			 struct error *err);
/* False also when that cannot be told. */
bool history_is_caught_up(struct store *store);
/* Adds what is missing, inside the open transaction; little work when nothing is. */
int history_catch_up(struct store *store, struct error *err);

#endif
