/* Finds measured commits that a rebase or a squash replaced, and adopts their runs. */
#include "cli/setup/setup.h"

#include "cli/runs/runs.h"
#include "model/run/runs.h"

/* The newest commits without runs whose patch ids are compared: git makes a diff for each. */
enum { PATCHES_COMPARED = 100 };

static const char measured_at[] = "measured_at_commit";

/* A commit of the branch. */
struct place {
	const char *key; /* its tree, or its patch id */
	struct revision revision;
};
struct places {
	struct place *items;
	size_t count, capacity;
};

struct looking {
	struct cli *cli;
	struct store_commit_list stored; /* by id */
	bool *in_branch;                 /* of each */
	struct revision_list unmeasured; /* of the branch, newest first */
};

static int by_oid(const void *key, const void *item)
{
	return strcmp(key, ((const struct store_commit_entry *)item)->revision.oid);
}

static struct store_commit_entry *find(const struct looking *looking, const char *oid)
{
	const struct store_commit_list *stored = &looking->stored;
	return stored->count
		       ? bsearch(oid, stored->items, stored->count, sizeof *stored->items, by_oid)
		       : NULL;
}

/* Takes a commit of the branch. It may be stored even if it was not found when git was walked. */
static void take(struct looking *looking, const struct revision *revision)
{
	const struct store_commit_entry *entry = find(looking, revision->oid);
	if (entry)
		looking->in_branch[entry - looking->stored.items] = true;
	if (!entry || (!entry->measured && !entry->emptied))
		*arena_next(&looking->cli->arena, looking->unmeasured.items,
			    looking->unmeasured.count, looking->unmeasured.capacity) = *revision;
}

/* The first-parent chain of HEAD: what git has above the stored commits, then those. */
static int walk_branch(struct looking *looking, struct revision_list *above, struct error *err)
{
	struct cli *cli = looking->cli;
	char head[65];
	if (repository_resolve(cli->repository, "HEAD", head, err) < 0 ||
	    repository_first_parents(cli->repository, &cli->arena, head, runs_known_position, cli,
				     above, err) < 0)
		return -1;
	for (size_t i = 0; i < above->count; i++)
		take(looking, &above->items[i]);
	const char *next = above->count ? above->items[above->count - 1].parent : head;
	struct store_commit_entry *entry = find(looking, next);
	/* A damaged store may have commits in a circle. */
	for (size_t steps = 0; entry && steps < looking->stored.count; steps++) {
		take(looking, &entry->revision);
		entry = find(looking, entry->revision.parent);
	}
	return 0;
}

/* By key; of those with the same key the oldest first. */
static int by_key(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = strcmp(x->key, y->key);
	return order ? order
		     : (x->revision.position > y->revision.position) -
			       (x->revision.position < y->revision.position);
}

static void add_place(struct looking *looking, struct places *places, const char *key,
		      const struct revision *revision)
{
	if (key && key[0])
		*arena_add(&looking->cli->arena, places) = (struct place){key, *revision};
}

/* The oldest commit with the key. */
static const struct place *place_of(const struct places *places, const char *key)
{
	const struct place wanted = {.key = key, .revision = {.position = INT64_MIN}};
	if (!key || !key[0] || !places->count)
		return NULL;
	size_t at = array_lower_bound(&wanted, places->items, places->count, sizeof wanted, by_key);
	return at < places->count && strcmp(places->items[at].key, key) == 0 ? &places->items[at]
									     : NULL;
}

/* Adds the measured commits outside of the branch that have a place; `placed` has those that do. */
static void match(struct looking *looking, struct places *places, bool same_tree, bool *placed,
		  struct rewritten_list *list)
{
	if (places->count)
		array_sort(places->items, places->count, sizeof *places->items, by_key);
	for (size_t i = 0; i < looking->stored.count; i++) {
		const struct store_commit_entry *entry = &looking->stored.items[i];
		const struct revision *was = &entry->revision;
		const struct place *place =
			entry->measured && !looking->in_branch[i] && !placed[i]
				? place_of(places, same_tree ? was->tree : was->patch_id)
				: NULL;
		if (!place)
			continue;
		placed[i] = true;
		*arena_add(&looking->cli->arena, list) =
			(struct rewritten){*was, place->revision, same_tree};
	}
}

/* Whether any measured commit outside of the branch has no place yet, and a patch id. */
static bool has_patches(const struct looking *looking, const bool *placed)
{
	for (size_t i = 0; i < looking->stored.count; i++) {
		const struct store_commit_entry *entry = &looking->stored.items[i];
		if (entry->measured && !looking->in_branch[i] && !placed[i] &&
		    entry->revision.patch_id && entry->revision.patch_id[0])
			return true;
	}
	return false;
}

static bool has_place(const struct rewritten_list *list, const char *now)
{
	bool has = false;
	for (size_t i = 0; i < list->count; i++)
		has = has || strcmp(list->items[i].now.oid, now) == 0;
	return has;
}

static int patches_of(struct looking *looking, const struct rewritten_list *list,
		      struct places *places, struct error *err)
{
	struct cli *cli = looking->cli;
	for (size_t i = 0; i < looking->unmeasured.count && i < PATCHES_COMPARED; i++) {
		const struct revision *revision = &looking->unmeasured.items[i];
		struct revision own;
		if (has_place(list, revision->oid))
			continue;
		if (repository_revision(cli->repository, &cli->arena, revision->oid, true, &own,
					err) < 0)
			return -1;
		add_place(looking, places, own.patch_id, revision);
	}
	return 0;
}

int setup_find_rewritten(struct cli *cli, struct rewritten_list *list, struct error *err)
{
	struct looking looking = {.cli = cli};
	struct places trees = {0}, patches = {0};
	if (store_commits(cli->store, &cli->arena, &looking.stored, err) < 0)
		return -1;
	size_t count = looking.stored.count;
	bool *placed = arena_array(&cli->arena, count + 1, sizeof *placed);
	looking.in_branch = arena_array(&cli->arena, count + 1, sizeof *looking.in_branch);
	memset(placed, 0, (count + 1) * sizeof *placed);
	memset(looking.in_branch, 0, (count + 1) * sizeof *looking.in_branch);
	if (walk_branch(&looking, &list->above, err) < 0)
		return -1;
	for (size_t i = 0; i < looking.unmeasured.count; i++)
		add_place(&looking, &trees, looking.unmeasured.items[i].tree,
			  &looking.unmeasured.items[i]);
	match(&looking, &trees, true, placed, list);
	if (!has_patches(&looking, placed))
		return 0;
	if (patches_of(&looking, list, &patches, err) < 0)
		return -1;
	match(&looking, &patches, false, placed, list);
	return 0;
}

/* --- their runs --- */

/* The runs of one measurement. */
static int give_measurement(struct cli *cli, const struct rewritten *one, struct run **runs,
			    size_t count, size_t *given, struct error *err)
{
	size_t new = 0;
	if (store_begin(cli->store, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		struct run *run = runs[i];
		enum store_added added;
		char id[65];
		run->commit = one->now.oid;
		/* Joined, so that the run is the one that its file would give. */
		if (!run_attribute(run, measured_at)) {
			run_add_attribute(&cli->arena, run, measured_at, one->was.oid);
			run->joined_attributes++;
		}
		if (store_add_run(cli->store, run, id, &added, err) < 0) {
			store_rollback(cli->store);
			return -1;
		}
		new += added == STORE_NEW;
	}
	*given += new;
	return store_commit(cli->store, err);
}

static int give(struct cli *cli, const struct rewritten *one, size_t *given, struct error *err)
{
	struct run_query query = {.commit = one->was.oid, .clean_only = true, .details = true};
	struct store_run_list list = {0};
	if (store_runs(cli->store, &cli->arena, &query, &list, err) < 0)
		return -1;
	struct run **runs = arena_array(&cli->arena, list.count + 1, sizeof(struct run *));
	for (size_t i = 0; i < list.count; i++)
		runs[i] = list.items[i].run;
	run_sort_by_measurement(runs, list.count);
	for (size_t i = 0, same; i < list.count; i += same) {
		same = 1;
		while (i + same < list.count && run_by_measurement(runs[i + same], runs[i]) == 0)
			same++;
		if (give_measurement(cli, one, runs + i, same, given, err) < 0)
			return -1;
	}
	return 0;
}

/* The branch down to the first stored commit, so that its commits have places. */
static int add_branch(struct cli *cli, const struct revision_list *above, struct error *err)
{
	if (store_begin(cli->store, err) < 0)
		return -1;
	for (size_t i = 0; i < above->count; i++)
		if (store_add_revision(cli->store, &above->items[i], err) < 0) {
			store_rollback(cli->store);
			return -1;
		}
	return store_commit(cli->store, err);
}

static int choose(const struct rewritten_list *list, const char *commit,
		  const struct rewritten **found, struct error *err)
{
	size_t count = 0;
	for (size_t i = 0; i < list->count && strlen(commit) >= 4; i++)
		if (list->items[i].same_tree &&
		    strncmp(list->items[i].was.oid, commit, strlen(commit)) == 0) {
			*found = &list->items[i];
			count++;
		}
	if (count == 1)
		return 0;
	return error_set(
		err, ERR_USAGE,
		count ? "--adopt %.80s: several commits begin so"
		      : "--adopt %.80s: no such measured commit outside of this branch that "
			"has the files of a commit in it without runs",
		commit);
}

int setup_adopt(struct cli *cli, const struct rewritten_list *list, const char *commit,
		const struct rewritten **found, size_t *runs, struct error *err)
{
	if (choose(list, commit, found, err) < 0 ||
	    store_show_aliases(cli->store, false, err) < 0 ||
	    add_branch(cli, &list->above, err) < 0 || give(cli, *found, runs, err) < 0)
		return -1;
	return store_show_aliases(cli->store, true, err);
}
