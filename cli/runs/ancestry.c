/* Asks the store's commits first, then git. The store answers if its commits form the whole path
 * between the two; opening git's objects costs more than the rest of a gate. */
#include "cli/runs/runs.h"

#include "model/commits/commits.h"

struct looking {
	struct store *store;
	struct arena arena;
};

static bool find(void *context, const char *oid, struct revision *revision)
{
	struct looking *looking = context;
	struct error ignored;
	return store_revision(looking->store, &looking->arena, oid, revision, &ignored) == 0;
}

static enum ancestry by_store(struct cli *cli, const char *one, const char *two, char base[65])
{
	struct looking looking = {.store = cli->store};
	const char *found = NULL;
	if (!cli->store)
		return ANCESTRY_OPEN;
	enum ancestry answer = ancestry_merge_base(find, &looking, one, two, &found);
	if (answer == ANCESTRY_FOUND)
		memcpy(base, found, strlen(found) + 1);
	arena_free(&looking.arena);
	return answer;
}

bool runs_stored_merge_base(struct cli *cli, const char *one, const char *two, char base[65])
{
	return by_store(cli, one, two, base) == ANCESTRY_FOUND;
}

int runs_merge_base(struct cli *cli, const char *one, const char *two, char base[65],
		    struct error *err)
{
	enum ancestry answer = by_store(cli, one, two, base);
	if (answer == ANCESTRY_FOUND)
		return 0;
	if (answer == ANCESTRY_NONE)
		return error_set(err, ERR_REVISION, "%s and %s have no common ancestor", one, two);
	return repository_merge_base(cli->repository, one, two, base, err);
}

int runs_is_ancestor(struct cli *cli, const char *ancestor, const char *oid, bool *yes,
		     struct error *err)
{
	char base[65];
	enum ancestry answer = by_store(cli, ancestor, oid, base);
	if (answer == ANCESTRY_OPEN)
		return repository_is_ancestor(cli->repository, ancestor, oid, yes, err);
	*yes = answer == ANCESTRY_FOUND && strcmp(base, ancestor) == 0;
	return 0;
}

/* The stored commits, and those above them on both chains, which git knows. */
struct looking_above {
	struct looking stored;
	struct revision_list above[2]; /* from the newest down */
	size_t next[2];
};

/* Both chains are walked down at the same pace. So the commit is the next one of a chain or, where
 * the other chain has come first to a commit of both, the one before it. */
static bool find_above(void *context, const char *oid, struct revision *revision)
{
	struct looking_above *looking = context;
	if (find(&looking->stored, oid, revision))
		return true;
	for (size_t i = 0; i < 2; i++) {
		size_t *next = &looking->next[i];
		for (size_t k = *next ? *next - 1 : 0; k <= *next && k < looking->above[i].count;
		     k++)
			if (strcmp(looking->above[i].items[k].oid, oid) == 0) {
				*next = k + 1;
				*revision = looking->above[i].items[k];
				return true;
			}
	}
	return false;
}

int runs_first_parent_base(struct cli *cli, const char *one, const char *two, char base[65],
			   struct error *err)
{
	const char *ends[2] = {one, two}, *found = NULL;
	struct looking_above looking = {.stored = {.store = cli->store}};
	for (size_t i = 0; i < 2; i++)
		if (!store_has_revision(cli->store, ends[i]) &&
		    repository_first_parents(cli->repository, &cli->arena, ends[i],
					     runs_known_position, cli, &looking.above[i], err) < 0)
			return -1;
	enum ancestry answer = ancestry_first_parent(find_above, &looking, one, two, &found);
	if (answer == ANCESTRY_FOUND)
		snprintf(base, 65, "%s", found);
	arena_free(&looking.stored.arena);
	return answer == ANCESTRY_FOUND
		       ? 0
		       : error_set(err, ERR_REVISION, "the first parents of %s and %s do not meet",
				   one, two);
}

bool runs_any_other(struct cli *cli, const char *oid)
{
	enum { BATCH = 256 };
	struct arena arena = {0};
	const struct run_query query = {.clean_only = true};
	struct store_cursor *cursor;
	struct error unread;
	bool other = false, more = true;
	if (store_runs_start(cli->store, &arena, &query, &cursor, &unread) < 0) {
		arena_free(&arena);
		return true;
	}
	while (more && !other) {
		struct arena batch = {0};
		struct store_run_list runs = {0};
		other = store_runs_next(cursor, &batch, BATCH, &runs, &unread) < 0;
		for (size_t i = 0; !other && i < runs.count; i++)
			other = strcmp(runs.items[i].revision.oid, oid) != 0;
		more = runs.count > 0;
		arena_free(&batch);
	}
	store_runs_end(cursor);
	arena_free(&arena);
	return other;
}
