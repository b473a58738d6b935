/*
 * All that a store holds, one thing after the other, and the same on its way into another store.
 *
 *   - Two stores become one by what identifies things: a commit's id, a run's id, an edit's
 * content, a baseline's name. So the same store may be taken twice, and the order of stores is
 * free.
 *   - Of a run that both have, the one that was ingested first is kept.
 *   - Edits of the same second stay in the order in which they come.
 *   - An edit that was undone in one of them is undone. What is in force decides which series a run
 *     is in, and whether it is removed.
 *   - Of a baseline that both have, the newer one is kept.
 *
 * Never add a format, or anything derived from the runs.
 */
#pragma once

#include "db/store/store.h"

/* The highest values of what a store holds: the year 9999, positions of 40 bits, and numbers of
 * ingests, which are exact in a double. */
static const int64_t STORE_LAST_SECOND = 253402300799, STORE_LAST_POSITION = (int64_t)1 << 40,
		     STORE_LAST_INGEST = ((int64_t)1 << 53) - 1;

/* "opcode", "source" ... */
const char *store_tally_word(enum tally_kind kind);

/* A run under the names in the file, with all its lists. */
struct exchanged_run {
	const struct run *run;
	/* 64 hexadecimal digits each. They can't be computed again: the run may have been renamed
	 * since, and joined values are not part of its content. */
	const char *id, *content;
	bool removed; /* by an edit */
};

/* A run of an edit. */
struct exchanged_change {
	const char *run; /* its id */
	enum store_effect effect;
	const struct run *was, *is; /* what identifies its series before and after; the same unless
				       it is renamed */
};
struct exchanged_edit {
	enum store_edit_kind kind;
	int64_t time, undone_at; /* Unix seconds; undone_at 0: in force */
	const char *reason;      /* NULL: none */
	const struct exchanged_change *changes;
	size_t count;
};

/* Whoever takes what a store gives, in this order: commits, runs, edits, baselines. What is passed
 * is valid during the call. What a NULL member would take is passed over. */
struct store_taker {
	int (*commit)(void *context, const struct revision *commit, struct error *err);
	int (*run)(void *context, const struct exchanged_run *run, struct error *err);
	int (*edit)(void *context, const struct exchanged_edit *edit, struct error *err);
	int (*baseline)(void *context, const struct baseline *baseline, struct error *err);
	void *context;
};

/* Which runs are given. With `wants`, neither removed runs, edits nor baselines are. */
struct store_wish {
	bool (*wants)(const void *context, const struct run *identity); /* NULL: all */
	const void *context;
};

/* Gives everything but runs that are set aside as damaged, whose number is *set_aside. Refuses a
 * store that is damaged, or that a newer program wrote. The store has no aliases. */
int store_give(struct store *store, const struct store_wish *wish, const struct store_taker *taker,
	       size_t *set_aside, struct error *err);

struct store_taken {
	size_t runs;     /* new */
	size_t known;    /* stored already; `earlier` of them were ingested earlier elsewhere */
	size_t earlier;  /* now stored as they were there */
	size_t restored; /* had been set aside as damaged */
	size_t commits, edits, baselines; /* new or changed */
};

/*
 * --- What a writer changes, on its way to where others read it ---
 */
struct store_publisher {
	/* In each transaction that changed something, before it is kept: store_give_changes() says
	 * what. A failure reverts the transaction. */
	int (*publish)(void *context, struct store *store, struct error *err);
	void (*kept)(void *context);  /* after it was kept */
	void (*close)(void *context); /* by store_close() */
	void *context;
};
/* From the next transaction on. */
void store_publish_to(struct store *store, const struct store_publisher *publisher);
const struct store_publisher *store_publisher_of(const struct store *store);
/* Gives what the open transaction added or changed, also the commits of its runs. To be called by
 * publish() only, as often as it likes. */
int store_give_changes(struct store *store, const struct store_taker *taker, struct error *err);

/* What is taken into a store without aliases, in a transaction of the caller. The arena must be
 * empty until the end but for this. */
struct store_intake;
struct store_intake *store_intake_new(struct arena *arena, struct store *store);
struct store_taker store_intake_taker(struct store_intake *intake);
/* Puts edits in force and completes what is derived. To be called before the commit. */
int store_intake_end(struct store_intake *intake, struct store_taken *taken, struct error *err);
