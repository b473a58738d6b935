/* Talks to the server with libpq; never waits for ever. */
#include "db/postgres/connection.h"

#include <errno.h>
#include <poll.h>

#include "base/embedded.h"
#include "db/postgres/address.h"

extern const struct embedded_file server_files[];

enum {
	ANSWER_MS = 600000,
	/* OIDs of types, which no server changes (pg_type.dat). */
	TYPE_BYTEA = 17,
	TYPE_INT8 = 20,
	TYPE_TEXT = 25,
	TYPE_BYTEA_LIST = 1001
};

/* --- failures --- */

/* Failures that say nothing about the statement: another one was in its way, the server is about to
 * end, the line to it was cut. */
static bool is_passing(const char *state)
{
	static const char *const classes[] = {"08", "40001", "40P01", "53300", "57P"};
	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		if (strncmp(state, classes[i], strlen(classes[i])) == 0)
			return true;
	return false;
}

/* libpq may take a part of the password for the name of a host, and says so. */
static bool may_quote_secret(const struct connection *connection, const char *words)
{
	return connection->is_secret && words &&
	       (strchr(words, '@') || server_quotes_secret(connection->address, words));
}

/* On one line. */
static int fail(struct connection *connection, const PGresult *result, struct error *err)
{
	const char *state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
	const char *words = result ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
	struct strbuf text = {0};
	strbuf_addstr(&text, words ? words : PQerrorMessage(connection->handle));
	while (text.len && text.buf[text.len - 1] == '\n')
		strbuf_truncate(&text, text.len - 1);
	for (size_t i = 0; i < text.len; i++)
		if (text.buf[i] == '\n')
			text.buf[i] = ' ';
	bool cut = PQstatus(connection->handle) == CONNECTION_BAD;
	if (!result && may_quote_secret(connection, text.buf))
		strbuf_reset(&text);
	connection->may_retry = cut || (state && is_passing(state));
	snprintf(connection->state, sizeof connection->state, "%s", state ? state : "");
	error_set(err, ERR_STORE, "%s: %s", connection->shown,
		  text.len ? text.buf : "the connection failed");
	strbuf_free(&text);
	return -1;
}

/* The statement is not waited for any longer, so nothing can follow it on this connection. */
static int fail_silent(struct connection *connection, struct error *err)
{
	connection_close(connection);
	connection->may_retry = true;
	connection->state[0] = '\0';
	return error_set(err, ERR_STORE, "%s: no answer for ten minutes", connection->shown);
}

/* --- the connection --- */

static void ignore_notice(void *context, const char *message)
{
	(void)context;
	(void)message;
}

/* What comes before `dbname` gives way to what the address says. */
static const char *const keywords[] = {"connect_timeout",
				       "tcp_user_timeout",
				       "keepalives_idle",
				       "fallback_application_name",
				       "dbname",
				       "client_encoding",
				       NULL};

/* The server is there, and takes no connection just now; as servers say it in English. */
static bool is_full(const struct connection *connection)
{
	static const char *const reasons[] = {"too many", "connection slots", "starting up",
					      "shutting down", "in recovery"};
	const char *why = PQerrorMessage(connection->handle);
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
		if (strstr(why, reasons[i]))
			return true;
	return false;
}

/* What libpq says of an address may quote a part of it. */
int connection_check(const struct connection *connection, struct error *err)
{
	char *why = NULL;
	PQconninfoOption *options = PQconninfoParse(connection->address, &why);
	if (!options)
		error_set(err, ERR_USAGE, "%s: this address cannot be read%s%.200s",
			  connection->shown, connection->is_secret || !why ? "" : ": ",
			  connection->is_secret || !why ? "" : why);
	PQfreemem(why);
	PQconninfoFree(options);
	return options ? 0 : -1;
}

int connection_open(struct connection *connection, struct error *err)
{
	const char *const values[] = {"10",   "60000", "30", "rooflog", connection->address,
				      "UTF8", NULL};
	connection->state[0] = '\0';
	connection->handle = PQconnectdbParams(keywords, values, 1);
	if (!connection->handle)
		return error_set(err, ERR_SYSTEM, "out of memory");
	if (PQstatus(connection->handle) == CONNECTION_OK) {
		PQsetNoticeProcessor(connection->handle, ignore_notice, NULL);
		PQsetnonblocking(connection->handle, 1);
		return 0;
	}
	bool full = is_full(connection);
	fail(connection, NULL, err);
	connection->may_retry = full;
	connection_close(connection);
	return -1;
}

bool connection_is_lost(const struct connection *connection)
{
	return PQstatus(connection->handle) != CONNECTION_OK;
}

void connection_close(struct connection *connection)
{
	PQfinish(connection->handle);
	connection->handle = NULL;
}

/* --- statements --- */

static void add_parameter(struct parameters *parameters, Oid type, const void *value, size_t len)
{
	int i = parameters->count++;
	assert(i < 4 && len <= INT32_MAX);
	parameters->types[i] = type;
	parameters->values[i] = value;
	parameters->lengths[i] = (int)len;
}

void parameters_integer(struct parameters *parameters, int64_t number)
{
	unsigned char *word = parameters->words[parameters->count];
	for (int i = 0; i < 8; i++)
		word[i] = (unsigned char)((uint64_t)number >> (56 - 8 * i));
	add_parameter(parameters, TYPE_INT8, word, 8);
}

void parameters_text(struct parameters *parameters, const char *text)
{
	add_parameter(parameters, TYPE_TEXT, text, strlen(text));
}

void parameters_bytes(struct parameters *parameters, const void *bytes, size_t len)
{
	add_parameter(parameters, TYPE_BYTEA, bytes, len);
}

static void put_word(struct strbuf *sb, uint32_t word)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		strbuf_addch(sb, (char)(word >> shift));
}

/* PostgreSQL's binary form of an array: dimensions, flags, type, then their size and first index,
 * then each item after its length. */
void parameters_hashes(struct parameters *parameters, struct strbuf *hashes)
{
	enum { HASH = sizeof((struct hash_bytes *)NULL)->byte };
	const uint32_t count = (uint32_t)(hashes->len / HASH);
	const uint32_t head[] = {1, 0, TYPE_BYTEA, count, 1};
	struct strbuf array = {0};
	for (size_t i = 0; i < sizeof head / sizeof *head; i++)
		put_word(&array, head[i]);
	for (uint32_t i = 0; i < count; i++) {
		put_word(&array, HASH);
		strbuf_add(&array, hashes->buf + (size_t)i * HASH, HASH);
	}
	strbuf_free(hashes);
	*hashes = array;
	add_parameter(parameters, TYPE_BYTEA_LIST, hashes->buf, hashes->len);
}

const char *statement_text(const char *name)
{
	const struct embedded_file *file = embedded_find(server_files, name);
	assert(file);
	return file->text;
}

static int wait_for(struct connection *connection, short events, struct error *err)
{
	struct pollfd poll_fd = {PQsocket(connection->handle), events, 0};
	int ready = poll(&poll_fd, 1, ANSWER_MS);
	if (ready < 0 && errno == EINTR)
		return 0;
	if (ready == 0)
		return fail_silent(connection, err);
	if (ready < 0 || ((poll_fd.revents & ~POLLOUT) && !PQconsumeInput(connection->handle)))
		return fail(connection, NULL, err);
	return 0;
}

static int send_statement(struct connection *connection, const char *statement,
			  const struct parameters *parameters, struct error *err)
{
	static const int binary[4] = {1, 1, 1, 1};
	int rest;
	if (!PQsendQueryParams(connection->handle, statement, parameters->count, parameters->types,
			       parameters->values, parameters->lengths, binary, 1))
		return fail(connection, NULL, err);
	PQsetSingleRowMode(connection->handle);
	while ((rest = PQflush(connection->handle)) > 0)
		if (wait_for(connection, POLLIN | POLLOUT, err) < 0)
			return -1;
	return rest < 0 ? fail(connection, NULL, err) : 0;
}

/* *ended: nothing more of this answer is read. */
static int take(struct connection *connection, const PGresult *result, const struct answer *answer,
		bool *ended, struct error *err)
{
	switch (PQresultStatus(result)) {
	case PGRES_SINGLE_TUPLE:
		*ended = answer && answer->row(answer->context, result, err) < 0;
		return *ended ? -1 : 0;
	case PGRES_TUPLES_OK:
	case PGRES_COMMAND_OK:
		return 0;
	case PGRES_FATAL_ERROR:
		return fail(connection, result, err);
	default:
		*ended = true;
		return error_set(err, ERR_STORE, "%s: the server answered another question",
				 connection->shown);
	}
}

/* All of the answer is read, also after a failure of the server: only then can the next statement
 * follow. What the caller refuses is not: the connection is closed. */
int connection_ask(struct connection *connection, const char *statement,
		   const struct parameters *parameters, const struct answer *answer,
		   struct error *err)
{
	static const struct parameters none = {0};
	struct error later;
	int failed = 0;
	bool ended = false;
	connection->may_retry = false;
	if (send_statement(connection, statement, parameters ? parameters : &none, err) < 0)
		return -1;
	while (!ended) {
		while (PQisBusy(connection->handle))
			if (wait_for(connection, POLLIN, failed ? &later : err) < 0)
				return -1;
		PGresult *result = PQgetResult(connection->handle);
		if (!result)
			return failed;
		if (!failed)
			failed = take(connection, result, answer, &ended, err);
		PQclear(result);
	}
	connection_close(connection);
	return -1;
}

/* --- columns --- */

bool answer_integer(const PGresult *row, int column, int64_t *number)
{
	uint64_t bits = 0;
	if (column >= PQnfields(row) || PQgetisnull(row, 0, column))
		return false;
	int len = PQgetlength(row, 0, column);
	const unsigned char *bytes = (const unsigned char *)PQgetvalue(row, 0, column);
	if (len != 4 && len != 8)
		return false;
	for (int i = 0; i < len; i++)
		bits = bits << 8 | bytes[i];
	*number = len == 4 ? (int32_t)(uint32_t)bits : (int64_t)bits;
	return true;
}

bool answer_hash(const PGresult *row, int column, struct hash_bytes *hash)
{
	if (column >= PQnfields(row) || PQgetisnull(row, 0, column) ||
	    PQgetlength(row, 0, column) != sizeof hash->byte)
		return false;
	memcpy(hash->byte, PQgetvalue(row, 0, column), sizeof hash->byte);
	return true;
}
