/* One connection: statements of db/postgres/sql with their parameters, and answers. */
#pragma once

#include "db/postgres/library.h"
#include "db/postgres/postgres.h"

struct connection {
	PGconn *handle;
	const char *address, *shown;
	bool is_secret; /* the address has a password */
	bool may_retry;
	char state[6]; /* SQLSTATE of the latest failure; "" if the server said none */
};

/* Whether libpq understands the address. */
int connection_check(const struct connection *connection, struct error *err);
/* One try. */
int connection_open(struct connection *connection, struct error *err);
bool connection_is_lost(const struct connection *connection);
void connection_close(struct connection *connection);

/* Parameters in PostgreSQL's binary formats; at most four. */
struct parameters {
	int count;
	Oid types[4];
	const char *values[4];
	int lengths[4];
	unsigned char words[4][8];
};
void parameters_integer(struct parameters *parameters, int64_t number);
void parameters_text(struct parameters *parameters, const char *text);
void parameters_bytes(struct parameters *parameters, const void *bytes, size_t len);
/* An array of bytea, from hashes one after the other; the buffer then has the array, and must live
 * as long as the parameters. */
void parameters_hashes(struct parameters *parameters, struct strbuf *hashes);

/* The statement db/postgres/sql/<name>.sql, or a text. */
const char *statement_text(const char *name);
/* Runs a statement; `row` (NULL: it returns none) gets each row of the answer. */
struct answer {
	int (*row)(void *context, const PGresult *row, struct error *err);
	void (*again)(void *context); /* the rows come again from the first one; NULL is allowed */
	void *context;
};
int connection_ask(struct connection *connection, const char *statement,
		   const struct parameters *parameters, const struct answer *answer,
		   struct error *err);

/* Columns of a row. False if it is NULL or not of the type. */
bool answer_integer(const PGresult *row, int column, int64_t *number);
bool answer_hash(const PGresult *row, int column, struct hash_bytes *hash);
