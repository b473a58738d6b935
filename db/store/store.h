/*
 * The store: all runs with their commits and series, in one SQLite file.
 *
 *   - A run is immutable. Its name is the hash of its content and identity.
 *   - A store is one file. While it is open for writing, SQLite keeps a log next to it; the last
 *     connection to close removes the log.
 *   - After a failed call, a full disk or a killed program, the store is as it was before the
 *     transaction.
 *   - Metrics and kinds of tallies that this program does not know are ignored when reading.
 *   - Commits have parents and a first-parent position, so that looking for the nearest ancestor
 *     with runs never opens git.
 *   - A store may be damaged, therefore commits are checked when they are read: ids, including
 *     those of parents, have 40 or 64 lower-case hex digits (they fit in char[65]), and a commit is
 *     not its own parent. Otherwise the call fails with ERR_STORE.
 *
 * Results are allocated in the arena that is passed to the call; texts that describe a series
 * belong to the store and live until store_close(). Functions that can fail return 0 or -1 and
 * leave their results unchanged on failure.
 *
 * Never add verdicts or derived metrics.
 */
#pragma once

#include "base/base.h"
#include "model/verdict/series_history.h"
#include "model/commits/commits.h"
#include "model/renaming/renaming.h"
#include "model/run/run.h"

struct store;

/* Series are called otherwise from now on: in what a reader reads, and where a writer adds runs;
 * the rows of series stay as they are. The list must outlive the store. */
int store_use_aliases(struct store *store, const struct renaming_list *aliases, struct error *err);
/* For a writer, which calls series as they are stored: what it reads until this is called again is
 * called as a reader calls it. It must not add runs meanwhile. */
int store_show_aliases(struct store *store, bool shown, struct error *err);

enum store_mode {
	STORE_READ,  /* must exist; never changed: an older schema version is an error */
	STORE_WRITE, /* must exist; migrated to the newest schema version */
	STORE_CREATE /* like STORE_WRITE, but created if absent */
};

/* A function that is called once when waiting for another process that writes to the store has
 * taken two seconds; for the whole process. */
void store_announce_waits(void (*function)(void *context, const char *path), void *context);
/* The caller ends *store with store_close(). */
int store_open(const char *path, enum store_mode mode, struct store **store, struct error *err);
/* The same, for a file that can be made again. *damaged: it failed because the file is damaged, or
 * is not a store. */
int store_open_copied(const char *path, enum store_mode mode, struct store **store, bool *damaged,
		      struct error *err);
/* Whether the latest failure was damage of the file that SQLite noticed. */
bool store_is_damaged(const struct store *store);
/* A new store without a file, open for writing. Commits whose ids are in the list are those of
 * files (revision.file); the list may grow, and must outlive the store. */
int store_open_memory(const struct revision_list *files, struct store **store, struct error *err);
/* The same with all that a store has, which stays as it is. ERR_STORE if it is larger than a
 * gibibyte. */
int store_open_copy(struct store *original, const struct revision_list *files, struct store **store,
		    struct error *err);
/* Rolls back an open transaction. NULL is allowed. Frees the texts of series in earlier results. */
void store_close(struct store *store);
/* From its next query on, a reader sees the same state of the store until it is closed, even if
 * others write meanwhile. Their log grows until then. Does nothing on a network file system:
 * without a log, writers would have to wait for the reader. */
int store_hold(struct store *store, struct error *err);
/* Announces that an open reader visits each page about once from now on: reduces its page cache. */
void store_read_once(struct store *store);
/* The schema version of the open store. */
int store_version(const struct store *store);
/* That of stores which this program makes. */
int store_newest_version(void);
/* The number of unreadable runs that were set aside when the store was opened, which migrated it.
 */
size_t store_left_out(const struct store *store);
/* Whether changes go to a write-ahead log, and not past a rollback journal. */
bool store_has_log(struct store *store);

/* Who knows commits, to restore a damaged one; `commit` may be NULL. */
struct store_repairer {
	int (*commit)(void *context, struct arena *arena, const char *oid,
		      struct revision *revision, struct error *err);
	void *context;
};
struct store_verification {
	size_t runs;
	size_t same_content;  /* whose SHA-256 of the content, computed again, is the stored one */
	size_t damaged;       /* newly found; with a repairer they are set aside now */
	size_t set_aside;     /* earlier */
	size_t restored;      /* commits, from git */
	size_t mended;        /* rows and runs that are again as they were stored */
	size_t out_of_bounds; /* intact runs with a number outside its range */
	const char **lines;   /* one per damaged row, and one per run that is set aside */
	size_t line_count;
};
/* Reads everything and compares it with its checksums. Without a repairer nothing changes. With one
 * (the store is open for writing) the indexes and all that is derived are rebuilt, and damaged runs
 * are set aside: they stay in the file, but only this function reads them, until the same run is
 * added again. */
int store_verify(struct store *store, struct arena *arena, const struct store_repairer *repairer,
		 struct store_verification *found, struct error *err);

/* One transaction; store_begin() waits for other writers: a minute while they change nothing, ten
 * minutes while they do. An ingest writes everything between begin and commit. store_close()
 * without a commit rolls back; so does a commit that fails. Outside of it, every call that writes
 * is a transaction of its own. */
int store_begin(struct store *store, struct error *err);
int store_commit(struct store *store, struct error *err);
void store_rollback(struct store *store);

/* The time in microseconds since 1970, by which ingests are numbered: two machines then hardly give
 * the same number. Without it, the seconds of run.ingested_at are. */
void store_set_time(struct store *store, int64_t microseconds);

/* Adds or completes a commit. A later call may fill a text that was empty and may raise the
 * position (after a shallow clone was deepened); it never clears a text. */
int store_add_revision(struct store *store, const struct revision *revision, struct error *err);
/* True also if the store cannot be read, or a commit in it was changed, which may be this one: then
 * store_revision() says so. */
bool store_has_revision(struct store *store, const char *oid);
enum store_added {
	STORE_KNOWN, /* the run was already stored; a removed one that was set aside is again, and
			stays removed */
	STORE_NEW,
	STORE_RESTORED, /* it was set aside as damaged, and takes its place again */
};
/* Adds a run whose commit is in the store (ERR_STORE otherwise). `id` receives the run's hash.
 * After a failure nothing of this run remains in the transaction, which stays usable unless the
 * disk is full. */
int store_add_run(struct store *store, const struct run *run, char id[65], enum store_added *added,
		  struct error *err);

/* Whether the store has the run with this id, removed or not; one that is set aside counts as
 * missing. */
int store_has_run(struct store *store, const char *id, bool *has, struct error *err);
/* Whether a run of the series, run_series_key(), was ever stored. */
int store_has_series(struct store *store, const char *key, bool *has, struct error *err);

struct store_run {
	struct run *run;
	const char *id;     /* hash */
	const char *series; /* run_series_key() */
	struct revision revision;
};
struct store_run_list {
	struct store_run *items;
	size_t count;
	size_t capacity;
};

struct run_query {
	/* Patterns with * and ? (brackets are literal), case-sensitive. An unknown text counts as
	 * "". NULL: any. */
	const char *kernel, *variant, *dtype, *device;
	const char *commit;  /* full oid; NULL: any */
	const char *series;  /* exact; NULL: any */
	const char *id;      /* prefix of the hash; NULL: any */
	const char *content; /* content hash (run_hash without identity); NULL: any */
	/* Whether runs of a series are wanted, asked once for each series; NULL: all are. */
	bool (*wants)(const void *context, const struct run *identity);
	const void *context;
	bool clean_only; /* skip runs of a dirty work tree */
	bool details;    /* also read engines, tallies, throttles, cores, tensors, attributes,
			    notes and spreads */
	bool facts;      /* also read throttles, attributes, notes and spreads: the short lists,
			    which verdicts need for thousands of runs */
	size_t limit;    /* only the newest; 0: no limit */
};
/* The runs that match, newest first: by the commit's first-parent position, then by its time, then
 * by when they were ingested. */
int store_runs(struct store *store, struct arena *arena, const struct run_query *query,
	       struct store_run_list *runs, struct error *err);

/* The same a batch at a time, so that a million runs need the memory of one batch. The cursor and
 * what it needs live in the arena of the start. Until store_runs_end(), no other call reads runs.
 */
struct store_cursor;
int store_runs_start(struct store *store, struct arena *arena, const struct run_query *query,
		     struct store_cursor **cursor, struct error *err);
/* At most `most` further runs, in the given arena; none at the end. After a failure, only
 * store_runs_end() may follow. */
int store_runs_next(struct store_cursor *cursor, struct arena *arena, size_t most,
		    struct store_run_list *runs, struct error *err);
void store_runs_end(struct store_cursor *cursor);

/* Completes runs that were read with `facts` but without `details`. To be called once per run: a
 * second call would add the lists again. */
int store_details(struct store *store, struct arena *arena, const struct run_list *runs,
		  struct error *err);

/* The commit other than `not_oid` that most recently received a run with this content (run_hash
 * without identity). *oid is NULL if there is none. */
int store_twin(struct store *store, struct arena *arena, const char *content, const char *not_oid,
	       const char **oid, struct error *err);

/* The commit with this full id; ERR_REVISION if it is not in the store. */
int store_revision(struct store *store, struct arena *arena, const char *oid,
		   struct revision *revision, struct error *err);
/* All commits, by id, and whether each has runs of a clean work tree. */
struct store_commit_entry {
	struct revision revision;
	bool measured; /* intact ones */
	bool emptied;  /* removed ones only */
};
struct store_commit_list {
	struct store_commit_entry *items;
	size_t count, capacity;
};
int store_commits(struct store *store, struct arena *arena, struct store_commit_list *commits,
		  struct error *err);
/* The nearest first-parent ancestor of `oid`, other than itself, that has clean runs of the series.
 *   - *age is the number of first-parent steps to it.
 *   - *found is false if there is none; then *revision and *age are unchanged.
 *   - *truncated is true if there is none and the stored chain ends at a commit whose parent is not
 *     stored (shallow history).
 * ERR_REVISION if `oid` is not in the store. */
int store_ancestor_with_series(struct store *store, struct arena *arena, const char *oid,
			       const char *series, struct revision *revision, int64_t *age,
			       bool *found, bool *truncated, struct error *err);

/* The histories of all series along the whole first-parent chain that starts at `oid`, with the
 * values of the given metrics. They contain the runs of clean work trees whose result is not known
 * to be wrong. Values are those that the reader stored: a derived metric (metric_is_derived()) is
 * NAN unless it is the run's headline. ERR_REVISION if `oid` is not in the store. */
int store_histories(struct store *store, struct arena *arena, const char *oid,
		    const enum metric *metrics, size_t metric_count, struct history_set *set,
		    struct error *err);

/*
 * How far store_window() walks down the chain. The walk ends with the chain, or at the first commit
 * at which all of these hold:
 *   - each of `series` has `commits` commits whose headline is its `judged` metric, or has no older
 *     runs;
 *   - `data_commits` commits have runs, of any series;
 *   - every series of the store was met, or all commits since the time `since` were visited;
 *   - one of `pins` was visited, or the walk is at or below the position `pin_floor`.
 * Commits at chain indices below `newest` do not count.
 */
struct history_window {
	const enum metric *metrics; /* whose values are loaded */
	size_t metric_count;
	uint32_t newest;                     /* chain index */
	size_t commits;                      /* 0: no limits, the walk covers the whole chain */
	const char *const *series;           /* keys, each once */
	const enum metric *judged;           /* of each series; METRIC_COUNT: load all its runs */
	const struct run *const *identities; /* runs that identify the histories of `series`; NULL:
						made from the store */
	size_t series_count;
	size_t data_commits;
	int64_t since; /* Unix seconds; commit times need not be in the order of the chain */
	const char *const *pins; /* full ids */
	size_t pin_count;        /* 0: no pins to visit */
	int64_t pin_floor;       /* first-parent position; -1: not known for every pin */
};
/* Like store_histories(), but only as far as the window requires. A chain that was cut off by the
 * window is not `truncated`. */
int store_window(struct store *store, struct arena *arena, const char *oid,
		 const struct history_window *window, struct history_set *set, struct error *err);

/* Whether a run may have the metric; true also if the store cannot be read. */
bool store_has_metric(struct store *store, enum metric metric);

/* Reads another metric for the runs of a history from index `first` on: values[0] belongs to
 * runs[first]; NAN is unknown, or out of bounds. With few runs and many metrics this is far cheaper
 * than store_histories(). */
int store_history_values(struct store *store, const struct history *history, enum metric metric,
			 size_t first, double *values, struct error *err);

/* Reads several metrics of one run (run->row) with one look-up; values[] in the order of the list,
 * NAN as above. */
struct metric_list {
	const enum metric *items; /* each once */
	size_t count;
};
int store_run_values(struct store *store, int64_t row, const struct metric_list *metrics,
		     double *values, struct error *err);

/* A file of rooflog in the tree of a commit, as committed. A place is { full id of the commit, path
 * }. */
struct store_tree_file {
	bool known;        /* false: not stored, ask git; the other members mean nothing then */
	bool found;        /* the tree has the file, and it is not empty */
	struct span bytes; /* the file, if found */
};
enum { STORE_TREE_FILE_LIMIT = 1 << 20 }; /* bytes; larger files are not known */
int store_tree_file(struct store *store, struct arena *arena, const char *const place[2],
		    struct store_tree_file *file, struct error *err);
/* `bytes` is NULL or empty if the tree has no such file. */
int store_add_tree_file(struct store *store, const char *const place[2], const struct span *bytes,
			struct error *err);

struct baseline {
	const char *name;
	const char *oid;
	int64_t set_at; /* Unix seconds */
	bool pinned;    /* a release: later commits are compared with it, too */
};
struct baseline_list {
	struct baseline *items;
	size_t count;
	size_t capacity;
};
/* Names a commit, or moves the name to it. The commit need not be in the store. The row gets a time
 * after that of the one it replaces. */
int store_set_baseline(struct store *store, const char *name, const char *oid, int64_t set_at,
		       bool pinned, struct error *err);
/* *removed is false if the name did not exist. That it was removed is kept: it stays removed when
 * stores are merged, unless it was set later. */
int store_remove_baseline(struct store *store, const char *name, int64_t now, bool *removed,
			  struct error *err);
/* Sorted by name. */
int store_baselines(struct store *store, struct arena *arena, struct baseline_list *list,
		    struct error *err);

/*
 * --- Edits of what is stored: runs removed, brought back, and given to other series ---
 *
 *   - Nothing is deleted: a removed run stays in the file and is read by nothing but these
 * functions and store_verify(), so every edit can be undone.
 *   - An edit is a row with its time and reason, and a row for each of its runs.
 *   - Edits are undone in reverse order: the last one of the given kinds that is in force.
 *   - What is derived from the runs follows in the same transaction.
 */
enum store_edit_kind {
	STORE_EDIT_RM,      /* runs were removed */
	STORE_EDIT_MV,      /* runs were given to other series */
	STORE_EDIT_REPLACE, /* an ingest removed older runs in favour of its own */
	STORE_EDIT_AGAIN,   /* an ingest brought removed runs back */
	STORE_EDIT_KINDS
};
enum store_effect { STORE_EFFECT_REMOVED = 1, STORE_EFFECT_ADDED, STORE_EFFECT_RENAMED };

struct store_edited_run {
	struct store_run stored; /* with its numbers, in the series that it has now */
	enum store_effect effect;
	const struct run *was, *is; /* renamed: what identifies its series before and after; else
				       NULL */
	bool removed;               /* it is removed now */
};
/* When a damaged edit was made, its reason and whether it is in force are not known. */
enum { STORE_TIME_UNKNOWN = -1 };
struct store_edit {
	int64_t id;
	enum store_edit_kind kind; /* STORE_EDIT_KINDS: not known */
	int64_t time;              /* Unix seconds, or STORE_TIME_UNKNOWN */
	int64_t undone_at;         /* Unix seconds; 0: in force */
	const char *reason;        /* NULL: none was given */
	const char *damage;        /* what of it is damaged; NULL: nothing that was read */
	struct store_edited_run *runs;
	size_t count, capacity;
};
struct store_edit_list {
	struct store_edit *items;
	size_t count, capacity;
};

/* "rm", "mv", "replace" or "again". */
const char *store_edit_word(enum store_edit_kind kind);

/* What happens to a run of the store. */
struct store_alteration {
	int64_t row; /* run.row */
	enum store_effect effect;
	const struct run *name; /* renamed: what identifies its new series */
};
/* Alters the runs, each of which is listed once, and records why: `what` gives kind, time and
 * reason, and gets an id. A transaction of its own, unless one is open. A damaged run is refused.
 */
int store_apply_edit(struct store *store, struct store_edit *what,
		     const struct store_alteration *runs, size_t count, struct error *err);
/* A series of the store. */
struct store_series {
	int64_t row;
	const struct run *identity; /* what identifies its runs */
	const struct run *stored;   /* the same by the names in the file, if it has an alias */
	bool used;                  /* it has runs that are neither removed nor set aside */
};
struct store_series_list {
	struct store_series *items;
	size_t count, capacity;
};
int store_series_all(struct store *store, struct arena *arena, struct store_series_list *list,
		     struct error *err);
/* Gives all runs of some series, removed ones included, to the series that names[] identify, as
 * store_apply_edit() does. */
int store_rename(struct store *store, struct store_edit *what, const struct store_series *series,
		 const struct run *const *names, size_t count, struct error *err);
/* Adds the runs to the edit that store_rename() would give to other series; changes nothing. */
int store_foresee_rename(struct store *store, struct arena *arena, struct store_edit *edit,
			 const struct store_series *series, const struct run *const *names,
			 size_t count, struct error *err);
/* Undoes the last edit in force whose kind is in `kinds`, a set of bits 1 << kind. *found is
 * false if there is none; otherwise *undone is the edit without its runs. */
int store_undo(struct store *store, struct arena *arena, unsigned kinds, int64_t now,
	       struct store_edit *undone, bool *found, struct error *err);

/* The last edit in force whose kind is in `kinds`; refused if it is damaged, or if a damaged one of
 * a kind that is not known follows. */
int store_last_edit(struct store *store, struct arena *arena, unsigned kinds,
		    struct store_edit *edit, bool *found, struct error *err);
/* Sets ERR_STORE, what of the edit is damaged, and returns -1. */
int store_edit_refuse(struct store *store, const struct store_edit *edit, struct error *err);

/* The edits whose kind is in `kinds`, newest first, without their runs; damaged ones, too. */
int store_edits(struct store *store, struct arena *arena, unsigned kinds,
		struct store_edit_list *list, struct error *err);
/* Reads the runs of an edit, without those that are set aside, and without damaged ones: then
 * edit->damage is set. */
int store_edit_runs(struct store *store, struct arena *arena, struct store_edit *edit,
		    struct error *err);
/* The row of the run with this id (64 digits), 0 if it is not stored, and whether it is removed. */
int store_find_run(struct store *store, const char *id, int64_t *row, bool *removed,
		   struct error *err);
/* Why the run with this id is removed; *known is false if that is damaged. */
int store_removal(struct store *store, struct arena *arena, const char *id, struct store_edit *edit,
		  bool *known, struct error *err);

/* Deletes runs (run.row) for good; edits go on naming them. A transaction of its own, unless one is
 * open. */
int store_prune(struct store *store, const int64_t *rows, size_t count, struct error *err);
/* Whether the run has repeats one by one, and not only their distribution. */
int store_has_repeats(struct store *store, int64_t row, bool *has, struct error *err);
/* Drops the repeats of runs for good; count, minimum, median, mean, maximum and deviation stay.
 * ERR_STORE for a damaged run. A transaction of its own, unless one is open. */
int store_thin(struct store *store, const int64_t *rows, size_t count, struct error *err);
/* Shrinks the file by the room of deleted rows. Must not be called in a transaction. */
int store_shrink(struct store *store, struct error *err);
/* The bytes of the store's file, all of which are in use after store_shrink(). */
int store_bytes(struct store *store, int64_t *bytes, struct error *err);

struct store_counts {
	int64_t runs, series, values;
	int64_t commits; /* with runs */
	int64_t removed; /* runs; not among `runs` */
	int64_t latest;  /* when the latest run was ingested, Unix seconds; 0: there is none */
};
int store_counts(struct store *store, struct store_counts *counts, struct error *err);
/* PRAGMA integrity_check and foreign_key_check. *report is "ok" or one line per fault. */
int store_check(struct store *store, struct arena *arena, const char **report, struct error *err);
