/*
 * The table `history` (db/schema/0005_by_commit.sql): of each commit the runs that may serve as
 * history, small and side by side, so that a verdict reads the commits of its window and nothing
 * else. They follow the runs: whoever wrote runs catches up in the same transaction, and what a
 * reader finds missing it takes from the runs themselves.
 */
#ifndef DB_STORE_HISTORY_BLOCKS_H
#define DB_STORE_HISTORY_BLOCKS_H

#include "db/store/internal.h"

/* A run of a clean work tree whose result is not known to be wrong. */
struct history_entry {
	int64_t run;
	uint32_t series, revision;
	int64_t metric; /* the stored key of run_headline(); 0: none */
	double value;   /* of the headline; NAN: none */
};
struct history_entries {
	struct history_entry *items;
	size_t count;
	size_t capacity;
};

/* What there is to read from, inside the open transaction. */
struct history_source {
	bool caught_up;                 /* the table holds all runs, so series_metric is whole */
	int64_t looked_at;              /* the newest run that the table knows; 0: none */
	struct history_entries missing; /* later ones, by commit */
};
int history_source_read(struct store *store, struct arena *arena, struct history_source *source,
			struct error *err);
/* Adds the runs of a commit in ingest order: from the next two columns of the row, as
 * db/queries/history/chain.sql has them, and what is missing there. Their `revision` is not set. */
int history_source_add(struct store *store, struct arena *arena,
		       const struct history_source *source, int64_t revision, struct query *query,
		       struct history_entries *entries, struct error *err);
/* Whether these are bytes of so many records, of series up to this number. */
bool history_row_is_whole(struct span row, int64_t series_limit);
/* False also when that cannot be told. */
bool history_is_caught_up(struct store *store);
/* Adds what is missing, inside the open transaction; little work when nothing is. */
int history_catch_up(struct store *store, struct error *err);

#endif
