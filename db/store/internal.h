/* Shared by the sources of the store: the handle, scopes, dictionaries, and the lists of runs. */
#pragma once

#include "db/sqlite/sqlite.h"
#include "db/store/exchange.h"
#include "db/store/store.h"

/* The highest rowid of a run: `history` has 47 bits for it. */
static const int64_t RUN_LAST = ((int64_t)1 << 47) - 2;

/* The table `metric`: which rowid stands for which metric in this file. */
struct metric_keys {
	/* By rowid; METRIC_COUNT for keys that this program does not know, METRIC_COUNT + 1 for
	 * rowids without a key. */
	enum metric *metrics;
	size_t count;
};

/* A row of the table `series`. Several rows may have the same key: see db/schema/0001_store.sql.
 * Not a struct run, which would be large for thousands of series. */
struct series {
	int64_t row;
	const struct series *stored; /* as it is called in the file; NULL: it has no alias */
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
enum { CHECKED = 1 << 12 };

struct store_texts {
	const char **items;
	size_t count, capacity;
};

/* What the open transaction changed, for a publisher. Runs are those after `last_run`. */
struct store_changes {
	struct arena arena;
	int64_t last_run;
	struct store_texts commits, baselines; /* ids and names, some more than once */
	int64_t *edits;
	size_t edit_count, edit_capacity;
	bool published;
};

struct store {
	struct sql *sql;
	bool writes;
	bool damaged; /* opening it failed because of damage */
	bool local;   /* the file is on a local file system */
	bool held;    /* a reader's snapshot, until it is closed: nothing changes meanwhile */
	bool alone;   /* the open scope is a transaction of its own */
	int version;
	int64_t metrics[METRIC_COUNT]; /* rowid of each metric's key; 0: not looked up yet */
	struct arena keys_arena;
	size_t left_out;         /* runs that a migration set aside */
	int64_t time;            /* store_set_time(); 0: unknown */
	int64_t first_row;       /* of the runs that this handle stored; 0: none */
	int64_t ingest;          /* their number (db/schema/0006_seals.sql); 0: none */
	struct metric_keys keys; /* as they were last read */
	int64_t last_key;        /* highest rowid among them; 0: none were read */
	struct arena series_arena;
	struct series_list series;
	bool commits_fit;         /* see store_commits_check() */
	bool series_fit;          /* see store_series_check() */
	bool members_fit;         /* see store_members_check_all() */
	int64_t checked[CHECKED]; /* rowids of commits that have their runs; 0: empty slot */
	struct store_publisher publisher;
	struct store_changes changes;
	const struct revision_list *files;   /* of store_open_memory(); NULL: none */
	const struct renaming_list *aliases; /* NULL: none */
	bool shows_aliases;                  /* what is read has the names of `aliases` */
	uint64_t remembered[REMEMBERED];     /* pairs of series and metric that are known to be in
						series_metrics, see history_table.c; 0: empty slot */
};

/* Around a change that is applied completely or not at all: a savepoint in the open transaction, or
 * a transaction of its own. Scopes do not nest. store_scope_end() keeps the change and returns 0 if
 * `failed` is false; otherwise, and if keeping it fails, it reverts the change and returns -1. */
int store_scope_begin(struct store *store, struct error *err);
int store_scope_end(struct store *store, bool failed, struct error *err);

/* Notes for the publisher, if there is one: a transaction begins; it changed a commit, an edit, a
 * baseline; it is about to be kept; it was; it ends. */
int store_changes_begin(struct store *store, struct error *err);
void store_changes_commit(struct store *store, const char *oid);
void store_changes_edit(struct store *store, int64_t edit);
void store_changes_baseline(struct store *store, const char *name);
int store_changes_publish(struct store *store, struct error *err);
void store_changes_kept(struct store *store);
void store_changes_forget(struct store *store);

/* Sets *row to the rowid after the highest one of a table, which the statement finds; ERR_STORE if
 * that is `limit` or more. */
int store_next_row(struct store *store, const char *statement, int64_t limit, int64_t *row,
		   struct error *err);

/* Around statements that must see the same state of the store. */
int store_reading_begin(struct store *store, struct error *err);
void store_reading_end(struct store *store);

/* The bits of run.dirty (db/schema/0007_edits.sql). */
enum {
	RUN_DIRTY = 1,     /* the work tree had uncommitted changes */
	RUN_SET_ASIDE = 2, /* damaged */
	RUN_REMOVED = 4,
	RUN_STATES = 8
};

/* The seals of a run (db/schema/0006_seals.sql), in the order in which they are stored. */
enum seal_part { SEAL_ROW, SEAL_FACTS, SEAL_REST, SEAL_PARTS };
enum { SEALS_BYTES = 8 * SEAL_PARTS };
struct run_seals {
	struct seal parts[SEAL_PARTS]; /* of what was read or is to be written so far */
	unsigned char stored[SEALS_BYTES];
	unsigned char content[32]; /* run.content */
	bool set_aside, removed;
};
/* What begins each item in a seal. Never change or reuse a number. */
enum { SEAL_TAG_NUMBERS = 1, SEAL_TAG_VALUE = 2, SEAL_TAG_TIMELINES = 3, SEAL_TAG_LISTS = 16 };

/* Adds the lists of a run, as they will be written. */
void store_detail_seal(const struct run *run, struct run_seals *seals);
/* Ends the seal of the row. */
void store_seals_end_row(struct run_seals *seals, const char *series, const char *oid);
/* Reads the stored seals from the next column. */
void store_seals_read(struct query *query, struct run_seals *seals);
void store_seals_bytes(const struct run_seals *seals, unsigned char bytes[SEALS_BYTES]);
/* The part, from `first` to `last`, that differs from what is stored; SEAL_PARTS: none. */
enum seal_part store_seals_differ(const struct run_seals *seals, enum seal_part first,
				  enum seal_part last);
/* Sets ERR_STORE, "run ... at commit ...: its numbers changed ...", and returns -1. */
int store_seals_refuse(struct store *store, const char *id, const char *oid, enum seal_part part,
		       struct error *err);
const char *store_seals_part_name(enum seal_part part);
/* Sets *row to the lowest rowid of a run from *row on; NO_RUN: there are no more. */
static const int64_t NO_RUN = INT64_MAX;
int store_next_run(struct store *store, int64_t *row, struct error *err);

/* Who looks at all runs of a store, those that are set aside included, with all their lists. */
struct run_visitor {
	/* What is read is not compared with the seals. */
	int (*run)(void *context, const struct store_run *stored, const struct run_seals *seals,
		   struct error *err);
	/* A run that cannot be read because of damage, `why`. Other failures end the visit. */
	int (*unreadable)(void *context, int64_t row, const char *why, struct error *err);
	void *context;
};
/* Whether a failure to read says something about what was read. */
bool store_is_damage(struct store *store, const struct error *why);
/* Those whose rowid is `from` or higher. */
static const int64_t EVERY_RUN = INT64_MIN;
int store_runs_visit(struct store *store, int64_t from, const struct run_visitor *visitor,
		     struct error *err);
int store_run_set_aside(struct store *store, int64_t row, struct error *err);
/* Writes all columns of a commit. */
int store_revision_put(struct store *store, int64_t row, const struct revision *revision,
		       struct error *err);
/* What a run adds to the sum of its commit (db/schema/0006_seals.sql). */
uint64_t store_member(int64_t run, int64_t series, int64_t dirty);
/* Whether all commits, all series are as they were stored; whoever does not find one asks. */
int store_commits_check(struct store *store, struct error *err);
int store_series_check(struct store *store, struct error *err);
/* Whether a commit has the runs that were stored for it. */
int store_members_check(struct store *store, int64_t revision, const char *oid, struct error *err);
/* The same of all commits, or of those down to `last` in the order of store_runs(). */
int store_members_check_all(struct store *store, const struct revision *last, struct error *err);
/* The same of a commit and its first parents, up to `steps` of them. */
int store_members_check_path(struct store *store, const char *oid, int64_t steps,
			     struct error *err);
/* What the migration to schema 6 does after its statements. */
int store_seals_make(void *store, int from, struct error *err);

/* Seals the runs with these rowids as they are. A function of db/store/edits.c's visits. */
int store_seals_put_range(struct store *store, struct arena *scratch, const int64_t range[2],
			  struct error *err);
/* Whether a run is as it was stored, were its state `state`; false if it cannot be read even so. */
int store_run_fits(struct store *store, int64_t row, int64_t state, bool *fits, struct error *err);
/* Reads the numbers of the same runs only; leaves out those that changed after they were stored,
 * unless they are set aside. */
int store_runs_figures(struct store *store, struct arena *arena, const int64_t range[2],
		       struct store_run_list *runs, struct error *err);
/* Finds or adds the series of a run. */
int store_series_ensure(struct store *store, const struct run *run, int64_t *row,
			struct error *err);

/* Reads the runs with these rowids, those that are set aside included, with all their lists, and
 * their seals, by index in the list. What is read is not compared with the seals. */
int store_runs_range(struct store *store, struct arena *arena, const int64_t range[2],
		     struct store_run_list *runs, struct run_seals **seals, struct error *err);

/* Whether the runs with rowids between these two, those that are set aside excepted, are as they
 * were stored: their rows and facts. */
int store_runs_check(struct store *store, int64_t after, int64_t before, struct error *err);

/* When a run was ingested: Unix seconds, and run.ingest. */
struct ingested {
	int64_t time, ingest;
};
/* The number of the ingest: the same in every store that has the run (give.c). */
int store_ingest_number(struct store *store, const struct ingested *when, int64_t *number,
			struct error *err);

/* How a run of another store was taken. */
enum taken_how { TAKEN_NEW, TAKEN_KNOWN, TAKEN_EARLIER, TAKEN_RESTORED };
/* *revision is the rowid of its commit. */
int store_run_take(struct store *store, const struct exchanged_run *given, enum taken_how *how,
		   int64_t *revision, struct error *err);

/* --- the records of edits: edit_records.c --- */

/* A row of edited_run. */
struct edit_record {
	const char *id; /* the hash of its run */
	enum store_effect effect;
	int64_t series, new_series;
};
struct edit_record_list {
	struct edit_record *items;
	size_t count, capacity;
};
/* Writes the row of an edit; store_edit_add() gives it the next number first. */
int store_edit_put(struct store *store, const struct store_edit *edit, struct error *err);
int store_edit_add(struct store *store, struct store_edit *edit, struct error *err);
int store_edit_record(struct store *store, int64_t edit, const struct edit_record *record,
		      struct error *err);
/* The runs of an edit; edit->damage is set if one is damaged. */
int store_edit_records(struct store *store, struct arena *arena, struct store_edit *edit,
		       struct edit_record_list *list, struct error *err);
/* Changes runs as alterations say, without recording an edit. */
int store_alter(struct store *store, const struct store_alteration *runs, size_t count,
		struct error *err);
/* The row of the run with this id, 0 if there is none, and the bits of its run.dirty. */
int store_run_state(struct store *store, const char *id, int64_t *row, int *state,
		    struct error *err);

/* --- the check of a store: repair.c --- */

/* A row whose seal does not fit. */
struct changed {
	const char *name, *oid; /* the first two columns */
	struct sql_row row;
};
struct changed_list {
	struct changed *items;
	size_t count, capacity;
};
struct verifying {
	struct store *store;
	struct arena *arena;
	const struct store_repairer *repairer; /* NULL: only look */
	struct store_verification found;
	size_t capacity;
	bool derived;                /* something derived is damaged */
	struct changed_list numbers; /* by themselves: the seal of the run may fit */
};
/* Rows whose seal does not fit. */
int store_find_changed(struct verifying *v, const char *rows, struct changed_list *list,
		       struct error *err);
void store_verify_line(struct verifying *v, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* What is damaged beyond repair: a run leaves its edit, and an edit is made again from its runs,
 * also one whose row is gone. */
bool store_edit_restore_run(struct verifying *v, const struct changed *changed);
bool store_edit_restore(struct verifying *v, const struct changed *changed);
int store_edits_restore_lost(struct verifying *v, struct error *err);
/* Compares the tables that runs refer to, and what is derived; puts right what can be. */
int store_verify_tables(struct verifying *v, struct error *err);

/* Reads the rows that belong to many runs, one query per range of consecutive rowids: runs that
 * were stored one after the other cost one search of the table. */
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

/* Writes the lists of a run: engines, tallies and so on. */
int store_detail_write(struct store *store, const struct run *run, int64_t row, struct error *err);
/* Appends lists to the runs: the facts (run_query.facts), the rest, or both. */
enum detail_part { DETAIL_FACTS = 1, DETAIL_REST = 2, DETAIL_ALL = DETAIL_FACTS | DETAIL_REST };
int store_detail_read(struct store *store, struct arena *arena, enum detail_part part,
		      const struct run_rows *rows, struct error *err);

/* Reads the series with these rowids (in any order, repeated or not) unless they were read before.
 * Their texts live until the store is closed. A rowid without a series is ignored. */
int store_series_read(struct store *store, const int64_t *rows, size_t count, struct error *err);
/* A series that was read before; NULL otherwise. Valid until the next store_series_read(). */
const struct series *store_series_find(const struct store *store, int64_t row);
/* Sets the members of the run that identify the series. The texts are shared with the store; the
 * list of parameters is allocated in the arena. */
void store_series_identify(struct arena *arena, const struct series *series, struct run *run);

/* What identifies the series, by the names in the file. */
const struct run *store_series_stored(const struct store *store, struct arena *arena, int64_t row);

/* The metrics that runs of a series ever had, by the rowids of their keys. */
int store_series_metrics_read(struct store *store, int64_t series, struct strbuf *packed,
			      struct error *err);
size_t store_series_metrics_count(const struct strbuf *packed);
int64_t store_series_metrics_at(const struct strbuf *packed, size_t index);
/* Adds a key that is not among them. */
int store_series_metrics_add(struct store *store, int64_t series, int64_t key, struct error *err);
int store_series_has_metric(struct store *store, int64_t series, int64_t key, bool *found,
			    struct error *err);

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
/* Whether the rowid has a key, known to this program or not. */
bool store_metric_has_key(const struct metric_keys *keys, int64_t row);
/* -1 if no run ever had the metric. */
int64_t store_key_of_metric(const struct metric_keys *keys, enum metric metric);

/* Numbers of one run, by the rowids of their metrics; NAN for those that the run does not have. */
struct wanted_keys {
	const int64_t *keys;
	size_t count;
};
int store_numbers_read(struct store *store, int64_t run, const struct wanted_keys *wanted,
		       double *values, struct error *err);
/* One of them. */
int store_number_read(struct store *store, int64_t run, int64_t key, double *value,
		      struct error *err);

/* Sets the row of a name; the oid is '' for a name that was removed. */
int store_put_baseline(struct store *store, const struct baseline *baseline, struct error *err);
/* All rows, those of removed names included. */
int store_baselines_all(struct store *store, struct arena *arena, struct baseline_list *list,
			struct error *err);

/* Sets *row to the rowid of the commit; unchanged if it is not stored. */
int store_revision_row(struct store *store, const char *oid, int64_t *row, struct error *err);
/* Sets ERR_REVISION, "the store does not know the commit", and returns -1. ERR_STORE if a commit
 * was changed, which may be this one. */
int store_revision_unknown(struct store *store, const char *oid, struct error *err);
/* ERR_STORE if the commit that was found under the id has another one. */
int store_revision_expect(const struct store *store, const struct revision *found, const char *oid,
			  struct error *err);
/* Reads a commit id from the next column of the row; ERR_STORE if it is not valid. */
int store_object_id_read(struct query *query, struct arena *arena, const char **oid,
			 struct error *err);
/* Reads a time, not before `first`, from the next column of the row. Any that a commit or a clock
 * gave to an older program was stored: one after the year 9999 is read as its last second. */
int64_t store_time_read(struct query *query, int64_t first);
/* Reads a commit from the next ten columns of the row: rowid, oid, tree, patch_id, parent, parents,
 * position, time, subject, seal. */
int store_revision_read(const struct store *store, struct query *query, struct arena *arena,
			struct revision *revision, struct error *err);

/* --- packed_numbers.c: the known numbers of a run as one BLOB of the table `numbers`
 * (db/schema/0004_numbers.sql), 11 bytes per number, little-endian --- */

enum { PACKED_BYTES = 11, PACKED_KEYS = 1 << 16 };

struct packed_number {
	int64_t key;        /* rowid of the metric's key, below PACKED_KEYS */
	int64_t provenance; /* 0 to 255; enum provenance, if this program knows it */
	double number;      /* in the metric's unit */
};

void store_packed_write(unsigned char bytes[PACKED_BYTES], const struct packed_number *number);

/* The numbers of a run that were not read yet. */
struct packed {
	const unsigned char *bytes; /* valid until the query's next row */
	size_t len;                 /* a multiple of PACKED_BYTES */
};
/* Begins with the next three columns of the row: run, BLOB, seal. ERR_STORE if the length is
 * invalid. */
int store_packed_read(struct query *query, struct packed *packed, struct error *err);
/* Reads the next number; false at the end. */
bool store_packed_next(struct packed *packed, struct packed_number *number);
