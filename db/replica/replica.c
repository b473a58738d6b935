/*
 * Files of a copy in its folder, NAME from the database, the project and the schema version:
 *   - NAME.db: a store;
 *   - NAME.state: which packs it has, see write_state();
 *   - NAME.lock: held by the process that brings packs.
 */
#include "db/replica/replica.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/system.h"
#include "db/jsonl/packs.h"

enum {
	TRIES = 3,
	STATE_LIMIT = 64 << 20 /* bytes */
};
static const int64_t DAY = (int64_t)24 * 3600 * 1000000;

struct replica {
	struct arena arena;
	struct server *server;
	const char *database, *state, *lock; /* paths */
	char own[PATH_MAX];                  /* its folder, if that ends with it */
	int own_fd;                          /* -1: it does not */
	struct server_pack_list made;        /* packs of the open transaction */
	dev_t device;                        /* with `file`: the database that is open */
	ino_t file;
};

/* Packs that a copy has: the newest, and all that are at most a day older. */
struct state {
	int64_t newest; /* 0: no pack */
	struct server_pack_list packs;
};

/* --- the state --- */

static int by_id(const void *a, const void *b)
{
	const struct server_pack *x = a, *y = b;
	return memcmp(x->id.byte, y->id.byte, sizeof x->id.byte);
}

static bool read_line(struct span line, struct server_pack *pack)
{
	char hex[65] = {0};
	double at;
	if (line.len < 66 || line.ptr[64] != ' ' || !span_number(span_from(line, 65), &at))
		return false;
	memcpy(hex, line.ptr, 64);
	pack->stored_at = (int64_t)at;
	return hash_parse(hex, &pack->id);
}

/* False, and the state of an empty copy, if it cannot be read. */
static bool read_state(const struct replica *replica, struct arena *arena, struct state *state)
{
	struct span text;
	struct error ignored;
	*state = (struct state){0};
	if (!file_exists(replica->database) || !file_exists(replica->state) ||
	    file_read(arena, replica->state, STATE_LIMIT, &text, &ignored) < 0 ||
	    !span_is(span_cut(&text, '\n'), "rooflog-copy 1"))
		return false;
	while (text.len) {
		struct server_pack *pack = arena_add(arena, &state->packs);
		if (!read_line(span_cut(&text, '\n'), pack)) {
			*state = (struct state){0};
			return false;
		}
		if (pack->stored_at > state->newest)
			state->newest = pack->stored_at;
	}
	array_sort(state->packs.items, state->packs.count, sizeof *state->packs.items, by_id);
	return true;
}

static int write_state(const struct replica *replica, struct state *state, struct error *err)
{
	struct strbuf sb = {0};
	strbuf_addstr(&sb, "rooflog-copy 1\n");
	for (size_t i = 0; i < state->packs.count; i++) {
		const struct server_pack *pack = &state->packs.items[i];
		char hex[65];
		if (pack->stored_at < state->newest - DAY)
			continue;
		hash_hex(pack->id.byte, hex);
		strbuf_addf(&sb, "%s %lld\n", hex, (long long)pack->stored_at);
	}
	int failed = file_write_derived(replica->state, strbuf_span(&sb), err);
	strbuf_free(&sb);
	return failed;
}

static struct server_pack *find_pack(const struct state *state, const struct server_pack *pack)
{
	return state->packs.count
		       ? bsearch(pack, state->packs.items, state->packs.count, sizeof *pack, by_id)
		       : NULL;
}

static int lock(const struct replica *replica, int *fd, struct error *err)
{
	*fd = open(replica->lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (*fd < 0)
		return error_errno(err, "cannot open %s", replica->lock);
	while (flock(*fd, LOCK_EX) < 0)
		if (errno != EINTR) {
			error_errno(err, "cannot lock %s", replica->lock);
			close(*fd);
			return -1;
		}
	return 0;
}

/* --- bringing --- */

struct bringing {
	const struct replica *replica;
	const struct store_taker *taker;
};

static int take_pack(void *context, const struct server_pack *pack, struct span lines,
		     struct error *err)
{
	const struct bringing *bringing = context;
	char hex[65], name[80];
	hash_hex(pack->id.byte, hex);
	snprintf(name, sizeof name, "pack %s", hex);
	if (jsonl_read_text(lines, bringing->taker, name, err) == 0)
		return 0;
	return error_prefix(err, "%s", server_name(bringing->replica->server));
}

static int take_packs(struct replica *replica, struct store *store,
		      const struct server_pack_list *packs, struct error *err)
{
	struct arena arena = {0};
	struct store_intake *intake = store_intake_new(&arena, store);
	const struct store_taker taker = store_intake_taker(intake);
	struct bringing bringing = {replica, &taker};
	const struct server_reading reading = {take_pack, &bringing};
	struct store_taken taken;
	int failed = server_read(replica->server, packs, &reading, err) < 0 ||
		     store_intake_end(intake, &taken, err) < 0;
	arena_free(&arena);
	return failed ? -1 : 0;
}

static int fill(struct replica *replica, const struct server_pack_list *packs, bool *damaged,
		struct error *err)
{
	struct store *store;
	if (store_open_copied(replica->database, STORE_CREATE, &store, damaged, err) < 0)
		return -1;
	int failed = packs->count ? store_begin(store, err) : 0;
	if (!failed && packs->count)
		failed = take_packs(replica, store, packs, err) < 0 || store_commit(store, err) < 0;
	*damaged = failed && store_is_damaged(store);
	store_close(store);
	return failed ? -1 : 0;
}

static void remove_copy(const struct replica *replica)
{
	static const char *const endings[] = {"-wal", "-shm", "-journal", ""};
	struct arena arena = {0};
	file_remove(replica->state);
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		file_remove(arena_printf(&arena, "%s%s", replica->database, endings[i]));
	arena_free(&arena);
}

/* The packs that the copy lacks. *changed: it has one whose time it did not know. */
static void find_wanted(struct state *state, struct arena *arena,
			const struct server_pack_list *listed, struct server_pack_list *wanted,
			bool *changed)
{
	for (size_t i = 0; i < listed->count; i++) {
		const struct server_pack *pack = &listed->items[i];
		struct server_pack *known = find_pack(state, pack);
		if (!known) {
			*arena_add(arena, wanted) = *pack;
		} else if (known->stored_at != pack->stored_at) {
			known->stored_at = pack->stored_at;
			*changed = true;
		}
		if (pack->stored_at > state->newest)
			state->newest = pack->stored_at;
	}
}

/* *damaged: the copy has to be made again. */
static int bring_once(struct replica *replica, bool *damaged, struct error *err)
{
	struct arena arena = {0};
	struct state state;
	struct server_pack_list listed, wanted = {0};
	bool changed = false;
	*damaged = false;
	/* Without its state, a copy may lack runs, which would come out of their order. */
	if (!read_state(replica, &arena, &state))
		remove_copy(replica);
	int failed = server_list(replica->server, &arena, state.newest ? state.newest - DAY : 0,
				 &listed, err);
	if (!failed)
		find_wanted(&state, &arena, &listed, &wanted, &changed);
	if (!failed && (wanted.count || !file_exists(replica->database))) {
		failed = fill(replica, &wanted, damaged, err);
		changed = true;
	}
	for (size_t i = 0; !failed && i < wanted.count; i++)
		*arena_add(&arena, &state.packs) = wanted.items[i];
	if (!failed && changed)
		failed = write_state(replica, &state, err);
	arena_free(&arena);
	return failed;
}

/* A copy that is damaged is made again, once. A list that is out of date is read again. */
static int bring(struct replica *replica, bool again, struct error *err)
{
	bool damaged;
	if (again)
		remove_copy(replica);
	for (int i = 0;; i++) {
		if (bring_once(replica, &damaged, err) == 0)
			return 0;
		if (i == TRIES || (!server_lost_pack(replica->server) && (!damaged || again)))
			return -1;
		if (damaged)
			remove_copy(replica);
		again = again || damaged;
	}
}

/* --- publishing --- */

static int send_pack(void *context, const struct jsonl_pack *pack, struct error *err)
{
	struct replica *replica = context;
	struct server_pack *made = arena_add(&replica->arena, &replica->made);
	return server_add(replica->server, pack->lines, (int64_t)pack->runs, &made->id, err);
}

static int publish_once(struct replica *replica, struct store *store, struct error *err)
{
	struct arena arena = {0};
	const struct jsonl_pack_sink sink = {send_pack, replica};
	struct jsonl_packs *packs = jsonl_packs_new(&arena, &sink);
	const struct store_taker taker = jsonl_packs_taker(packs);
	replica->made.count = 0;
	int failed = store_give_changes(store, &taker, err) < 0 || jsonl_packs_end(packs, err) < 0;
	if (failed)
		server_add_abandon(replica->server);
	else
		failed = server_add_end(replica->server, err) < 0;
	jsonl_packs_free(packs);
	arena_free(&arena);
	return failed ? -1 : 0;
}

static int publish(void *context, struct store *store, struct error *err)
{
	struct replica *replica = context;
	for (int i = 0;; i++) {
		if (publish_once(replica, store, err) == 0)
			return 0;
		if (i == TRIES || !server_may_retry(replica->server))
			return -1;
	}
}

/* Whether the database that is open is that of the path: another process may have made the copy
 * again. */
static bool is_present(const struct replica *replica)
{
	struct stat st;
	return stat(replica->database, &st) == 0 && st.st_dev == replica->device &&
	       st.st_ino == replica->file;
}

/* The copy has what it sent. Their times are not known: that of the newest pack is not later. */
static void note_made(void *context)
{
	struct replica *replica = context;
	struct arena arena = {0};
	struct error ignored;
	struct state state;
	int fd;
	if (lock(replica, &fd, &ignored) < 0)
		return;
	if (is_present(replica) && read_state(replica, &arena, &state) && state.newest) {
		for (size_t i = 0; i < replica->made.count; i++)
			*arena_add(&arena, &state.packs) =
				(struct server_pack){replica->made.items[i].id, state.newest};
		write_state(replica, &state, &ignored);
	}
	close(fd);
	arena_free(&arena);
}

/* --- opening --- */

static void end(void *context)
{
	struct replica *replica = context;
	server_close(replica->server);
	if (replica->own_fd >= 0)
		temporary_workspace_remove(replica->own, replica->own_fd);
	arena_free(&replica->arena);
	free(replica);
}

static void name_files(struct replica *replica, const char *folder, const char *project)
{
	struct hash_bytes hash;
	char hex[65];
	const char *identity =
		arena_printf(&replica->arena, "%s\n%s\n%d", server_origin(replica->server), project,
			     store_newest_version());
	hash_bytes_of(span_of(identity), &hash);
	hash_hex(hash.byte, hex);
	replica->database = arena_printf(&replica->arena, "%s/%.32s.db", folder, hex);
	replica->state = arena_printf(&replica->arena, "%s/%.32s.state", folder, hex);
	replica->lock = arena_printf(&replica->arena, "%s/%.32s.lock", folder, hex);
}

/* Who may not read the server may not read what comes from there. */
static bool can_use(const char *folder)
{
	struct error ignored;
	if (folder && !file_is_directory(folder) &&
	    (file_make_directory(folder, &ignored) < 0 || chmod(folder, 0700) < 0))
		return false;
	return folder && access(folder, R_OK | W_OK | X_OK) == 0;
}

static int choose_folder(struct replica *replica, const struct replica_request *request,
			 struct error *err)
{
	if (can_use(request->folder)) {
		name_files(replica, request->folder, request->project);
		return 0;
	}
	replica->own_fd = temporary_workspace(request->temporary, replica->own);
	if (replica->own_fd < 0)
		return error_errno(err, "%s: no folder for the copy of a store",
				   request->temporary);
	name_files(replica, replica->own, request->project);
	return 0;
}

/* With the lock: no other process makes the copy again meanwhile. */
static int open_copy(struct replica *replica, const struct replica_request *request,
		     struct store **store, struct error *err)
{
	struct stat st;
	if (bring(replica, request->again, err) < 0 ||
	    store_open(replica->database, request->mode, store, err) < 0)
		return -1;
	if (stat(replica->database, &st) == 0) {
		replica->device = st.st_dev;
		replica->file = st.st_ino;
	}
	return 0;
}

static int begin(struct replica *replica, const struct replica_request *request,
		 struct store **store, struct error *err)
{
	const struct server_request server = {request->address, request->project,
					      request->mode == STORE_CREATE};
	int fd;
	if (server_open(&server, &replica->server, err) < 0 ||
	    choose_folder(replica, request, err) < 0 || lock(replica, &fd, err) < 0)
		return -1;
	int failed = open_copy(replica, request, store, err);
	close(fd);
	return failed;
}

int replica_open(const struct replica_request *request, struct store **store, struct error *err)
{
	struct replica *replica = memory_allocate(1, sizeof *replica);
	struct store *opened;
	replica->own_fd = -1;
	if (begin(replica, request, &opened, err) < 0) {
		end(replica);
		return -1;
	}
	const struct store_publisher publisher = {request->mode == STORE_READ ? NULL : publish,
						  note_made, end, replica};
	store_publish_to(opened, &publisher);
	*store = opened;
	return 0;
}

/* --- comparing --- */

struct comparing {
	struct store *store;
	struct replica_check *check;
	struct arena arena;
	struct {
		struct hash_bytes *items;
		size_t count, capacity;
	} runs; /* of the server that the copy has, one of them perhaps twice */
};

static int look_for_run(void *context, const struct exchanged_run *run, struct error *err)
{
	struct comparing *comparing = context;
	struct hash_bytes hash;
	bool has;
	if (store_has_run(comparing->store, run->id, &has, err) < 0)
		return -1;
	comparing->check->missing += !has;
	if (has && hash_parse(run->id, &hash))
		*arena_add(&comparing->arena, &comparing->runs) = hash;
	return 0;
}

static int by_hash(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct hash_bytes));
}

/* Runs of the copy that the server does not have: it was restored from a backup. */
static int count_unserved(struct comparing *comparing, struct error *err)
{
	struct store_counts counts;
	size_t served = 0;
	struct hash_bytes *runs = comparing->runs.items;
	if (store_counts(comparing->store, &counts, err) < 0)
		return -1;
	array_sort(runs, comparing->runs.count, sizeof *runs, by_hash);
	for (size_t i = 0; i < comparing->runs.count; i++)
		served += i == 0 || by_hash(&runs[i], &runs[i - 1]) != 0;
	size_t kept = (size_t)(counts.runs + counts.removed);
	comparing->check->unserved = kept > served ? kept - served : 0;
	return 0;
}

static int compare_pack(void *context, const struct server_pack *pack, struct span lines,
			struct error *err)
{
	struct comparing *comparing = context;
	const struct store_taker taker = {.run = look_for_run, .context = comparing};
	char hex[65];
	hash_hex(pack->id.byte, hex);
	return jsonl_read_text(lines, &taker, hex, err);
}

int replica_compare(struct replica *replica, struct store *store, struct replica_check *check,
		    struct error *err)
{
	struct arena arena = {0};
	struct replica_check found = {.copy = replica->database};
	struct comparing comparing = {.store = store, .check = &found};
	const struct server_reading reading = {compare_pack, &comparing};
	struct server_pack_list packs;
	int failed = server_measure(replica->server, &found.size, err) < 0 ||
		     server_list(replica->server, &arena, 0, &packs, err) < 0 ||
		     server_read(replica->server, &packs, &reading, err) < 0 ||
		     count_unserved(&comparing, err) < 0;
	arena_free(&comparing.arena);
	arena_free(&arena);
	if (failed)
		return -1;
	*check = found;
	return 0;
}

int replica_measure(struct replica *replica, struct server_size *size, struct error *err)
{
	return server_measure(replica->server, size, err);
}

struct replica *replica_of(const struct store *store)
{
	const struct store_publisher *publisher = store_publisher_of(store);
	return publisher->close == end ? publisher->context : NULL;
}

/* --- compaction --- */

struct replica_compaction {
	struct replica *replica;
	struct arena *arena;
	struct server_pack_list old;
};

/* Packs that come from now on stay; the copy has all others. Without a state, whatever happens, the
 * copy is made again by the next opening: until the end it differs from the server. */
static int begin_compaction(struct replica_compaction *compaction, struct error *err)
{
	struct replica *replica = compaction->replica;
	if (server_list(replica->server, compaction->arena, 0, &compaction->old, err) < 0 ||
	    bring(replica, false, err) < 0)
		return -1;
	if (!is_present(replica))
		return error_set(
			err, ERR_STORE,
			"%s: another process made the copy again; nothing was deleted, try "
			"again",
			replica->database);
	file_remove(replica->state);
	return 0;
}

int replica_compact_begin(struct replica *replica, struct arena *arena,
			  struct replica_compaction **compaction, struct error *err)
{
	struct replica_compaction *begun = arena_new(arena, struct replica_compaction);
	int fd;
	*begun = (struct replica_compaction){.replica = replica, .arena = arena};
	if (lock(replica, &fd, err) < 0)
		return -1;
	int failed = begin_compaction(begun, err);
	close(fd);
	if (!failed)
		*compaction = begun;
	return failed;
}

/* All of them but those that are made again. */
static struct server_pack_list outdated(const struct replica_compaction *compaction)
{
	const struct server_pack_list *made = &compaction->replica->made;
	struct server_pack_list list = {0};
	array_sort(made->items, made->count, sizeof *made->items, by_id);
	for (size_t i = 0; i < compaction->old.count; i++) {
		const struct server_pack *pack = &compaction->old.items[i];
		if (!made->count || !bsearch(pack, made->items, made->count, sizeof *pack, by_id))
			*arena_add(compaction->arena, &list) = *pack;
	}
	return list;
}

static int make_packs(const struct replica_compaction *compaction, struct store *store,
		      struct error *err)
{
	static const struct store_wish all = {NULL, NULL};
	struct replica *replica = compaction->replica;
	const struct jsonl_pack_sink sink = {send_pack, replica};
	struct jsonl_packs *packs = jsonl_packs_new(compaction->arena, &sink);
	const struct store_taker taker = jsonl_packs_taker(packs);
	size_t set_aside = 0;
	replica->made.count = 0;
	int failed = store_give(store, &all, &taker, &set_aside, err) < 0 ||
		     jsonl_packs_end(packs, err) < 0;
	jsonl_packs_free(packs);
	if (failed || !set_aside)
		return failed ? -1 : 0;
	return error_set(err, ERR_STORE,
			 "%s: %zu damaged runs are set aside, and the server may have them whole: "
			 "`rooflog doctor --repair` makes the copy again",
			 replica->database, set_aside);
}

int replica_compact_end(struct replica_compaction *compaction, struct store *store,
			struct error *err)
{
	struct server *server = compaction->replica->server;
	int failed = make_packs(compaction, store, err);
	if (!failed) {
		const struct server_pack_list old = outdated(compaction);
		failed = server_remove(server, &old, err) < 0 || server_add_end(server, err) < 0;
	}
	if (failed)
		server_add_abandon(server);
	return failed ? -1 : 0;
}
