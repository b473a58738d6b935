/*
 * The table `history` (db/schema/0005_by_commit.sql): one row per commit with the runs that may
 * serve as history, 20 bytes per run, so that a verdict reads the commits of its window and nothing
 * else.
 *
 * The table is derived from the runs. A transaction that adds runs also extends the table
 * (store_history_catch_up()). Where the table lacks runs, because it was emptied or a program ended
 * between a migration and catching up, a reader derives their entries from the runs
 * (history_source.missing).
 */
#pragma once

#include "db/store/internal.h"

/* A run of a clean work tree whose result is not known to be wrong. */
struct history_entry {
	int64_t run;               /* rowid */
	uint32_t series, revision; /* rowids */
	uint64_t member;           /* store_member(); not set in entries of the table */
	int64_t metric;            /* rowid of the key of run_headline(); 0: no headline */
	double value;              /* of the headline; NAN: no headline */
};
struct history_entries {
	struct history_entry *items;
	size_t count;
	size_t capacity;
};

/* How far the table covers the runs of the store, and the entries that it lacks. Valid inside the
 * open transaction. */
struct history_source {
	bool caught_up;                 /* covers all runs, so series_metric is complete, too */
	int64_t looked_at;              /* newest run that the table covers; 0: none */
	struct history_entries missing; /* of later runs, sorted by commit, then by run */
};
int store_history_source_read(struct store *store, struct arena *arena,
			      struct history_source *source, struct error *err);
/* Appends the entries of a commit in ingest order: those of the table, from the next three columns
 * of the row (the last ones of db/queries/history/chain.sql), then the missing ones. Entries from
 * the table have no `revision`. ERR_STORE if the row is damaged. */
int store_history_source_add(struct store *store, struct arena *arena,
			     const struct history_source *source, int64_t revision,
			     struct query *query, struct history_entries *entries,
			     struct error *err);
/* Whether the table covers all runs; false also if that cannot be read. */
bool store_history_is_caught_up(struct store *store);
/* The records of a commit, and the sum of its runs; 0 without a row. */
int store_history_row_read(struct store *store, struct arena *arena, int64_t revision,
			   uint64_t *sum, struct history_entries *entries, struct error *err);
/* Empties the table; store_history_catch_up() fills it again. */
int store_history_clear(struct store *store, struct error *err);
/* Rebuilds the rows of commits (rowids) from their runs, inside the open transaction. */
int store_history_renew(struct store *store, const int64_t *revisions, size_t count,
			struct error *err);
/* Adds the entries that the table lacks, inside the open transaction. Cheap if there are none. */
int store_history_catch_up(struct store *store, struct error *err);

/* Which runs the table covers. */
struct mark {
	int64_t looked_at; /* newest run that the table covers; 0: none; -1: the mark is damaged */
	int64_t newest;    /* newest run of the store */
};
int store_mark_read(struct store *store, struct mark *mark, struct error *err);
/* The mark is damaged, or the newest runs were deleted by hand: then their rowids will be reused,
 * and the table must be rebuilt. */
bool store_mark_is_invalid(const struct mark *mark);
