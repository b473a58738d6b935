/*
 * Runs of all clones, in a ref of the remote (vcs/share). SHA is the SHA-256 of an export, AB its
 * first two digits; these are the files of the ref:
 *   - runs/AB/SHA.jsonl: the export of some runs with their commits;
 *   - ids/AB/SHA: what is in it; "r" and the id of a run, or "c" and that of a commit, on each
 * line;
 *   - edits/AB/SHA.jsonl: all edits and baselines. A push has merged those that it replaces.
 * So a store that lacks runs reads only the files that have them, and a push adds what no file has.
 */
#include "cli/runs/store/move.h"

#include <unistd.h>

#include "base/hash/hash.h"
#include "db/jsonl/packs.h"
#include "model/renaming/renaming.h"
#include "vcs/share/share.h"

enum { ATTEMPTS = 60 };

struct hash_list {
	struct hash_bytes *items;
	size_t count, capacity;
};
struct id_list {
	const char **items;
	size_t count, capacity;
};

/* One attempt. */
struct sharing {
	struct arena *arena;
	struct store *store;
	const char *commit;                  /* that the ref names; NULL: none yet */
	struct share_list ids, packs, edits; /* its files, sorted by path */
	struct hash_list runs;               /* that its files have, sorted */
	struct id_list commits;              /* the same */
	struct share_list wanted;            /* exports with runs that are not here */
	struct store_taken taken;

	/* pushing */
	struct jsonl_packs *made;
	struct share_list added, gone;
	size_t pushed;
};

/* --- the files of the ref --- */

/* The name in the path of a file: folder, two digits, name, end. NULL: it is none of ours. */
static const char *name_in(const char *path, const char *folder, const char *end)
{
	size_t len = strlen(folder);
	struct hash_bytes ignored;
	char hex[65] = {0};
	if (strncmp(path, folder, len) != 0 || strlen(path) != len + 3 + 64 + strlen(end) ||
	    strncmp(path + len, path + len + 3, 2) != 0 || path[len + 2] != '/' ||
	    strcmp(path + len + 3 + 64, end) != 0)
		return NULL;
	memcpy(hex, path + len + 3, 64);
	return hash_parse(hex, &ignored) ? path + len + 3 : NULL;
}

static const char *path_of(struct arena *arena, const char *folder, const char *name,
			   const char *end)
{
	return arena_printf(arena, "%s%.2s/%s%s", folder, name, name, end);
}

static int find_files(struct sharing *s, struct error *err)
{
	struct share_list all;
	if (share_files(s->arena, s->commit, &all, err) < 0)
		return -1;
	for (size_t i = 0; i < all.count; i++) {
		const char *path = all.items[i].path;
		struct share_list *list = name_in(path, "ids/", "")           ? &s->ids
					  : name_in(path, "runs/", ".jsonl")  ? &s->packs
					  : name_in(path, "edits/", ".jsonl") ? &s->edits
									      : NULL;
		if (list)
			*arena_add(s->arena, list) = all.items[i];
	}
	return 0;
}

static const struct share_file *pack_named(const struct sharing *s, const char *name)
{
	size_t low = 0, high = s->packs.count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		const char *found = name_in(s->packs.items[middle].path, "runs/", ".jsonl");
		int order = strncmp(found, name, 64);
		if (order == 0)
			return &s->packs.items[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* Notes what a file has; *lacks: some of its runs are not here. */
static int read_ids(struct sharing *s, struct span text, bool *lacks, struct error *err)
{
	while (text.len) {
		struct span line = span_cut(&text, '\n');
		char id[65] = {0};
		struct hash_bytes hash;
		bool has = false;
		if (line.len < 42 || line.len > 66 || line.ptr[1] != ' ')
			return error_set(err, ERR_FORMAT, "a list of ids is damaged");
		memcpy(id, line.ptr + 2, line.len - 2);
		if (line.ptr[0] == 'c') {
			*arena_add(s->arena, &s->commits) = arena_strdup(s->arena, id);
			continue;
		}
		if (!hash_parse(id, &hash))
			return error_set(err, ERR_FORMAT, "a list of ids is damaged");
		*arena_add(s->arena, &s->runs) = hash;
		if (!*lacks && store_has_run(s->store, id, &has, err) < 0)
			return -1;
		*lacks = *lacks || !has;
	}
	return 0;
}

static int take_ids(void *context, size_t index, struct span bytes, struct error *err)
{
	struct sharing *s = context;
	const char *path = s->ids.items[index].path;
	bool lacks = false;
	if (read_ids(s, bytes, &lacks, err) < 0)
		return -1;
	const struct share_file *pack = pack_named(s, name_in(path, "ids/", ""));
	if (lacks && !pack)
		return error_set(err, ERR_FORMAT, "%s has no file of runs", path);
	if (lacks)
		*arena_add(s->arena, &s->wanted) = *pack;
	return 0;
}

static int by_hash(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct hash_bytes));
}

/* --- pulling --- */

static void name_export(struct span text, char name[65])
{
	struct hash_bytes hash;
	hash_bytes_of(text, &hash);
	hash_hex(hash.byte, name);
}

struct taking {
	struct sharing *sharing;
	const struct share_list *files;
	const struct store_taker *taker;
};

static int take_export(void *context, size_t index, struct span bytes, struct error *err)
{
	const struct taking *taking = context;
	const char *path = taking->files->items[index].path;
	char name[65];
	name_export(bytes, name);
	if (!strstr(path, name))
		return error_set(err, ERR_FORMAT, "%s is not what its name says", path);
	return jsonl_read_text(bytes, taking->taker, path, err);
}

static int take_files(struct sharing *s, const struct share_list *files,
		      const struct store_taker *taker, struct error *err)
{
	struct taking taking = {s, files, taker};
	return share_read(files, &(struct share_reading){take_export, &taking}, err);
}

static int take_all(struct sharing *s, struct error *err)
{
	struct arena arena = {0};
	struct store_intake *intake = store_intake_new(&arena, s->store);
	const struct store_taker taker = store_intake_taker(intake);
	int failed = take_files(s, &s->wanted, &taker, err) < 0 ||
		     take_files(s, &s->edits, &taker, err) < 0 ||
		     store_intake_end(intake, &s->taken, err) < 0;
	arena_free(&arena);
	return failed ? -1 : 0;
}

/* Brings what the remote has into the store, in one transaction. */
static int bring(struct sharing *s, const char *remote, struct error *err)
{
	if (share_fetch(s->arena, remote, &s->commit, err) < 0 || find_files(s, err) < 0 ||
	    share_read(&s->ids, &(struct share_reading){take_ids, s}, err) < 0)
		return -1;
	array_sort(s->runs.items, s->runs.count, sizeof *s->runs.items, by_hash);
	array_sort(s->commits.items, s->commits.count, sizeof *s->commits.items, array_by_text);
	if (store_begin(s->store, err) < 0)
		return -1;
	if (take_all(s, err) == 0)
		return store_commit(s->store, err);
	store_rollback(s->store);
	return -1;
}

/* --- pushing --- */

static int add_file(struct sharing *s, const char *path, struct span bytes, struct error *err)
{
	struct share_file *file = arena_add(s->arena, &s->added);
	file->path = path;
	return share_write(bytes, file->oid, err);
}

static int add_pack(void *context, const struct jsonl_pack *pack, struct error *err)
{
	struct sharing *s = context;
	char name[65];
	name_export(pack->lines, name);
	s->pushed += pack->runs;
	return add_file(s, path_of(s->arena, "runs/", name, ".jsonl"), pack->lines, err) < 0
		       ? -1
		       : add_file(s, path_of(s->arena, "ids/", name, ""), pack->ids, err);
}

static int pack_commit(void *context, const struct revision *commit, struct error *err)
{
	struct sharing *s = context;
	(void)err;
	bool known = s->commits.count && bsearch(&commit->oid, s->commits.items, s->commits.count,
						 sizeof *s->commits.items, array_by_text);
	jsonl_packs_commit(s->made, commit, known);
	return 0;
}

static int pack_run(void *context, const struct exchanged_run *given, struct error *err)
{
	struct sharing *s = context;
	const struct store_taker taker = jsonl_packs_taker(s->made);
	struct hash_bytes hash;
	bool known = hash_parse(given->id, &hash) && s->runs.count &&
		     bsearch(&hash, s->runs.items, s->runs.count, sizeof hash, by_hash);
	return known ? 0 : taker.run(taker.context, given, err);
}

static const struct store_wish everything = {NULL, NULL};

static int pack_runs(struct sharing *s, struct error *err)
{
	const struct store_taker taker = {pack_commit, pack_run, NULL, NULL, s};
	const struct jsonl_pack_sink sink = {add_pack, s};
	size_t set_aside;
	s->made = jsonl_packs_new(s->arena, &sink);
	int failed = store_give(s->store, &everything, &taker, &set_aside, err) < 0 ||
		     jsonl_packs_end(s->made, err) < 0;
	jsonl_packs_free(s->made);
	return failed ? -1 : 0;
}

/* One file in place of those that were merged. */
static int pack_edits(struct sharing *s, struct error *err)
{
	struct strbuf text = {0};
	char name[65];
	size_t set_aside;
	struct jsonl_writer writer = jsonl_begin(&text, NULL, true);
	struct store_taker taker = jsonl_taker(&writer);
	taker.commit = NULL;
	taker.run = NULL;
	int failed = store_give(s->store, &everything, &taker, &set_aside, err);
	jsonl_end(&writer);
	name_export(strbuf_span(&text), name);
	const char *path = path_of(s->arena, "edits/", name, ".jsonl");
	bool there = writer.amount.edits + writer.amount.baselines == 0;
	for (size_t i = 0; i < s->edits.count; i++) {
		bool same = strcmp(s->edits.items[i].path, path) == 0;
		there = there || same;
		if (!same)
			*arena_add(s->arena, &s->gone) = s->edits.items[i];
	}
	if (!failed && !there)
		failed = add_file(s, path, strbuf_span(&text), err);
	strbuf_free(&text);
	return failed;
}

/* *rejected: another push came first. */
static int offer(struct sharing *s, const char *remote, bool *rejected, struct error *err)
{
	const char *made;
	*rejected = false;
	if (pack_runs(s, err) < 0 || pack_edits(s, err) < 0)
		return -1;
	if (s->added.count + s->gone.count == 0)
		return 0;
	return share_add(s->arena, s->commit, &s->added, &s->gone, &made, err) < 0
		       ? -1
		       : share_push(remote, made, rejected, err);
}

/* A time that grows, and differs between those that wait. */
static void wait_before(const struct cli *cli, int attempt)
{
	unsigned ceiling = 20000u << (attempt < 6 ? attempt : 6);
	unsigned spread = (unsigned)(cli->begun ^ ((int64_t)getpid() << 7)) + 7919u * attempt;
	usleep(ceiling / 2 + spread * 2654435761u % (ceiling / 2));
}

/* --- the verbs --- */

struct shared {
	struct store_taken taken;
	size_t pushed;
};

static int share_once(struct cli *cli, const char *remote, bool pushes, struct shared *shared,
		      bool *rejected, struct error *err)
{
	struct arena arena = {0};
	struct sharing s = {.arena = &arena, .store = cli->store};
	*rejected = false;
	int failed = bring(&s, remote, err);
	if (!failed) {
		shared->taken.runs += s.taken.runs;
		shared->taken.earlier += s.taken.earlier;
		shared->taken.restored += s.taken.restored;
		shared->taken.commits += s.taken.commits;
		shared->taken.edits += s.taken.edits;
		shared->taken.baselines += s.taken.baselines;
	}
	if (!failed && pushes)
		failed = offer(&s, remote, rejected, err);
	shared->pushed = s.pushed;
	arena_free(&arena);
	return failed;
}

static int share(struct cli *cli, const char *remote, bool pushes, struct shared *shared,
		 struct error *err)
{
	bool rejected = false;
	for (int i = 0; i < ATTEMPTS; i++) {
		if (share_once(cli, remote, pushes, shared, &rejected, err) < 0)
			return -1;
		if (!rejected)
			return 0;
		wait_before(cli, i);
	}
	return error_set(err, ERR_SYSTEM,
			 "%s: others pushed each time, %d times; nothing is lost, push again",
			 remote, ATTEMPTS);
}

static int exchange(struct cli *cli, const struct move_options *wanted, bool pushes,
		    struct error *err)
{
	static const struct renaming_list as_stored = {0};
	const char *remote = wanted->remote ? wanted->remote : "origin";
	struct share_lock lock;
	struct shared shared = {.pushed = 0};
	if (cli_open_store(cli, pushes ? STORE_WRITE : STORE_CREATE, err) < 0 ||
	    store_use_aliases(cli->store, &as_stored, err) < 0 || share_lock(&lock, err) < 0)
		return -1;
	int failed = share(cli, remote, pushes, &shared, err);
	share_unlock(&lock);
	return failed ? -1
		      : move_say_shared(cli, remote, &shared.taken, shared.pushed, pushes, err);
}

int move_push(struct cli *cli, void *options, struct error *err)
{
	return exchange(cli, options, true, err);
}

int move_pull(struct cli *cli, void *options, struct error *err)
{
	return exchange(cli, options, false, err);
}
