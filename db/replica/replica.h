/*
 * A store on a server (db/postgres), read and written through a copy of it on this machine.
 *
 *   - Opening brings the packs that the copy lacks. All questions are then answered by the copy, so
 *     that answers are those of a store in a file.
 *   - A transaction's changes go to the server before they are kept here. If the server has them
 *     and this machine fails, the next opening brings them. If it is not known whether the server
 *     has them, they are sent again: it keeps each pack once.
 *   - The copy may be deleted at any time. Processes of one user share it; each project of each
 *     database has one.
 *   - A pack is brought if it was stored after the newest one that the copy has, less a day: a
 *     transaction may end later than it began, and clocks of servers differ.
 *
 * Never add a question that only the server could answer.
 */
#pragma once

#include "db/postgres/postgres.h"
#include "db/store/store.h"

struct replica_request {
	const char *address; /* of the server */
	const char *project;
	/* For copies, made if it is absent. If it cannot be used, or is NULL, the copy lies in
	 * `temporary` until store_close(). */
	const char *folder, *temporary;
	enum store_mode mode;
	bool again; /* all packs, into a new copy */
};
/* The caller ends *store with store_close(). */
int replica_open(const struct replica_request *request, struct store **store, struct error *err);

/* What a store of replica_open() is read through; NULL for any other store. */
struct replica;
struct replica *replica_of(const struct store *store);

/* The server gets packs of what the store has in the place of those that it had when the compaction
 * began; between begin and end runs are pruned, in a copy that was just made from the server
 * (replica_request.again). It takes the right to delete packs. Copies of other machines keep what
 * they have. After a failure the server is as it was, unless the line was cut when all was done;
 * this copy is made again by the next opening in any case. */
struct replica_compaction;
int replica_compact_begin(struct replica *replica, struct arena *arena,
			  struct replica_compaction **compaction, struct error *err);
int replica_compact_end(struct replica_compaction *compaction, struct store *store,
			struct error *err);

/* What the server keeps for the project. */
int replica_measure(struct replica *replica, struct server_size *size, struct error *err);

struct replica_check {
	struct server_size size;
	const char *copy; /* its path; valid until the store is closed */
	size_t missing;   /* runs of the server that the copy lacks */
	size_t unserved;  /* runs of the copy that the server lacks */
};
/* Reads all packs again, and looks for their runs in the store. */
int replica_compare(struct replica *replica, struct store *store, struct replica_check *check,
		    struct error *err);
