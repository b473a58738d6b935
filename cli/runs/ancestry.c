/* Asks the store's commits first, if one is open, then git. The store answers if its commits form
 * the whole path between the two; opening git's objects costs more than the rest of a gate. */
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
	return looking->store &&
	       store_revision(looking->store, &looking->arena, oid, revision, &ignored) == 0;
}

static bool is_stored(const struct cli *cli, const char *oid)
{
	return cli->store && store_has_revision(cli->store, oid);
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
		if (!is_stored(cli, ends[i]) &&
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

struct commit_ids {
	const char **items;
	size_t count, capacity;
};

/* The first-parent chain from `tip` down to before `end`, or as far as it is known. */
static int chain_to(struct cli *cli, const char *tip, const char *end, struct commit_ids *chain,
		    struct error *err)
{
	struct revision_list above = {0};
	struct revision at = {.parent = tip};
	struct error unknown;
	if (!is_stored(cli, tip) &&
	    repository_first_parents(cli->repository, &cli->arena, tip, runs_known_position, cli,
				     &above, err) < 0)
		return -1;
	for (size_t i = 0; i < above.count && strcmp(above.items[i].oid, end) != 0; i++) {
		at = above.items[i];
		*arena_add(&cli->arena, chain) = at.oid;
	}
	while (cli->store && at.parent[0] && strcmp(at.parent, end) != 0 &&
	       store_revision(cli->store, &cli->arena, at.parent, &at, &unknown) == 0)
		*arena_add(&cli->arena, chain) = at.oid;
	return 0;
}

int runs_newest_contained(struct cli *cli, const char *oid, const char *tip, char base[65],
			  struct error *err)
{
	char meets[65] = "";
	struct error apart;
	struct commit_ids chain = {0};
	/* A merge base on the chain is the newest: any newer one would be a better common ancestor.
	 */
	if (runs_first_parent_base(cli, base, tip, meets, &apart) == 0 && strcmp(meets, base) == 0)
		return 0;
	if (chain_to(cli, tip, meets, &chain, err) < 0)
		return -1;
	/* Ancestors of an ancestor are ancestors, so those of the chain are its end. */
	size_t low = 0, high = chain.count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		bool yes;
		if (runs_is_ancestor(cli, chain.items[middle], oid, &yes, err) < 0)
			return -1;
		if (yes)
			high = middle;
		else
			low = middle + 1;
	}
	const char *newest = high < chain.count ? chain.items[high] : meets;
	if (!newest[0])
		return error_set(err, ERR_REVISION, "%s has no commit of the branch at %s", oid,
				 tip);
	memmove(base, newest, strlen(newest) + 1);
	return 0;
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
