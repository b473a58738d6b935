/* Stores the commit with its first-parent history, then the runs: all or nothing. */
#include "cli/ingest/ingest.h"

#include "cli/gate/gate.h"
#include "model/pattern/scenario.h"
#include "base/hash/hash.h"

/* --- a value per name: a table of a thousand rows asks git about each commit only once --- */

struct name_entry {
	const char *name;   /* NULL: free slot */
	const char *value;  /* NULL at first; set by the caller */
	const char *reason; /* why the value is missing; set by the caller */
};

/* Usable after zeroing. */
struct name_map {
	struct name_entry *slots;
	size_t count, slot_count;
};

static struct name_entry *find(struct name_entry *slots, size_t slot_count, const char *name)
{
	size_t at = (size_t)(table_hash_of(span_of(name)) >> 32) % slot_count;
	while (slots[at].name && strcmp(slots[at].name, name) != 0)
		at = (at + 1) % slot_count;
	return &slots[at];
}

static void grow(struct arena *arena, struct name_map *map)
{
	size_t wider = map->slot_count ? map->slot_count * 2 : 64;
	struct name_entry *slots = arena_array(arena, wider, sizeof *slots);
	for (size_t i = 0; i < map->slot_count; i++)
		if (map->slots[i].name)
			*find(slots, wider, map->slots[i].name) = map->slots[i];
	map->slots = slots;
	map->slot_count = wider;
}

/* The entry of the name, added if it is new; valid until the next call. The name is not copied and
 * must remain valid. */
static struct name_entry *name_map_at(struct arena *arena, struct name_map *map, const char *name)
{
	if (map->count * 2 >= map->slot_count)
		grow(arena, map);
	assert(map->count < map->slot_count); /* so that find() ends at a free slot */
	struct name_entry *entry = find(map->slots, map->slot_count, name);
	if (!entry->name) {
		*entry = (struct name_entry){.name = name};
		map->count++;
	}
	return entry;
}

/* --- commits and runs --- */

/* The chain of the commit. If a shallow clone truncates it, only the commit is stored, with a
 * warning that baselines may be missing. */
static int history_of(struct cli *cli, const char *oid, struct revision_list *chain,
		      struct error *err)
{
	if (repository_first_parents(cli->repository, &cli->arena, oid, runs_known_position, cli,
				     chain, err) == 0)
		return 0;
	if (!repository_is_shallow(cli->repository))
		return -1;
	cli_warn(cli, "%s", err->text);
	*chain = (struct revision_list){0};
	return 0;
}

/* Whether the store has everything about the commit that verdicts need, so that git need not be
 * asked. */
static bool is_complete(struct cli *cli, const char *oid, struct revision *own)
{
	struct revision parent;
	struct error ignored;
	if (store_revision(cli->store, &cli->arena, oid, own, &ignored) < 0 || own->position < 0 ||
	    !own->tree || !own->tree[0] || !own->parents || !own->patch_id)
		return false;
	if (own->patch_id[0] || !own->parent[0] || strchr(own->parents, ' '))
		return true;
	return store_revision(cli->store, &cli->arena, own->parent, &parent, &ignored) == 0 &&
	       span_text_eq(parent.tree, own->tree);
}

static int store_history(struct cli *cli, const char *oid, struct error *err)
{
	struct revision_list chain = {0};
	struct revision own;
	if (is_complete(cli, oid, &own))
		return gate_command_remember_bases(cli, &own, err);
	if (history_of(cli, oid, &chain, err) < 0 ||
	    repository_revision(cli->repository, &cli->arena, oid, true, &own, err) < 0)
		return -1;
	for (size_t i = 0; i < chain.count; i++) {
		if (strcmp(chain.items[i].oid, oid) == 0)
			own.position = chain.items[i].position;
		if (store_add_revision(cli->store, &chain.items[i], err) < 0)
			return -1;
	}
	if (own.position < 0 && chain.count == 0)
		own.position = runs_known_position(cli, oid);
	return store_add_revision(cli->store, &own, err) < 0
		       ? -1
		       : gate_command_remember_bases(cli, &own, err);
}

/* Asks the store once about each content: thousands of runs may have the same one. */
static int ask_twin(const struct ingest *ingest, struct name_map *asked, const struct run *run,
		    const char **twin, struct error *err)
{
	char content[65];
	run_hash(run, false, content);
	const char *name = arena_printf(ingest->arena, "%s %s", content, run->commit);
	struct name_entry *entry = name_map_at(ingest->arena, asked, name);
	if (!entry->reason && store_twin(ingest->cli->store, ingest->arena, content, run->commit,
					 &entry->value, err) < 0)
		return -1;
	entry->reason = "asked";
	*twin = entry->value;
	return 0;
}

/* Finds the same content under another commit, which usually means that the wrong file was named.
 * All runs of the file must have such a twin, because a single time with few digits may be equal by
 * chance. *twin is the commit of the first run's twin, or NULL. */
static int find_twin(const struct ingest *ingest, struct name_map *asked, size_t first,
		     const char **twin, struct error *err)
{
	for (size_t i = first; i < ingest->run_count; i++) {
		const struct incoming *one = &ingest->runs[i];
		const char *other;
		if (strcmp(one->path, ingest->runs[first].path) != 0)
			return 0;
		if (ask_twin(ingest, asked, one->run, &other, err) < 0)
			return -1;
		if (i == first || !other)
			*twin = other;
		if (!other)
			return 0;
	}
	return 0;
}

static int warn_of_twins(const struct ingest *ingest, struct name_map *asked, size_t first,
			 struct error *err)
{
	const struct incoming *one = &ingest->runs[first];
	const char *twin = NULL;
	bool begins = first == 0 || strcmp(ingest->runs[first - 1].path, one->path) != 0;
	if (one->has_commit || !begins)
		return 0;
	if (find_twin(ingest, asked, first, &twin, err) < 0)
		return -1;
	if (twin)
		cli_warn(ingest->cli, "%s is identical to a run already stored for commit %.10s",
			 one->path, twin);
	return 0;
}

static bool is_of_neff(enum metric metric)
{
	return metric == METRIC_INPUTS_WEIGHTS_BYTES ||
	       metric == METRIC_INPUTS_OUTPUTS_WEIGHTS_BYTES || metric == METRIC_WEIGHT_BYTES;
}

/* Warns if companions would have changed a stored run. It is not rewritten, and storing it again
 * would count its device time twice. */
static int warn_of_news(struct cli *cli, const struct incoming *one, struct error *err)
{
	struct store_run_list found = {0};
	struct run_query query = {.id = one->id};
	bool any = false, without_neff = false;
	for (int metric = 0; metric < METRIC_COUNT; metric++)
		any |= one->run->joined[metric];
	if (!any || one->added)
		return 0;
	if (store_runs(cli->store, &cli->arena, &query, &found, err) < 0)
		return -1;
	for (int metric = 0; found.count && metric < METRIC_COUNT; metric++) {
		double stored = found.items[0].run->given[metric].number;
		double own = one->run->given[metric].number;
		if (!one->run->joined[metric] || stored == own)
			continue;
		if (is_of_neff((enum metric)metric))
			without_neff = true;
		else
			cli_warn(cli,
				 "%s is already stored, with a different %s or none; the stored "
				 "run is unchanged. Ingest timings.json alone to add it as a "
				 "separate run",
				 one->path, metric_info((enum metric)metric)->key);
	}
	if (without_neff)
		cli_warn(cli,
			 "%s is already stored without the tensor data of %s; the stored run is "
			 "unchanged",
			 one->path, one->neff ? one->neff : "its NEFF");
	return 0;
}

/* A few bytes of a compressed file can name more series than a store, a gate and its readers can
 * bear, and what is stored stays. */
static int check_series(const struct ingest *ingest, struct error *err)
{
	size_t limit = ingest->options->max_series, count = 0;
	struct name_map seen = {0};
	for (size_t i = 0; ingest->run_count > limit && i < ingest->run_count; i++) {
		const char *key = ingest_series(ingest, ingest->runs[i].run);
		struct name_entry *series = name_map_at(ingest->arena, &seen, key);
		if (series->value)
			continue;
		series->value = key;
		bool known = false;
		if (store_has_series(ingest->cli->store, key, &known, err) < 0)
			return -1;
		count += !known;
		if (count > limit)
			return error_set(
				err, ERR_USAGE,
				"nothing stored: more than %zu new series in the profiles (e.g. in "
				"%s); if they are intended, allow more with --max-series",
				limit, ingest->runs[i].path);
	}
	return 0;
}

/* Whether runs that files give to commits other than HEAD may be stored. */
struct past {
	bool closed;             /* the store has a history */
	struct name_map brought; /* files that git tracks */
};

/* A history is imported once. From then on a file that adds to other commits changes what they, and
 * all that are to come, are compared with, whether they have runs already or not. Looked for before
 * anything is added. */
static bool is_closed(const struct ingest *ingest)
{
	bool any = false;
	for (size_t i = 0; i < ingest->run_count && !any; i++)
		any = ingest->runs[i].past;
	return any && !ingest->options->history && runs_any_other(ingest->cli, ingest->head);
}

/* Asks git once about each file. */
static bool is_brought(const struct ingest *ingest, struct name_map *brought, const char *path)
{
	struct name_entry *file = name_map_at(ingest->arena, brought, path);
	if (!file->reason) {
		bool is = strcmp(path, "-") != 0 && cli_is_brought(ingest->cli, path);
		file->reason = "looked at";
		file->value = is ? path : NULL;
	}
	return file->value != NULL;
}

static int check_past(const struct ingest *ingest, struct past *past, const struct incoming *one,
		      struct error *err)
{
	if (ingest->options->history || !one->past)
		return 0;
	if (is_brought(ingest, &past->brought, one->path))
		return error_set(err, ERR_USAGE,
				 "nothing stored: git tracks %s, which adds runs to commit %.10s, "
				 "not HEAD, so a change could rewrite its own baseline; allow it "
				 "for a trusted file with --history",
				 one->path, one->run->commit);
	if (!past->closed)
		return 0;
	return error_set(err, ERR_USAGE,
			 "nothing stored: %s adds runs to commit %.10s, not HEAD, and the store "
			 "already has a history, so a change could rewrite its own baseline; allow "
			 "it for a trusted file with --history",
			 one->path, one->run->commit);
}

/* The run without its epoch, or in another one; NULL: none. */
static struct run *in_epoch(struct arena *arena, const struct run *run, const char *epoch)
{
	struct run *other = arena_new(arena, struct run);
	*other = *run;
	other->params = NULL;
	other->param_count = 0;
	for (size_t i = 0; i < run->param_count; i++)
		if (strcmp(run->params[i].name, epoch_param) != 0)
			run_set_param(arena, other, run->params[i].name, run->params[i].value);
	if (epoch)
		run_set_param(arena, other, epoch_param, epoch);
	return other;
}

/* A run that was stored before its epoch began, or in an earlier one, stays what it is: a table
 * with a whole history is ingested again and again. */
static int keep_epoch(struct ingest *ingest, struct incoming *one, struct error *err)
{
	const struct scenario_list *epochs = &ingest->cli->settings.epochs;
	struct arena scratch = {0};
	size_t rank = one->in_epoch ? epoch_rank(epochs, one->run) : 0;
	int failed = 0;
	bool has = false;
	for (size_t i = rank; i-- > 0 && !failed && !has;) {
		char id[65];
		const char *epoch = i ? epochs->items[i - 1].name : NULL;
		run_hash(in_epoch(&scratch, one->run, epoch), true, id);
		failed = store_has_run(ingest->cli->store, id, &has, err);
		if (has)
			one->run = in_epoch(ingest->arena, one->run, epoch);
	}
	arena_free(&scratch);
	return failed;
}

/* Looks for twins before adding anything, so that runs of this ingest are not twins
 * of each other. */
static int store_all(struct ingest *ingest, struct error *err)
{
	struct name_map known = {0}, asked = {0};
	struct past past = {0};
	for (size_t i = 0; i < ingest->run_count; i++)
		if (keep_epoch(ingest, &ingest->runs[i], err) < 0)
			return -1;
	if (check_series(ingest, err) < 0 || ingest_check_stored_repeats(ingest, err) < 0)
		return -1;
	past.closed = is_closed(ingest);
	for (size_t i = 0; i < ingest->run_count; i++)
		if (warn_of_twins(ingest, &asked, i, err) < 0)
			return -1;
	for (size_t i = 0; i < ingest->run_count; i++) {
		struct incoming *one = &ingest->runs[i];
		struct name_entry *commit = name_map_at(ingest->arena, &known, one->run->commit);
		if (!commit->value && store_history(ingest->cli, one->run->commit, err) < 0)
			return -1;
		commit->value = one->run->commit;
		enum store_added added;
		if (store_add_run(ingest->cli->store, one->run, one->id, &added, err) < 0 ||
		    (added == STORE_NEW && check_past(ingest, &past, one, err) < 0))
			return -1;
		one->added = added != STORE_KNOWN;
		if (warn_of_news(ingest->cli, one, err) < 0)
			return -1;
	}
	return 0;
}

/* The commit of the runs. A commit that was named is used as it is; for HEAD, *dirty is whether the
 * working tree has changes. */
static int resolve_head(struct cli *cli, const struct ingest_options *options, const char **oid,
			bool *dirty, struct error *err)
{
	char full[65];
	if (repository_resolve(cli->repository, options->commit ? options->commit : "HEAD", full,
			       err) < 0)
		return -1;
	if (!options->commit && repository_is_dirty(cli->repository, dirty, err) < 0)
		return -1;
	if (*dirty)
		cli_warn(cli, "uncommitted changes in the work tree: these runs are marked and "
			      "never used as a baseline");
	*oid = arena_strdup(&cli->arena, full);
	return 0;
}

/* Whether a name asks git to search the messages of all history, ":/fix" or "HEAD^{/fix}": rows of
 * a file could ask so for hours. */
static bool is_search(const char *name)
{
	return strncmp(name, ":/", 2) == 0 || strstr(name, "{/");
}

static int resolve_name(struct ingest *ingest, const char *name, char oid[65], struct error *err)
{
	if (is_search(name))
		return error_set(err, ERR_REVISION,
				 "a file must name a commit by id, tag or branch, not by a search: "
				 "\"%.60s\"",
				 name);
	return repository_resolve(ingest->cli->repository, name, oid, err);
}

/* Resolves the commit that the file states; false if neither the repository nor
 * the store has it. */
static bool resolve_own(struct ingest *ingest, struct name_map *known, struct incoming *one)
{
	char oid[65];
	struct error why = {0};
	struct name_entry *commit = name_map_at(ingest->arena, known, one->run->commit);
	one->has_commit = true;
	if (!commit->value && !commit->reason) {
		if (resolve_name(ingest, one->run->commit, oid, &why) == 0) {
			commit->value = arena_strdup(ingest->arena, oid);
		} else {
			commit->reason = arena_strdup(ingest->arena, why.text);
			ingest_skip(ingest, one->path, commit->reason);
		}
	}
	if (commit->value)
		one->run->commit = commit->value;
	return commit->value != NULL;
}

/* Sets the full commit id of all runs, and removes those whose own commit is unknown. */
static int find_commits(struct ingest *ingest, struct error *err)
{
	const char *head = NULL;
	bool dirty = false;
	size_t remaining = 0, lost = 0;
	struct name_map known = {0};
	for (size_t i = 0; i < ingest->run_count; i++) {
		struct incoming one = ingest->runs[i];
		if (one.run->commit) {
			if (ingest->options->commit)
				return error_set(err, ERR_USAGE,
						 "%s names its own commits: remove --commit",
						 one.path);
			if (resolve_own(ingest, &known, &one))
				ingest->runs[remaining++] = one;
			else
				lost++;
			continue;
		}
		if (one.reader->needs & NEEDS_COMMIT && !ingest->options->commit)
			return error_set(err, ERR_USAGE,
					 "%s: this format records no commit; give --commit COMMIT",
					 one.path);
		if (!head && resolve_head(ingest->cli, ingest->options, &head, &dirty, err) < 0)
			return -1;
		one.run->commit = head;
		one.run->dirty = dirty;
		ingest->runs[remaining++] = one;
	}
	if (lost && remaining)
		cli_warn(ingest->cli,
			 "skipped %zu of %zu runs: their commits are not in this repository", lost,
			 ingest->run_count);
	ingest->run_count = remaining;
	return 0;
}

static void find_past(struct ingest *ingest)
{
	struct error ignored;
	bool asked = false;
	for (size_t i = 0; i < ingest->run_count; i++) {
		struct incoming *one = &ingest->runs[i];
		if (!one->has_commit)
			continue;
		if (!asked &&
		    repository_resolve(ingest->cli->repository, "HEAD", ingest->head, &ignored) < 0)
			ingest->head[0] = '\0';
		asked = true;
		one->past = strcmp(one->run->commit, ingest->head) != 0;
	}
}

/* Looks commits up in the store before asking git. The store is opened read-only, so that a failed
 * ingest leaves it unchanged; problems with it are reported when it is written. */
static int find_commits_with_store(struct ingest *ingest, struct error *err)
{
	struct error ignored;
	if (cli_open_store(ingest->cli, STORE_READ, &ignored) < 0)
		ingest->cli->store = NULL;
	int rc = find_commits(ingest, err);
	find_past(ingest);
	if (ingest->cli->store)
		store_close(ingest->cli->store);
	ingest->cli->store = NULL;
	return rc;
}

int ingest_store(struct ingest *ingest, struct error *err)
{
	if (cli_open_repository(ingest->cli, err) < 0 || find_commits_with_store(ingest, err) < 0 ||
	    ingest_check_tracked(ingest, err) < 0)
		return -1;
	if (ingest->run_count == 0)
		return error_set(err, ERR_REVISION,
				 "%s: none of the named commits is in this repository: %s; run "
				 "ingest in a full clone of the measured project",
				 ingest->skipped[0].path, ingest->skipped[0].reason);
	if (cli_open_store(ingest->cli, STORE_CREATE, err) < 0 ||
	    store_begin(ingest->cli->store, err) < 0)
		return -1;
	if (store_all(ingest, err) < 0 || ingest_edit(ingest, err) < 0 ||
	    store_commit(ingest->cli->store, err) < 0) {
		store_rollback(ingest->cli->store);
		return -1;
	}
	return ingest_use_names(ingest, err);
}
