/* Shared by the sources of the store: the handle, scopes, dictionaries, and the lists of runs. */
#pragma once

#include "db/sqlite/sqlite.h"
#include "db/store/store.h"

/* Bounds of what a column can hold: positions fit in 40 bits, times end with the year 9999. */
static const int64_t LAST_POSITION = (int64_t)1 << 40, LAST_SECOND = 253402300799;

/* The table `metric`: which rowid stands for which metric in this file. */
struct metric_keys {
	enum metric *metrics; /* by rowid; METRIC_COUNT for keys that this program does not know */
	size_t count;
};

/* A row of the table `series`. Several rows may have the same key: see db/schema/0001_store.sql.
 * Not a struct run, which would be large for thousands of series. */
struct series {
	int64_t row;
	const char *key, *kernel, *variant, *dtype, *device, *instance_type, *tool;
	int cores;
	const struct run_param *params; /* sorted by name */
	size_t param_count;
};
/* The series that were read so far, sorted by row. */
struct series_list {
	struct series *items;
	size_t count;
	size_t capacity;
};
/* Slots of a direct-mapped cache (128 KiB), for about a thousand series with ten metrics. A power
 * of two: the upper bits of a 64-bit hash select the slot. */
enum { REMEMBERED_BITS = 14, REMEMBERED = 1 << REMEMBERED_BITS };

struct store {
	struct sql *sql;
	bool writes;
	bool local; /* the file is on a local file system */
	bool alone; /* the open scope is a transaction of its own */
	int version;
	int64_t metrics[METRIC_COUNT]; /* rowid of each metric's key; 0: not looked up yet */
	struct arena keys_arena;
	struct metric_keys keys; /* as they were last read */
	int64_t last_key;        /* highest rowid among them; 0: none were read */
	struct arena series_arena;
	struct series_list series;
	uint64_t remembered[REMEMBERED]; /* pairs of series and metric that are known to be in
					    series_metric, see history_table.c; 0: empty slot */
};

/* Around a change that is applied completely or not at all: a savepoint in the open transaction, or
 * a transaction of its own. Scopes do not nest. store_scope_end() keeps the change and returns 0 if
 * `failed` is false; otherwise, and if keeping it fails, it reverts the change and returns -1. */
int store_scope_begin(struct store *store, struct error *err);
int store_scope_end(struct store *store, bool failed, struct error *err);

/* Around statements that must see the same state of the store. */
int store_reading_begin(struct store *store, struct error *err);
void store_reading_end(struct store *store);

/* Maps the whole file (around a query that visits most of it) or only its beginning. */
void store_map_file(struct store *store, bool whole);

struct run_rows; /* db/store/run_rows.h */

/* Writes the lists of a run: engines, tallies and so on. */
int store_detail_write(struct store *store, const struct run *run, int64_t row, struct error *err);
/* Appends lists to the runs: the facts (run_query.facts), the rest, or both. */
enum detail_part { DETAIL_FACTS = 1, DETAIL_REST = 2, DETAIL_ALL = DETAIL_FACTS | DETAIL_REST };
int store_detail_read(struct store *store, struct arena *arena, enum detail_part part,
		      const struct run_rows *rows, struct error *err);

/* The timelines of a run's engines. The engines are written or read first. */
int store_timelines_write(struct store *store, const struct run *run, int64_t row,
			  struct error *err);
/* Sets the engine's timeline; does nothing unless every bin is a fraction from 0 to 1. */
void store_timeline_set(struct run_engine *engine, const float timeline[TIMELINE_BINS]);
int store_timelines_read(struct store *store, const struct run_rows *rows, struct error *err);

/* Reads the series with these rowids (in any order, repeated or not) unless they were read before.
 * Their texts live until the store is closed. A rowid without a series is ignored. */
int store_series_read(struct store *store, const int64_t *rows, size_t count, struct error *err);
/* A series that was read before; NULL otherwise. Valid until the next store_series_read(). */
const struct series *store_series_find(const struct store *store, int64_t row);
/* Sets the members of the run that identify the series. The texts are shared with the store; the
 * list of parameters is allocated in the arena. */
void store_series_identify(struct arena *arena, const struct series *series, struct run *run);

/* The number of series, and the highest rowids of series and commits; 0: none. */
struct series_extent {
	int64_t series, last_series, last_revision;
};
int store_series_extent_read(struct store *store, struct series_extent *extent, struct error *err);

/* The result belongs to the store and is valid until the next call of these two functions. */
int store_metric_keys_read(struct store *store, struct metric_keys *keys, struct error *err);
void store_metric_keys_forget(struct store *store);
/* METRIC_COUNT for a rowid that is not known. */
enum metric store_metric_of_key(const struct metric_keys *keys, int64_t row);
/* -1 if no run ever had the metric. */
int64_t store_key_of_metric(const struct metric_keys *keys, enum metric metric);

/* One number of one run, by the rowid of its metric; NAN if the run does not have it. */
int store_number_read(struct store *store, int64_t run, int64_t key, double *value,
		      struct error *err);

/* Sets ERR_REVISION, "the store does not know the commit", and returns -1. */
int store_revision_unknown(struct store *store, const char *oid, struct error *err);
/* Reads a commit id from the next column of the row; ERR_STORE if it is not valid. */
int store_object_id_read(struct query *query, struct arena *arena, const char **oid,
			 struct error *err);
/* Reads a commit from the next eight columns of the row: oid, tree, patch_id, parent, parents,
 * position, time, subject. */
int store_revision_read(struct query *query, struct arena *arena, struct revision *revision,
			struct error *err);
