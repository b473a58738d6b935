/* Commits, baselines, which are names that point to commits, and files in the trees of commits. */

#include "base/hash/hash.h"
#include "db/store/store.h"
#include "db/store/internal.h"
#include "model/commits/commits.h"

/* Full ids separated by single spaces; "" is an empty list. */
static bool is_oid_list(const char *text)
{
	struct span rest = span_of(text);
	while (rest.ptr && text[0])
		if (!object_id_is_full(span_cut(&rest, ' ')))
			return false;
	return true;
}

static int damaged_oid(const struct query *query, struct error *err)
{
	return error_set(err, ERR_STORE, "%s: the store holds a damaged commit id",
			 sql_path(query->sql));
}

/* Also '', for no commit. */
static int read_object_id_or_none(struct query *query, struct arena *arena, const char **oid,
				  struct error *err)
{
	const char *text = query_required_text(query, arena);
	if (*text && !object_id_is_full(span_of(text)))
		return damaged_oid(query, err);
	*oid = text;
	return 0;
}

int store_object_id_read(struct query *query, struct arena *arena, const char **oid,
			 struct error *err)
{
	const char *read;
	if (read_object_id_or_none(query, arena, &read, err) < 0)
		return -1;
	if (!*read)
		return damaged_oid(query, err);
	*oid = read;
	return 0;
}

int64_t store_time_read(struct query *query, int64_t first)
{
	int64_t time = query_integer_within(query, first, INT64_MAX);
	return time < STORE_LAST_SECOND ? time : STORE_LAST_SECOND;
}

/* The file that stands for the commit; NULL: none does. */
static const char *file_of(const struct store *store, const char *oid)
{
	for (size_t i = 0; store->files && i < store->files->count; i++)
		if (strcmp(store->files->items[i].oid, oid) == 0)
			return store->files->items[i].file;
	return NULL;
}

int store_revision_read(const struct store *store, struct query *query, struct arena *arena,
			struct revision *revision, struct error *err)
{
	struct seal seal = {0};
	query->seal = &seal;
	query_integer(query); /* rowid */
	if (store_object_id_read(query, arena, &revision->oid, err) < 0) {
		query->seal = NULL;
		return -1;
	}
	revision->tree = query_text(query, arena);
	revision->patch_id = query_text(query, arena);
	revision->parent = query_text(query, arena);
	revision->parents = query_text(query, arena);
	revision->position = query_integer_within(query, -1, STORE_LAST_POSITION);
	revision->time = store_time_read(query, 0);
	revision->subject = query_text(query, arena);
	query_check_seal(query);
	revision->file = file_of(store, revision->oid);
	if (!revision->parent)
		revision->parent = "";
	if ((revision->parent[0] && !object_id_is_full(span_of(revision->parent))) ||
	    (revision->parents && !is_oid_list(revision->parents)))
		return damaged_oid(query, err);
	if (strcmp(revision->parent, revision->oid) != 0)
		return 0;
	return error_set(err, ERR_STORE,
			 "%s: the store holds a commit that is its own parent (%.10s)",
			 sql_path(query->sql), revision->oid);
}

int store_revision_expect(const struct store *store, const struct revision *found, const char *oid,
			  struct error *err)
{
	if (span_text_eq(found->oid, oid))
		return 0;
	return error_set(err, ERR_STORE,
			 "%s: the store is damaged: its index finds commit %.10s under the id "
			 "%.10s; `rooflog doctor --repair` rebuilds the index",
			 sql_path(store->sql), found->oid, oid);
}

/* Binds the columns of the table after the rowid, up to the subject. */
static void bind_revision(struct query *query, const struct revision *revision)
{
	query_bind_text(query, revision->oid);
	query_bind_text(query, revision->tree);
	query_bind_text(query, revision->patch_id);
	query_bind_text(query, revision->parent);
	query_bind_text(query, revision->parents);
	query_bind_integer(query, revision->position);
	query_bind_integer(query, revision->time);
	query_bind_text(query, revision->subject);
}

static const char *longer(const char *stored, const char *given)
{
	return stored && stored[0] ? stored : given ? given : stored;
}

/* The stored commit, completed: an empty text is filled, and a higher position (of a deeper
 * history) replaces a lower one. */
static struct revision completed(const struct revision *stored, const struct revision *given)
{
	struct revision all = *stored;
	all.tree = longer(stored->tree, given->tree);
	all.patch_id = longer(stored->patch_id, given->patch_id);
	all.parent = longer(stored->parent, given->parent);
	all.parents = longer(stored->parents, given->parents);
	all.subject = longer(stored->subject, given->subject);
	all.position = given->position > stored->position ? given->position : stored->position;
	return all;
}

static bool is_same(const struct revision *a, const struct revision *b)
{
	return span_text_eq(a->tree, b->tree) && span_text_eq(a->patch_id, b->patch_id) &&
	       span_text_eq(a->parent, b->parent) && span_text_eq(a->parents, b->parents) &&
	       span_text_eq(a->subject, b->subject) && a->position == b->position;
}

int store_revision_put(struct store *store, int64_t row, const struct revision *revision,
		       struct error *err)
{
	struct seal seal = {0};
	struct query query = query_start(store->sql, "revision/put");
	query.seal = &seal;
	query_bind_integer(&query, row);
	bind_revision(&query, revision);
	query_bind_seal(&query);
	store_changes_commit(store, revision->oid);
	return query_execute(&query, err);
}

static int complete_revision(struct store *store, struct arena *arena, int64_t row,
			     const struct revision *revision, struct error *err)
{
	struct revision stored = {0};
	if (store_revision(store, arena, revision->oid, &stored, err) < 0)
		return -1;
	struct revision all = completed(&stored, revision);
	return is_same(&all, &stored) ? 0 : store_revision_put(store, row, &all, err);
}

static int add_revision(struct store *store, const struct revision *revision, struct error *err)
{
	int64_t row = 0;
	struct query query = query_start(store->sql, "revision/find");
	query_bind_text(&query, revision->oid);
	if (query_find(&query, &row, err) < 0)
		return -1;
	if (row == 0)
		return store_next_row(store, "revision/last", UINT32_MAX - 1, &row, err) < 0
			       ? -1
			       : store_revision_put(store, row, revision, err);
	struct arena scratch = {0};
	int failed = complete_revision(store, &scratch, row, revision, err);
	arena_free(&scratch);
	return failed;
}

int store_add_revision(struct store *store, const struct revision *revision, struct error *err)
{
	if (sql_in_transaction(store->sql))
		return add_revision(store, revision, err);
	if (store_scope_begin(store, err) < 0)
		return -1;
	return store_scope_end(store, add_revision(store, revision, err) < 0, err);
}

int store_revision_row(struct store *store, const char *oid, int64_t *row, struct error *err)
{
	struct query query = query_start(store->sql, "revision/find");
	query_bind_text(&query, oid);
	return query_find(&query, row, err);
}

bool store_has_revision(struct store *store, const char *oid)
{
	struct error ignored;
	int64_t row = 0;
	return store_revision_row(store, oid, &row, &ignored) < 0 || row != 0 ||
	       store_commits_check(store, &ignored) < 0;
}

int store_revision_unknown(struct store *store, const char *oid, struct error *err)
{
	if (store_commits_check(store, err) < 0)
		return -1;
	return error_set(err, ERR_REVISION,
			 "%s: commit %s is not in the store; ingest one of its profiles first",
			 sql_path(store->sql), oid ? oid : "(none)");
}

int store_revision(struct store *store, struct arena *arena, const char *oid,
		   struct revision *revision, struct error *err)
{
	struct revision stored = {0};
	struct query query = query_start(store->sql, "revision/revision");
	query_bind_text(&query, oid);
	bool found = query_next(&query);
	if (found && store_revision_read(store, &query, arena, &stored, err) < 0)
		return query_abandon(&query);
	if (query_finish(&query, err) < 0)
		return -1;
	if (!found)
		return store_revision_unknown(store, oid, err);
	if (store_revision_expect(store, &stored, oid, err) < 0)
		return -1;
	*revision = stored;
	return 0;
}

int store_commits(struct store *store, struct arena *arena, struct store_commit_list *commits,
		  struct error *err)
{
	struct query query = query_start(store->sql, "revision/measured");
	while (query_next(&query)) {
		struct store_commit_entry one = {.measured = false};
		if (store_revision_read(store, &query, arena, &one.revision, err) < 0)
			return query_abandon(&query);
		int64_t runs = query_integer(&query);
		one.measured = runs == 2;
		one.emptied = runs == 1;
		*arena_add(arena, commits) = one;
	}
	return query_finish(&query, err);
}

int store_ancestor_with_series(struct store *store, struct arena *arena, const char *oid,
			       const char *series, struct revision *revision, int64_t *age,
			       bool *found, bool *truncated, struct error *err)
{
	struct revision last = {0};
	bool has_runs = false;
	int64_t steps = 0, row = 0;
	if (store_revision_row(store, oid, &row, err) < 0)
		return -1;
	if (row == 0)
		return store_revision_unknown(store, oid, err);
	struct query query = query_start(store->sql, "revision/ancestor");
	query_bind_text(&query, oid);
	query_bind_text(&query, series);
	if (query_next(&query)) {
		has_runs = query_integer(&query) != 0;
		steps = query_integer(&query);
		if (store_revision_read(store, &query, arena, &last, err) < 0)
			return query_abandon(&query);
	}
	if (query_finish(&query, err) < 0)
		return -1;
	bool cut = !has_runs && last.parent && *last.parent;
	if (store_members_check_path(store, oid, steps, err) < 0 ||
	    (cut && store_commits_check(store, err) < 0) ||
	    (!has_runs && store_series_check(store, err) < 0))
		return -1;
	*found = has_runs;
	*truncated = cut;
	if (has_runs) {
		*revision = last;
		*age = steps;
	}
	return 0;
}

int store_put_baseline(struct store *store, const struct baseline *baseline, struct error *err)
{
	struct seal seal = {0};
	if (store_scope_begin(store, err) < 0)
		return -1;
	struct query query = query_start(store->sql, "baseline/set");
	query.seal = &seal;
	query_bind_text(&query, baseline->name);
	query_bind_text(&query, baseline->oid);
	query_bind_integer(&query, baseline->set_at);
	query_bind_integer(&query, baseline->pinned);
	query_bind_seal(&query);
	store_changes_baseline(store, baseline->name);
	return store_scope_end(store, query_execute(&query, err) < 0, err);
}

/* What the name stood for is *before; oid is '' if it stood for nothing. The later row of a name
 * counts in every store, so the clock must not go back. */
static int replace_baseline(struct store *store, struct arena *arena, struct baseline *next,
			    struct baseline *before, struct error *err)
{
	struct baseline_list list = {0};
	*before = (struct baseline){.oid = ""};
	if (store_baselines_all(store, arena, &list, err) < 0)
		return -1;
	for (size_t i = 0; i < list.count; i++)
		if (strcmp(list.items[i].name, next->name) == 0)
			*before = list.items[i];
	if (!*next->oid && !*before->oid)
		return 0;
	if (before->name && next->set_at <= before->set_at)
		next->set_at = before->set_at + 1;
	return store_put_baseline(store, next, err);
}

int store_set_baseline(struct store *store, const char *name, const char *oid, int64_t set_at,
		       bool pinned, struct error *err)
{
	struct arena scratch = {0};
	struct baseline next = {name, oid, set_at, pinned}, before;
	int failed = replace_baseline(store, &scratch, &next, &before, err);
	arena_free(&scratch);
	return failed;
}

int store_remove_baseline(struct store *store, const char *name, int64_t now, bool *removed,
			  struct error *err)
{
	struct arena scratch = {0};
	struct baseline next = {name, "", now, false}, before;
	int failed = replace_baseline(store, &scratch, &next, &before, err);
	if (!failed)
		*removed = *before.oid;
	arena_free(&scratch);
	return failed;
}

static int read_baseline(struct query *query, struct arena *arena, struct baseline *baseline,
			 struct error *err)
{
	struct seal seal = {0};
	query->seal = &seal;
	baseline->name = query_required_text(query, arena);
	if (read_object_id_or_none(query, arena, &baseline->oid, err) < 0) {
		query->seal = NULL;
		return -1;
	}
	baseline->set_at = store_time_read(query, 0);
	baseline->pinned = query_integer(query) != 0;
	query_check_seal(query);
	return 0;
}

int store_baselines_all(struct store *store, struct arena *arena, struct baseline_list *list,
			struct error *err)
{
	struct baseline_list found = {0};
	struct query query = query_start(store->sql, "baseline/baselines");
	while (query_next(&query))
		if (read_baseline(&query, arena, arena_add(arena, &found), err) < 0)
			return query_abandon(&query);
	if (query_finish(&query, err) < 0)
		return -1;
	*list = found;
	return 0;
}

int store_baselines(struct store *store, struct arena *arena, struct baseline_list *list,
		    struct error *err)
{
	struct baseline_list all = {0};
	if (store_baselines_all(store, arena, &all, err) < 0)
		return -1;
	list->items = all.items;
	list->capacity = all.capacity;
	list->count = 0;
	for (size_t i = 0; i < all.count; i++)
		if (*all.items[i].oid)
			list->items[list->count++] = all.items[i];
	return 0;
}

/* --- rooflog's files in the trees of commits, such as .rooflog/accept; the same file is stored
 * once --- */

/* Reads the bytes of a file from the next column. False unless they have the hash. */
static bool read_bytes(struct query *query, struct arena *arena, const struct hash_bytes *stored,
		       struct span *file)
{
	struct hash_bytes hash;
	struct span bytes;
	bytes.ptr = query_bytes(query, &bytes.len);
	if (!bytes.len || bytes.len > STORE_TREE_FILE_LIMIT)
		return false;
	hash_bytes_of(bytes, &hash);
	if (memcmp(hash.byte, stored->byte, sizeof hash.byte) != 0)
		return false;
	*file = (struct span){arena_strndup(arena, bytes.ptr, bytes.len), bytes.len};
	return true;
}

/* With a damaged row or file nothing is known, and the caller asks git. */
static void read_file(struct query *query, struct arena *arena, struct store_tree_file *file)
{
	struct hash_bytes hash = {{0}};
	struct seal seal = {0};
	size_t len;
	query->seal = &seal;
	query_text(query, arena); /* oid */
	query_text(query, arena); /* path */
	const void *name = query_bytes(query, &len);
	if (len == sizeof hash.byte)
		memcpy(hash.byte, name, len);
	bool whole = query_seal_fits(query);
	file->found = query_integer(query) != 0;
	file->known = whole && (file->found ? len == sizeof hash.byte &&
						      read_bytes(query, arena, &hash, &file->bytes)
					    : len == 0);
}

int store_tree_file(struct store *store, struct arena *arena, const char *const place[2],
		    struct store_tree_file *file, struct error *err)
{
	struct store_tree_file stored = {0};
	struct query query = query_start(store->sql, "tree/file");
	query_bind_text(&query, place[0]);
	query_bind_text(&query, place[1]);
	if (query_next(&query))
		read_file(&query, arena, &stored);
	if (query_finish(&query, err) < 0)
		return -1;
	*file = stored;
	return 0;
}

static int add_file(struct store *store, struct span bytes, struct hash_bytes *hash,
		    struct error *err)
{
	hash_bytes_of(bytes, hash);
	struct query query = query_start(store->sql, "tree/bytes_add");
	query_bind_bytes(&query, hash->byte, sizeof hash->byte);
	query_bind_bytes(&query, bytes.ptr, bytes.len);
	return query_execute(&query, err);
}

static int add(struct store *store, const char *const place[2], const struct span *bytes,
	       struct error *err)
{
	struct hash_bytes hash;
	struct seal seal = {0};
	bool file = bytes && bytes->len;
	if (file && add_file(store, *bytes, &hash, err) < 0)
		return -1;
	struct query query = query_start(store->sql, "tree/add");
	query.seal = &seal;
	query_bind_text(&query, place[0]);
	query_bind_text(&query, place[1]);
	query_bind_bytes(&query, file ? hash.byte : NULL, file ? sizeof hash.byte : 0);
	query_bind_seal(&query);
	return query_execute(&query, err);
}

int store_add_tree_file(struct store *store, const char *const place[2], const struct span *bytes,
			struct error *err)
{
	if (store_scope_begin(store, err) < 0)
		return -1;
	return store_scope_end(store, add(store, place, bytes, err) < 0, err);
}
