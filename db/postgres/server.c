/* What a server is asked. */
#include "db/postgres/connection.h"

#include <sys/random.h>
#include <unistd.h>

struct server {
	struct connection connection;
	struct arena arena;
	const char *project;
	int64_t place;
	char origin[33];
	struct {
		struct hash_bytes id;
		int64_t runs;
		struct strbuf lines; /* empty: no pack waits */
	} waiting;      /* the pack that was added last: a single one needs no transaction */
	bool changes;   /* a transaction is open */
	bool lost_pack; /* one that was listed is gone */
};

enum {
	SCHEMA_VERSION = 1,
	TRIES = 16, /* of what may pass: half a minute of pauses */
	SETTING_UP = 20,
	PACKS_AT_ONCE = 1000,
	PACK_LIMIT = 512 << 20 /* bytes; PostgreSQL takes a gibibyte */
};

const char *server_origin(const struct server *server)
{
	return server->origin;
}

const char *server_name(const struct server *server)
{
	return server->connection.shown;
}

bool server_may_retry(const struct server *server)
{
	return server->connection.may_retry;
}

/* Differs between processes that wait for each other. */
static void pause_before(int attempt)
{
	unsigned ceiling = 25000u << (attempt < 7 ? attempt : 7), drawn = (unsigned)getpid();
	if (getrandom(&drawn, sizeof drawn, GRND_NONBLOCK) < 0)
		drawn *= 2654435761u;
	usleep(ceiling / 2 + drawn % ceiling);
}

static int connect_first(struct server *server, struct error *err)
{
	for (int i = 0;; i++) {
		if (connection_open(&server->connection, err) == 0)
			return 0;
		if (i == TRIES || !server->connection.may_retry)
			return -1;
		pause_before(i);
	}
}

/* A connection that was lost is made again; the server may be about to start. */
static int revive(struct server *server, struct error *err)
{
	struct connection *connection = &server->connection;
	if (!connection_is_lost(connection))
		return 0;
	for (int i = 0;; i++) {
		connection_close(connection);
		if (connection_open(connection, err) == 0)
			return 0;
		if (i == TRIES)
			return -1;
		pause_before(i);
	}
}

/* Asks outside of a transaction; each such statement may be asked twice. */
static int ask(struct server *server, const char *statement, const struct parameters *parameters,
	       const struct answer *answer, struct error *err)
{
	struct connection *connection = &server->connection;
	assert(!server->changes);
	for (int i = 0;; i++) {
		if (revive(server, err) < 0)
			return -1;
		if (connection_ask(connection, statement, parameters, answer, err) == 0)
			return 0;
		if (i == TRIES || !connection->may_retry)
			return -1;
		if (answer && answer->again)
			answer->again(answer->context);
		pause_before(i);
	}
}

/* --- setting up --- */

struct version {
	int64_t number; /* 0: no row */
	char origin[33];
};

static int take_version(void *context, const PGresult *row, struct error *err)
{
	struct version *version = context;
	int len = PQgetlength(row, 0, 1);
	if (!answer_integer(row, 0, &version->number) || len != 32)
		return error_set(err, ERR_STORE, "rooflog.version is damaged");
	memcpy(version->origin, PQgetvalue(row, 0, 1), 32);
	return 0;
}

/* No table, no schema. */
static bool is_absent(const struct connection *connection)
{
	return strcmp(connection->state, "42P01") == 0 || strcmp(connection->state, "3F000") == 0;
}

/* Statements that many run at once may collide in the server's own tables. */
static bool is_collision(const struct connection *connection)
{
	static const char *const states[] = {"23505", "42710", "42P06", "42P07", "XX000"};
	return connection->may_retry ||
	       span_among(span_of(connection->state), states, sizeof states / sizeof *states);
}

static int set_up_once(struct server *server, const char *origin, struct error *err)
{
	struct span rest = span_of(statement_text("schema.sql"));
	while (rest.len) {
		struct parameters parameters = {0};
		size_t end = span_find(rest, "\n--;\n");
		struct span one = {rest.ptr, end};
		const char *text = arena_strndup(&server->arena, one.ptr, one.len);
		if (strstr(text, "$1"))
			parameters_text(&parameters, origin);
		if (ask(server, text, &parameters, NULL, err) < 0)
			return -1;
		rest = end < rest.len ? span_from(rest, end + strlen("\n--;\n"))
				      : (struct span){NULL, 0};
	}
	return 0;
}

static int set_up(struct server *server, struct error *err)
{
	unsigned char drawn[16];
	char origin[33];
	if (getrandom(drawn, sizeof drawn, 0) != sizeof drawn)
		return error_set(err, ERR_SYSTEM, "the system gives no random number");
	for (size_t i = 0; i < sizeof drawn; i++)
		snprintf(origin + 2 * i, 3, "%02x", drawn[i]);
	for (int i = 0; i < SETTING_UP; i++) {
		if (set_up_once(server, origin, err) == 0)
			return 0;
		if (!is_collision(&server->connection))
			break;
		pause_before(i);
	}
	return error_prefix(err, "the tables of rooflog cannot be made");
}

static int read_version(struct server *server, struct version *version, struct error *err)
{
	*version = (struct version){.number = 0};
	return ask(server, statement_text("version.sql"), NULL,
		   &(struct answer){.row = take_version, .context = version}, err);
}

static int check_version(struct server *server, bool create, struct error *err)
{
	struct version version;
	int failed = read_version(server, &version, err);
	if (failed && !is_absent(&server->connection))
		return -1;
	if (failed || !version.number) {
		if (!create)
			return error_set(err, ERR_STORE,
					 "%s: no run store there yet: \"rooflog ingest\" makes it",
					 server_name(server));
		if (set_up(server, err) < 0 || read_version(server, &version, err) < 0)
			return -1;
	}
	memcpy(server->origin, version.origin, sizeof version.origin);
	if (version.number == SCHEMA_VERSION)
		return 0;
	return error_set(err, ERR_STORE,
			 "%s: the store was written by a newer rooflog: its schema is version "
			 "%lld, this program knows version %d; update rooflog",
			 server_name(server), (long long)version.number, SCHEMA_VERSION);
}

/* --- the project --- */

static int64_t place_of(const char *project)
{
	struct hash_bytes hash;
	uint64_t place = 0;
	hash_bytes_of(span_of(project), &hash);
	for (int i = 0; i < 8; i++)
		place = place << 8 | hash.byte[i];
	return (int64_t)place;
}

struct naming {
	struct server *server;
	bool found;
};

static int take_project(void *context, const PGresult *row, struct error *err)
{
	struct naming *naming = context;
	const struct span name = {PQgetvalue(row, 0, 0), (size_t)PQgetlength(row, 0, 0)};
	naming->found = true;
	return span_is(name, naming->server->project)
		       ? 0
		       : error_set(err, ERR_STORE,
				   "%s: the project has the place of another one, %.*s; give it "
				   "another name: #NAME at the end of the address",
				   server_name(naming->server),
				   (int)(name.len > 80 ? 80 : name.len), name.ptr);
}

static int check_project(struct server *server, bool create, struct error *err)
{
	struct naming naming = {server, false};
	struct parameters place = {0};
	parameters_integer(&place, server->place);
	if (ask(server, statement_text("project.sql"), &place,
		&(struct answer){.row = take_project, .context = &naming}, err) < 0)
		return -1;
	if (naming.found)
		return 0;
	if (!create)
		return error_set(err, ERR_STORE,
				 "%s: no runs of the project %s there yet: \"rooflog ingest\" "
				 "adds some; #NAME at the end of the address names another project",
				 server_name(server), server->project);
	parameters_text(&place, server->project);
	return ask(server, statement_text("project_add.sql"), &place, NULL, err);
}

int server_open(const struct server_request *request, struct server **server, struct error *err)
{
	if (lazy_libpq_open(err) < 0)
		return -1;
	struct server *opened = memory_allocate(1, sizeof *opened);
	opened->connection.address = server_without_project(&opened->arena, request->address);
	opened->connection.shown = server_shown(&opened->arena, opened->connection.address);
	opened->connection.is_secret =
		strcmp(opened->connection.shown, opened->connection.address) != 0;
	opened->project = arena_strdup(&opened->arena, request->project);
	opened->place = place_of(request->project);
	if (connection_check(&opened->connection, err) < 0 || connect_first(opened, err) < 0 ||
	    check_version(opened, request->create, err) < 0 ||
	    check_project(opened, request->create, err) < 0) {
		server_close(opened);
		return -1;
	}
	*server = opened;
	return 0;
}

void server_close(struct server *server)
{
	if (!server)
		return;
	connection_close(&server->connection);
	strbuf_free(&server->waiting.lines);
	arena_free(&server->arena);
	free(server);
}

/* --- reading --- */

struct listing {
	struct arena *arena;
	struct server_pack_list list;
	int64_t now; /* by the server's clock; 0: no pack */
};

static int take_listed(void *context, const PGresult *row, struct error *err)
{
	struct listing *listing = context;
	struct server_pack *pack = arena_add(listing->arena, &listing->list);
	if (!answer_hash(row, 0, &pack->id))
		return error_set(err, ERR_STORE,
				 "rooflog.pack is damaged: a pack's id is not a SHA-256");
	if (answer_integer(row, 1, &pack->stored_at) && answer_integer(row, 2, &listing->now))
		return 0;
	return error_set(err, ERR_STORE, "rooflog.pack is damaged: a pack has no time");
}

static void list_again(void *context)
{
	struct listing *listing = context;
	listing->list.count = 0;
}

/* A clock that was wrong for a while, or whoever sets the time of a pack, must not hide later ones:
 * no pack counts as stored later than now. */
int server_list(struct server *server, struct arena *arena, int64_t since,
		struct server_pack_list *list, struct error *err)
{
	struct listing listing = {.arena = arena};
	struct parameters parameters = {0};
	parameters_integer(&parameters, server->place);
	parameters_integer(&parameters, since);
	if (ask(server, statement_text("list.sql"), &parameters,
		&(struct answer){take_listed, list_again, &listing}, err) < 0)
		return -1;
	for (size_t i = 0; i < listing.list.count; i++)
		if (listing.list.items[i].stored_at > listing.now)
			listing.list.items[i].stored_at = listing.now;
	*list = listing.list;
	return 0;
}

struct arriving {
	struct server *server;
	const struct server_pack *packs;
	size_t count, at;
	const struct server_reading *reading;
};

static bool same_hash(const struct hash_bytes *a, const struct hash_bytes *b)
{
	return memcmp(a->byte, b->byte, sizeof a->byte) == 0;
}

static int refuse(const struct arriving *arriving, const struct hash_bytes *id, const char *what,
		  struct error *err)
{
	char hex[65];
	hash_hex(id->byte, hex);
	return error_set(err, ERR_STORE, "%s: pack %s %s", server_name(arriving->server), hex,
			 what);
}

static int refuse_removed(struct arriving *arriving, struct error *err)
{
	arriving->server->lost_pack = true;
	return refuse(arriving, &arriving->packs[arriving->at].id,
		      "was removed while it was read; try again", err);
}

static int take_pack(void *context, const PGresult *row, struct error *err)
{
	struct arriving *arriving = context;
	const struct server_pack *expected = &arriving->packs[arriving->at];
	const struct span lines = {PQgetvalue(row, 0, 1), (size_t)PQgetlength(row, 0, 1)};
	struct hash_bytes id, made;
	if (arriving->at == arriving->count || !answer_hash(row, 0, &id))
		return error_set(err, ERR_STORE, "%s: the server answered another question",
				 server_name(arriving->server));
	if (!same_hash(&id, &expected->id))
		return refuse_removed(arriving, err);
	hash_bytes_of(lines, &made);
	if (!same_hash(&made, &id))
		return refuse(
			arriving, &id,
			"was changed: its lines have another SHA-256; restore it from a backup",
			err);
	if (arriving->reading->pack(arriving->reading->context, expected, lines, err) < 0)
		return -1;
	arriving->at++;
	return 0;
}

/* Runs a statement whose parameters are the place and ids of packs. */
static int ask_for(struct server *server, const char *statement, const struct server_pack *packs,
		   size_t count, const struct answer *answer, struct error *err)
{
	struct strbuf ids = {0};
	struct parameters parameters = {0};
	for (size_t i = 0; i < count; i++)
		strbuf_add(&ids, (const char *)packs[i].id.byte, sizeof packs[i].id.byte);
	parameters_integer(&parameters, server->place);
	parameters_hashes(&parameters, &ids);
	int failed = connection_ask(&server->connection, statement_text(statement), &parameters,
				    answer, err);
	strbuf_free(&ids);
	return failed;
}

/* Those that did not arrive yet. */
static int read_rest(struct server *server, struct arriving *arriving, struct error *err)
{
	const struct answer answer = {.row = take_pack, .context = arriving};
	if (ask_for(server, "read.sql", arriving->packs + arriving->at,
		    arriving->count - arriving->at, &answer, err) < 0)
		return -1;
	return arriving->at < arriving->count ? refuse_removed(arriving, err) : 0;
}

static int read_some(struct server *server, struct arriving *arriving, struct error *err)
{
	for (int i = 0;; i++) {
		if (revive(server, err) < 0)
			return -1;
		if (read_rest(server, arriving, err) == 0)
			return 0;
		if (i == TRIES || !server->connection.may_retry)
			return -1;
		pause_before(i);
	}
}

bool server_lost_pack(const struct server *server)
{
	return server->lost_pack;
}

int server_read(struct server *server, const struct server_pack_list *packs,
		const struct server_reading *reading, struct error *err)
{
	server->lost_pack = false;
	for (size_t i = 0; i < packs->count; i += PACKS_AT_ONCE) {
		size_t rest = packs->count - i;
		struct arriving arriving = {.server = server,
					    .packs = packs->items + i,
					    .count = rest < PACKS_AT_ONCE ? rest : PACKS_AT_ONCE,
					    .reading = reading};
		if (read_some(server, &arriving, err) < 0)
			return -1;
	}
	return 0;
}

/* --- adding --- */

/* Sends the pack that waits: in the transaction, or alone. */
static int send_waiting(struct server *server, struct error *err)
{
	struct parameters parameters = {0};
	struct strbuf *lines = &server->waiting.lines;
	const char *statement = statement_text("add.sql");
	if (!lines->len)
		return 0;
	parameters_integer(&parameters, server->place);
	parameters_bytes(&parameters, server->waiting.id.byte, sizeof server->waiting.id.byte);
	parameters_integer(&parameters, server->waiting.runs);
	parameters_bytes(&parameters, lines->buf, lines->len);
	int failed = server->changes ? connection_ask(&server->connection, statement, &parameters,
						      NULL, err)
				     : ask(server, statement, &parameters, NULL, err);
	strbuf_reset(lines);
	return failed;
}

/* More than one statement: in a transaction. */
static int begin(struct server *server, struct error *err)
{
	if (!server->changes && ask(server, "BEGIN", NULL, NULL, err) < 0)
		return -1;
	server->changes = true;
	return send_waiting(server, err);
}

int server_add(struct server *server, struct span lines, int64_t runs, struct hash_bytes *id,
	       struct error *err)
{
	if (lines.len > PACK_LIMIT) {
		server_add_abandon(server);
		return error_set(
			err, ERR_STORE,
			"%s: edits of %zu MiB are more than a server takes at once: edit fewer "
			"runs at a time",
			server_name(server), lines.len >> 20);
	}
	if (server->waiting.lines.len && begin(server, err) < 0) {
		server_add_abandon(server);
		return -1;
	}
	hash_bytes_of(lines, id);
	server->waiting.id = *id;
	server->waiting.runs = runs;
	strbuf_addspan(&server->waiting.lines, lines);
	return 0;
}

int server_remove(struct server *server, const struct server_pack_list *packs, struct error *err)
{
	int failed = begin(server, err);
	for (size_t i = 0; !failed && i < packs->count; i += PACKS_AT_ONCE) {
		size_t rest = packs->count - i;
		failed = ask_for(server, "remove.sql", packs->items + i,
				 rest < PACKS_AT_ONCE ? rest : PACKS_AT_ONCE, NULL, err);
	}
	if (failed)
		server_add_abandon(server);
	return failed;
}

int server_add_end(struct server *server, struct error *err)
{
	int failed = send_waiting(server, err);
	if (!failed && server->changes)
		failed = connection_ask(&server->connection, "COMMIT", NULL, NULL, err);
	if (!failed)
		server->changes = false;
	else
		server_add_abandon(server);
	return failed;
}

/* What a failure says stays. */
void server_add_abandon(struct server *server)
{
	struct connection *connection = &server->connection;
	struct error ignored;
	bool may_retry = connection->may_retry;
	strbuf_reset(&server->waiting.lines);
	if (server->changes && !connection_is_lost(connection) &&
	    connection_ask(connection, "ROLLBACK", NULL, NULL, &ignored) < 0)
		connection_close(connection);
	server->changes = false;
	connection->may_retry = may_retry;
}

/* --- figures --- */

static int take_size(void *context, const PGresult *row, struct error *err)
{
	struct server_size *size = context;
	if (answer_integer(row, 0, &size->packs) && answer_integer(row, 1, &size->runs) &&
	    answer_integer(row, 2, &size->bytes))
		return 0;
	return error_set(err, ERR_STORE, "the server counted nothing");
}

int server_measure(struct server *server, struct server_size *size, struct error *err)
{
	struct parameters place = {0};
	parameters_integer(&place, server->place);
	return ask(server, statement_text("size.sql"), &place,
		   &(struct answer){.row = take_size, .context = size}, err);
}
