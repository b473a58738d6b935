/*
 * The store: every run, immutable and named by the hash of its content and
 * identity, under its commit and series. One interface; SQLite behind it.
 *
 * A store is one file; while it is open for writing a log lies beside it, and the last
 * connection takes the log away. A failed call, a full disk and a killed program leave the
 * state before the transaction. A metric or tally kind that this program does not know is
 * passed over on reading.
 *
 * Commits are read with care, because a store may be damaged: ids, of parents too, are 40 or 64
 * lower-case hex digits and fit a char[65], and no commit is its own parent (ERR_STORE otherwise).
 *
 * All results live in the arena that the call is given. Commits carry parents and
 * first-parent position, so "nearest ancestor with data" never opens git.
 */
#ifndef DB_STORE_STORE_H
#define DB_STORE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/span.h"
#include "model/verdict/series_history.h"
#include "model/commits/revision.h"
#include "model/run/run.h"

struct store;

enum store_mode {
	STORE_READ,  /* must exist; nothing is written: an old store is refused, not migrated */
	STORE_WRITE, /* must exist; migrated */
	STORE_CREATE /* made when absent */
};

int store_open(const char *path, enum store_mode mode, struct store **store, struct error *err);
/* Texts of what was read of it may go with it. */
void store_close(struct store *store);
/* A reader sees the store as it is at its next question until it is closed, whoever writes
 * meanwhile: their log grows until then. Not over a network, where there is no log, and writers
 * would have to wait for it. */
int store_hold(struct store *store, struct error *err);
/* What is asked of an open reader from now on looks at each page about once: few are kept. */
void store_read_once(struct store *store);
/* The schema version of the open store. */
int store_version(const struct store *store);

/* Makes anew what is derived from the runs for verdicts where it is damaged. */
int store_mend(struct store *store, bool *mended, struct error *err);

/* One transaction (BEGIN IMMEDIATE; waits 10 s for other writers). Everything written by one ingest
 * is between begin and commit; store_close() without commit, and a commit that fails, roll back.
 * Outside of it every call that writes is a transaction of its own. */
int store_begin(struct store *store, struct error *err);
int store_commit(struct store *store, struct error *err);
void store_rollback(struct store *store);

/* Adds or completes a commit: a later call may fill a text that was empty and raise the position
 * (a shallow history that became deeper); nothing is ever emptied. */
int store_add_revision(struct store *store, const struct revision *revision, struct error *err);
bool store_has_revision(struct store *store, const char *oid);
/* Adds a run whose commit was added before (ERR_STORE otherwise); *added is false when it is there
 * already. `id` gets the run's hash. A run that fails leaves nothing of itself in the transaction,
 * which stays usable unless the disk is full. */
int store_add_run(struct store *store, const struct run *run, char id[65], bool *added,
		  struct error *err);

struct stored_run {
	struct run *run;
	const char *id;     /* hash */
	const char *series; /* run_series_key() */
	struct revision revision;
};
struct stored_run_list {
	struct stored_run *items;
	size_t count;
	size_t capacity;
};

struct run_query {
	/* Glob patterns (*, ?; a bracket is a bracket); case counts; an unknown text is ""; NULL:
	 * any. */
	const char *kernel, *variant, *dtype, *device;
	const char *commit;  /* full oid; NULL: any */
	const char *series;  /* exact; NULL: any */
	const char *id;      /* prefix of the hash; NULL: any */
	const char *content; /* content hash (run_hash without identity); NULL: any */
	bool clean_only;     /* leave out runs of a dirty work tree */
	bool details;        /* also engines, tallies, throttles, cores, tensors, attributes, notes,
				spreads */
	bool facts;          /* of these throttles, attributes, notes and spreads: what verdicts
				need of thousands of runs */
	size_t limit;        /* 0: no limit */
};
/* Newest first: by first-parent position and time of the commit, then by ingest order. */
int store_runs(struct store *store, struct arena *arena, const struct run_query *query,
	       struct stored_run_list *runs, struct error *err);

/* Gives runs that were read with facts alone the rest of their details: once, a second call adds
 * them again. */
int store_details(struct store *store, struct arena *arena, const struct run_list *runs,
		  struct error *err);

/* The commit, other than `not_oid`, under which a run of this content (run_hash without identity)
 * was stored last; *oid is NULL when there is none. */
int store_twin(struct store *store, struct arena *arena, const char *content, const char *not_oid,
	       const char **oid, struct error *err);

/* *revision of a full oid; -1 with ERR_REVISION when the store does not know it. */
int store_revision(struct store *store, struct arena *arena, const char *oid,
		   struct revision *revision, struct error *err);
/* The newest first-parent ancestor of `oid` (not itself) that has clean runs of the series;
 * *found is false when there is none, and then *revision and *age are untouched. ERR_REVISION when
 * the store does not know `oid`. *age is the number of first-parent steps. `truncated` is
 * set when the stored chain ends at a commit whose parent is not stored (shallow history). */
int store_ancestor_with_series(struct store *store, struct arena *arena, const char *oid,
			       const char *series, struct revision *revision, int64_t *age,
			       bool *found, bool *truncated, struct error *err);

/* Every series with runs on the first-parent chain that starts at `oid`, with the values of some
 * metrics: runs of clean work trees whose result is not known to be wrong. The chain is whole; runs
 * of other commits do not appear. Values are as given: a metric that metric_is_derived() is unknown
 * here, but for runs whose headline it is. ERR_REVISION when the store does not know `oid`. */
int store_histories(struct store *store, struct arena *arena, const char *oid,
		    const enum metric *metrics, size_t metric_count, struct history_set *set,
		    struct error *err);

/* The same, but no further down the chain than a verdict looks; a chain that goes on is not
 * `truncated`. All that is said must have been met, or the chain ends. */
struct history_window {
	const enum metric *metrics;
	size_t metric_count;
	uint32_t newest;           /* places above do not count */
	size_t commits;            /* of each of these series so many that are known by what is
				    * judged, or all there are; 0: the whole chain */
	const char *const *series; /* keys, each once */
	const enum metric *judged; /* of each of them; METRIC_COUNT: all that there are */
	const struct run *const *identities; /* runs that name these histories; NULL: none */
	size_t series_count;
	size_t data_commits;     /* so many with runs of any series */
	int64_t since;           /* every series of the store, or all commits since this time,
				    which do not lie in its order */
	const char *const *pins; /* one of these commits, or all above this position */
	size_t pin_count;
	int64_t pin_floor; /* -1: that of some pin is not known */
};
int store_window(struct store *store, struct arena *arena, const char *oid,
		 const struct history_window *window, struct history_set *set, struct error *err);

/* Whether any run may have the metric. */
bool store_has_metric(struct store *store, enum metric metric);

/* Another metric of a history, of its runs from place `first` on: values[0] is that of
 * runs[first]. For few runs of many metrics this is far cheaper than asking store_histories(). */
int store_history_values(struct store *store, const struct history *history, enum metric metric,
			 size_t first, double *values, struct error *err);

/* What the tree of a commit puts up with, as committed. */
struct store_accepted {
	bool known; /* what follows is when it is */
	bool found; /* the tree has a file of acceptances that is not empty */
	struct span bytes;
};
int store_accepted(struct store *store, struct arena *arena, const char *oid,
		   struct store_accepted *accepted, struct error *err);
/* NULL bytes: the tree has no such file. */
int store_add_accepted(struct store *store, const char *oid, const struct span *bytes,
		       struct error *err);

struct baseline {
	const char *name;
	const char *oid;
	int64_t set_at;
	bool pinned; /* a release: what comes later is compared with it too */
};
struct baseline_list {
	struct baseline *items;
	size_t count;
	size_t capacity;
};
int store_set_baseline(struct store *store, const char *name, const char *oid, int64_t set_at,
		       bool pinned, struct error *err);
int store_remove_baseline(struct store *store, const char *name, bool *removed, struct error *err);
int store_baselines(struct store *store, struct arena *arena, struct baseline_list *list,
		    struct error *err);

struct store_counts {
	int64_t runs, series, values;
	int64_t commits; /* that have runs */
};
int store_counts(struct store *store, struct store_counts *counts, struct error *err);
/* PRAGMA quick_check and foreign_key_check: *report is "ok" or what is wrong, a line for each. */
int store_check(struct store *store, struct arena *arena, const char **report, struct error *err);

#endif
