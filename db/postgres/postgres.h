/*
 * Packs of runs on a PostgreSQL server (db/postgres/sql/schema.sql): rows that are added and not
 * changed. Each is the export of some runs (db/jsonl), named by its SHA-256.
 *
 *   - libpq and its own settings (service and password files, environment, certificates) say how to
 *     reach the server. What the address does not say gets time-outs: 10 s to connect, 60 s
 *     until the other side confirms what was sent, ten minutes for an answer.
 *   - No message has the password that an address has.
 *   - What may pass (the line was cut, the server starts again, two were in each other's way) is
 *     tried again for half a minute, or three where nothing answers. Of several packs in one
 * transaction the caller tries all again: adding is idempotent.
 *   - A role that may INSERT and SELECT suffices, but for the first use, which makes the tables.
 *
 * Errors are ERR_STORE, with the server's own words. Never add what the lines say.
 */
#pragma once

#include "base/base.h"
#include "base/hash/hash.h"

/* postgresql://[USER@][HOST][:PORT]/[DATABASE][?OPTIONS][#PROJECT], or postgres:// */
bool server_is_address(const char *text);
/* The part after #; NULL: none. */
const char *server_project_of(const char *address);
/* The address for libpq. */
const char *server_without_project(struct arena *arena, const char *address);
/* An address for people: without passwords. */
const char *server_shown(struct arena *arena, const char *address);

struct server;
struct server_request {
	const char *address;
	const char *project; /* whose packs; a database holds those of many */
	bool create;         /* the tables and the project, if they are not there */
};
/* The caller ends *server with server_close(). */
int server_open(const struct server_request *request, struct server **server, struct error *err);
/* NULL is allowed. */
void server_close(struct server *server);
/* Whether the latest failure, of packs that were being added, may pass. */
bool server_may_retry(const struct server *server);
/* 32 hexadecimal digits, the name of the database. */
const char *server_origin(const struct server *server);
const char *server_name(const struct server *server); /* the address for people */

struct server_pack {
	struct hash_bytes id;
	int64_t stored_at; /* microseconds since 1970, by the server's clock */
};
struct server_pack_list {
	struct server_pack *items;
	size_t count, capacity;
};
/* The packs that were stored since a time, sorted by it. */
int server_list(struct server *server, struct arena *arena, int64_t since,
		struct server_pack_list *list, struct error *err);
/* Reads some of them, one after the other, in the order of the list. ERR_STORE if one is missing,
 * or is not what its id says. */
struct server_reading {
	int (*pack)(void *context, const struct server_pack *pack, struct span lines,
		    struct error *err);
	void *context;
};
int server_read(struct server *server, const struct server_pack_list *packs,
		const struct server_reading *reading, struct error *err);
/* Whether the latest server_read() failed because a pack is gone: the list is out of date. */
bool server_lost_pack(const struct server *server);

/* Adds packs: all or none. server_add() may be called any number of times before server_add_end();
 * after a failure of either nothing may have been added. `id` receives the pack's. */
int server_add(struct server *server, struct span lines, int64_t runs, struct hash_bytes *id,
	       struct error *err);
int server_add_end(struct server *server, struct error *err);
/* Removes packs together with what is added. It takes the right to delete. */
int server_remove(struct server *server, const struct server_pack_list *packs, struct error *err);
/* Gives up what was added since the last end. */
void server_add_abandon(struct server *server);

struct server_size {
	int64_t packs, runs, bytes; /* bytes as they lie in the table, without the indexes */
};
int server_measure(struct server *server, struct server_size *size, struct error *err);
