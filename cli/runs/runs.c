/* Loads runs, derives their metrics, and resolves commits. */
#include "cli/runs/runs.h"

#include "model/run/runs.h"
#include "model/roofline/roofline.h"

static int derive(struct cli *cli, struct arena *arena, struct run *run, struct peaks *peaks,
		  const struct hardware **hardware, struct error *err)
{
	if (cli_load_config(cli, err) < 0)
		return -1;
	/* A run of ingest always has these texts, but a store may have been written by anyone. */
	run->variant = run->variant ? run->variant : "";
	run->node = run->node ? run->node : "";
	*peaks = hardware_peaks_of(run, &cli->settings.devices);
	*hardware = run->device ? hardware_find(&cli->settings.devices, run->device) : NULL;
	run->work = work_formulas_apply(arena, &cli->settings.works, run);
	run_derive(run, peaks);
	return 0;
}

int runs_derive(struct cli *cli, struct run *run, struct peaks *peaks,
		const struct hardware **hardware, struct error *err)
{
	return derive(cli, &cli->arena, run, peaks, hardware, err);
}

void runs_loaded_add(struct cli *cli, struct loaded_list *list, const struct loaded_run *loaded)
{
	*arena_add(&cli->arena, list) = *loaded;
}

static void add_stored(struct arena *arena, const struct store_run_list *stored,
		       struct loaded_list *list)
{
	if (!list->count) {
		list->items = arena_array(arena, stored->count, sizeof *list->items);
		list->capacity = stored->count;
	}
	for (size_t i = 0; i < stored->count; i++)
		*arena_add(arena, list) = (struct loaded_run){.stored = stored->items[i]};
}

/* An uncommitted candidate is a try: it says nothing of the commit. */
static void drop_tries(struct loaded_list *list, size_t first)
{
	size_t remaining = first;
	for (size_t i = first; i < list->count; i++) {
		const struct run *run = list->items[i].stored.run;
		if (!run->dirty || !run_attribute(run, RUN_CANDIDATE))
			list->items[remaining++] = list->items[i];
	}
	list->count = remaining;
}

/* Runs that were read before the configuration was known have the names that the store has. */
static void use_alias(struct cli *cli, struct arena *arena, struct store_run *stored)
{
	struct run *run = stored->run;
	const struct run *named = cli->settings.aliases.count
					  ? renaming_of(arena, &cli->settings.aliases, run)
					  : NULL;
	if (!named)
		return;
	run->kernel = named->kernel;
	run->variant = named->variant;
	run->params = named->params;
	run->param_count = named->param_count;
	stored->series = run_series_key(arena, run);
}

static int derive_all(struct cli *cli, struct arena *arena, struct loaded_list *list, size_t first,
		      struct error *err)
{
	if (first < list->count && cli_load_config(cli, err) < 0)
		return -1;
	for (size_t i = first; i < list->count; i++) {
		struct loaded_run *loaded = &list->items[i];
		/* What is derived depends on the name: [work] is for the kernels that lists show.
		 */
		use_alias(cli, arena, &loaded->stored);
		if (derive(cli, arena, loaded->stored.run, &loaded->peaks, &loaded->hardware, err) <
		    0)
			return -1;
	}
	return 0;
}

int runs_read(struct cli *cli, const struct run_query *query, struct loaded_list *list,
	      struct error *err)
{
	struct store_run_list stored = {0};
	assert(cli->store);
	if (store_runs(cli->store, &cli->arena, query, &stored, err) < 0)
		return -1;
	size_t first = list->count;
	add_stored(&cli->arena, &stored, list);
	if (!query->id)
		drop_tries(list, first);
	return 0;
}

int runs_derive_all(struct cli *cli, struct loaded_list *list, size_t first, struct error *err)
{
	return derive_all(cli, &cli->arena, list, first, err);
}

int runs_load_next(struct cli *cli, struct store_cursor *cursor, struct arena *arena, size_t most,
		   struct loaded_list *list, struct error *err)
{
	struct store_run_list stored = {0};
	*list = (struct loaded_list){0};
	if (store_runs_next(cursor, arena, most, &stored, err) < 0)
		return -1;
	add_stored(arena, &stored, list);
	return derive_all(cli, arena, list, 0, err);
}

int runs_load_figures(struct cli *cli, const struct run_query *query, struct loaded_list *list,
		      struct error *err)
{
	size_t first = list->count;
	/* The configuration first: it may call series otherwise, and the query names them. */
	if (cli_load_config(cli, err) < 0 || runs_read(cli, query, list, err) < 0)
		return -1;
	return runs_derive_all(cli, list, first, err);
}

int runs_load(struct cli *cli, const struct run_query *query, struct loaded_list *list,
	      struct error *err)
{
	struct run_query detailed = *query;
	detailed.details = true;
	return runs_load_figures(cli, &detailed, list, err);
}

int runs_load_facts(struct cli *cli, const struct run_query *query, struct loaded_list *list,
		    struct error *err)
{
	struct run_query with_facts = *query;
	with_facts.facts = true;
	return runs_load_figures(cli, &with_facts, list, err);
}

int runs_load_details(struct cli *cli, const struct loaded_list *list, struct error *err)
{
	struct run_list runs = {0};
	for (size_t i = 0; i < list->count; i++)
		run_list_add(&cli->arena, &runs, list->items[i].stored.run);
	return store_details(cli->store, &cli->arena, &runs, err);
}

static size_t drop_incorrect(struct loaded_list *list)
{
	size_t count = list->count, remaining = 0;
	for (size_t i = 0; i < count; i++)
		if (!run_is_incorrect(list->items[i].stored.run))
			list->items[remaining++] = list->items[i];
	list->count = remaining;
	return count - remaining;
}

int runs_load_baseline(struct cli *cli, const char *commit, const char *series,
		       struct loaded_list *list, struct error *err)
{
	struct run_query query = {.commit = commit, .series = series, .clean_only = true};
	if (runs_load(cli, &query, list, err) < 0)
		return -1;
	drop_incorrect(list);
	return 0;
}

void runs_drop_incorrect(struct cli *cli, struct loaded_list *list)
{
	size_t dropped = drop_incorrect(list);
	if (dropped)
		cli_note(cli, "skipped %zu run%s with incorrect results", dropped,
			 dropped == 1 ? "" : "s");
}

static struct loaded_run median_of_group(struct cli *cli, struct loaded_run **group, size_t count)
{
	struct run **runs = arena_array(&cli->arena, count, sizeof *runs);
	for (size_t i = 0; i < count; i++)
		runs[i] = group[i]->stored.run;
	struct repeats repeats = representative_of(&cli->arena, runs, count);
	assert(repeats.median < count);
	struct loaded_run median = *group[repeats.median];
	median.samples = isnan(repeats.fastest) ? 1 : repeats.count;
	median.fastest = repeats.fastest;
	median.slowest = repeats.slowest;
	return median;
}

/* Sorts runs of one series and work-tree state together; each group keeps the order of the list. */
static int by_series(const void *a, const void *b)
{
	const struct loaded_run *x = *(struct loaded_run *const *)a;
	const struct loaded_run *y = *(struct loaded_run *const *)b;
	int order = strcmp(x->stored.series, y->stored.series);
	if (!order)
		order = x->stored.run->dirty - y->stored.run->dirty;
	return order ? order : (x > y) - (x < y);
}

static bool in_one_group(const struct loaded_run *a, const struct loaded_run *b)
{
	return a->stored.run->dirty == b->stored.run->dirty &&
	       strcmp(a->stored.series, b->stored.series) == 0;
}

void runs_median_per_series(struct cli *cli, struct loaded_list *list)
{
	struct loaded_run **sorted = arena_array(&cli->arena, list->count, sizeof *sorted);
	bool *is_median = arena_array(&cli->arena, list->count, sizeof *is_median);
	size_t remaining = 0;
	for (size_t i = 0; i < list->count; i++)
		sorted[i] = &list->items[i];
	array_sort(sorted, list->count, sizeof *sorted, by_series);
	/* The median of a group takes the position of the first run of the group. */
	for (size_t i = 0, next; i < list->count; i = next) {
		size_t first = (size_t)(sorted[i] - list->items);
		for (next = i + 1; next < list->count && in_one_group(sorted[i], sorted[next]);)
			next++;
		assert(first < list->count);
		*sorted[i] = median_of_group(cli, sorted + i, next - i);
		is_median[first] = true;
	}
	for (size_t i = 0; i < list->count; i++)
		if (is_median[i])
			list->items[remaining++] = list->items[i];
	list->count = remaining;
}

const struct run **runs_of(struct arena *arena, const struct loaded_list *list)
{
	const struct run **runs = arena_array(arena, list->count, sizeof *runs);
	for (size_t i = 0; i < list->count; i++)
		runs[i] = list->items[i].stored.run;
	return runs;
}

/* Whether a commit has runs other than tries. */
static int has_runs(struct cli *cli, const char *oid, bool *yes, struct error *err)
{
	struct store_run_list found = {0};
	struct loaded_list all = {0};
	struct run_query query = {.commit = oid, .limit = 1};
	if (store_runs(cli->store, &cli->arena, &query, &found, err) < 0)
		return -1;
	*yes = found.count > 0;
	if (!*yes || !found.items[0].run->dirty)
		return 0;
	query = (struct run_query){.commit = oid, .facts = true};
	if (runs_read(cli, &query, &all, err) < 0)
		return -1;
	*yes = all.count > 0;
	return 0;
}

static void copy_oid(char oid[65], const char *from)
{
	snprintf(oid, 65, "%s", from);
}

int64_t runs_known_position(void *context, const char *oid)
{
	struct cli *cli = context;
	struct revision revision;
	struct error ignored;
	if (!cli->store || !store_has_revision(cli->store, oid) ||
	    store_revision(cli->store, &cli->arena, oid, &revision, &ignored) < 0)
		return -1;
	return revision.position;
}

int runs_newest_stored(struct cli *cli, char oid[65], struct error *err)
{
	struct revision_list chain = {0};
	if (store_has_revision(cli->store, oid))
		return 0;
	if (cli_open_repository(cli, err) < 0 ||
	    repository_first_parents(cli->repository, &cli->arena, oid, runs_known_position, cli,
				     &chain, err) < 0)
		return -1;
	copy_oid(oid, chain.count ? chain.items[chain.count - 1].parent : "");
	return 0;
}

/* Walks from `oid` along the stored first parents to the first commit with runs. */
static int nearest_with_runs(struct cli *cli, char oid[65], bool *found, struct error *err)
{
	struct revision revision;
	*found = false;
	int64_t position = INT64_MAX;
	while (oid[0] && store_has_revision(cli->store, oid)) {
		if (store_revision(cli->store, &cli->arena, oid, &revision, err) < 0 ||
		    has_runs(cli, oid, found, err) < 0)
			return -1;
		/* Positions decrease at every step. If they do not, the store is damaged, and the
		 * walk might not end. */
		if (*found || revision.position >= position)
			return 0;
		position = revision.position;
		copy_oid(oid, revision.parent);
	}
	return 0;
}

int runs_newest_measured(struct cli *cli, char oid[65], struct error *err)
{
	bool found = false;
	if (runs_newest_stored(cli, oid, err) < 0 || nearest_with_runs(cli, oid, &found, err) < 0)
		return -1;
	if (!found)
		oid[0] = '\0';
	return 0;
}

static int newest_of_all(struct cli *cli, char oid[65], struct error *err)
{
	struct store_run_list newest = {0};
	struct run_query query = {.limit = 1};
	if (store_runs(cli->store, &cli->arena, &query, &newest, err) < 0)
		return -1;
	if (newest.count == 0)
		return error_set(err, ERR_STORE,
				 "the store is empty: add runs with \"rooflog ingest PATH\"");
	copy_oid(oid, newest.items[0].revision.oid);
	return 0;
}

int runs_resolve_commit(struct cli *cli, const char *name, char oid[65], struct error *err)
{
	size_t len = strlen(name);
	/* Full ids that the store has need no repository: CI passes ids, and opening git would cost
	 * more than the query. */
	if ((len == 40 || len == 64) && store_has_revision(cli->store, name)) {
		copy_oid(oid, name);
		return 0;
	}
	if (cli_open_repository(cli, err) < 0)
		return -1;
	return repository_resolve(cli->repository, name, oid, err);
}

int runs_resolve_baseline(struct cli *cli, const char *name, char oid[65], struct error *err)
{
	struct baseline_list baselines = {0};
	if (store_baselines(cli->store, &cli->arena, &baselines, err) < 0)
		return -1;
	for (size_t i = 0; i < baselines.count; i++)
		if (strcmp(baselines.items[i].name, name) == 0) {
			copy_oid(oid, baselines.items[i].oid);
			return 0;
		}
	return runs_resolve_commit(cli, name, oid, err);
}

/* Says that an ancestor of HEAD takes its place, and how far back it is. */
static int note_ancestor(struct cli *cli, const char *head, const char *oid, struct error *err)
{
	struct revision_list chain = {0};
	struct revision from, to;
	if (!store_has_revision(cli->store, head) &&
	    repository_first_parents(cli->repository, &cli->arena, head, runs_known_position, cli,
				     &chain, err) < 0)
		return -1;
	const char *stored = chain.count ? chain.items[chain.count - 1].parent : head;
	if (store_revision(cli->store, &cli->arena, stored, &from, err) < 0 ||
	    store_revision(cli->store, &cli->arena, oid, &to, err) < 0)
		return -1;
	int64_t steps = (int64_t)chain.count + runs_steps_to(cli, &from, &to);
	cli_note(cli, "HEAD has no runs; showing %.10s, %" PRId64 " commit%s back", oid, steps,
		 steps == 1 ? "" : "s");
	return 0;
}

int runs_select_commit(struct cli *cli, const char *name, char oid[65], struct error *err)
{
	struct error ignored;
	if (name)
		return runs_resolve_baseline(cli, name, oid, err);
	/* Without a repository the newest commit of the store is the only choice. */
	if (cli_open_repository(cli, &ignored) < 0)
		return newest_of_all(cli, oid, err);
	char head[65];
	if (repository_resolve(cli->repository, "HEAD", oid, err) < 0)
		return -1;
	copy_oid(head, oid);
	if (runs_newest_measured(cli, oid, err) < 0)
		return -1;
	if (!oid[0])
		return error_set(err, ERR_STORE,
				 "neither HEAD (%.10s) nor any ancestor has measurements; name a "
				 "commit, or ingest profiles",
				 head);
	return strcmp(oid, head) == 0 ? 0 : note_ancestor(cli, head, oid, err);
}

int64_t runs_steps_to(struct cli *cli, const struct revision *from, const struct revision *to)
{
	struct revision revision = *from;
	struct error ignored;
	/* Positions decrease at every step, so the search ends at the target's position. */
	for (int64_t steps = 0; revision.position >= to->position; steps++) {
		int64_t position = revision.position;
		if (strcmp(revision.oid, to->oid) == 0)
			return steps;
		if (!revision.parent[0] ||
		    store_revision(cli->store, &cli->arena, revision.parent, &revision, &ignored) <
			    0 ||
		    revision.position >= position)
			return -1;
	}
	return -1;
}
