/* What the sources of the store share: the handle, and one run's lists as table rows. */
#ifndef DB_STORE_INTERNAL_H
#define DB_STORE_INTERNAL_H

#include "db/sqlite/sqlite.h"
#include "db/store/store.h"

/* The numbers that stand for metrics in this file. */
struct metric_keys {
	enum metric *metrics; /* by row; METRIC_COUNT for keys that this program does not know */
	size_t count;
};

/* A series of the store. Several may have one key: see db/schema/0001_store.sql. Of thousands a
 * whole run each would be much. */
struct series {
	int64_t row;
	const char *key, *kernel, *variant, *dtype, *device, *instance_type, *tool;
	int cores;
	const struct run_param *params; /* sorted by name */
	size_t param_count;
};
/* Those that were read, by row. */
struct series_list {
	struct series *items;
	size_t count;
	size_t capacity;
};
enum { REMEMBERED = 1 << 14 };

struct store {
	struct sql *sql;
	bool writes;
	bool local; /* the file is not on a network */
	bool alone; /* the open scope is a transaction of its own */
	int version;
	int64_t metrics[METRIC_COUNT]; /* row of each metric's key; 0 while it is not known */
	struct arena keys_arena;
	struct metric_keys keys; /* as they were read last */
	int64_t last_key;        /* the newest of them; 0: none were read */
	struct arena series_arena;
	struct series_list series;
	uint64_t remembered[REMEMBERED]; /* metrics of series that are in series_metric (as far as
					    there is room), see history_blocks.c */
};

/* A change that happens as a whole or not at all, inside the open transaction or in one of its
 * own. scope_end() keeps it when `failed` is false and returns -1 otherwise. */
int scope_begin(struct store *store, struct error *err);
int scope_end(struct store *store, bool failed, struct error *err);

/* Around statements between which no writer may come. */
int reading_begin(struct store *store, struct error *err);
void reading_end(struct store *store);

/* Around a reading that visits most of the file. */
void map_file(struct store *store, bool whole);

struct run_rows; /* db/store/run_rows.h */

/* The lists of a run: engines, tallies and so on. */
int detail_write(struct store *store, const struct run *run, int64_t row, struct error *err);
/* Reads lists of the runs: those that are facts (run_query.facts), the others, or both. */
enum detail_part { DETAIL_FACTS = 1, DETAIL_REST = 2, DETAIL_ALL = DETAIL_FACTS | DETAIL_REST };
int detail_read(struct store *store, struct arena *arena, enum detail_part part,
		const struct run_rows *rows, struct error *err);

/* Those of a run's engines, which were written or read before. */
int timelines_write(struct store *store, const struct run *run, int64_t row, struct error *err);
/* Nothing is given where a part is no fraction. */
void timeline_give(struct run_engine *engine, const float timeline[TIMELINE_BINS]);
int timelines_read(struct store *store, const struct run_rows *rows, struct error *err);

/* Makes series known. Their texts live as long as the store is open. */
int series_read(struct store *store, const int64_t *rows, size_t count, struct error *err);
/* NULL when it is not known. */
const struct series *series_find(const struct store *store, int64_t row);
/* Gives the run what makes the series; texts are shared, the list of parameters is the run's own.
 */
void series_identify(struct arena *arena, const struct series *series, struct run *run);

/* How many series there are, and the highest numbers that series and commits have. */
struct series_extent {
	int64_t series, last_series, last_revision;
};
int series_extent_read(struct store *store, struct series_extent *extent, struct error *err);

/* They belong to the store, until they are read again. */
int metric_keys_read(struct store *store, struct metric_keys *keys, struct error *err);
void metric_keys_forget(struct store *store);
enum metric metric_of_key(const struct metric_keys *keys, int64_t row);
/* -1 when no run ever had the metric. */
int64_t key_of_metric(const struct metric_keys *keys, enum metric metric);

/* One number of one run by its stored key; NAN when the run has none. */
int number_read(struct store *store, int64_t run, int64_t key, double *value, struct error *err);

/* ERR_REVISION: the store does not know the commit. */
int revision_unknown(struct store *store, const char *oid, struct error *err);
/* A commit id from the next column of the row; ERR_STORE when it is none. */
int oid_read(struct query *query, struct arena *arena, const char **oid, struct error *err);
/* The eight texts and numbers of a commit, from the next columns of the row. */
int revision_read(struct query *query, struct arena *arena, struct revision *revision,
		  struct error *err);

#endif
