/* Loading, deriving and pairing runs. */
#include "cli/runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/derive.h"
#include "model/work.h"

int cli_derive(struct cli *cli, struct run *run, struct peaks *peaks,
	       const struct hardware **hardware, struct error *err)
{
	if (cli_load_config(cli, err) < 0)
		return -1;
	/* Never NULL in a run, but a store can hold anything. */
	run->variant = run->variant ? run->variant : "";
	run->node = run->node ? run->node : "";
	*peaks = peaks_of(&cli->arena, run, &cli->devices);
	*hardware = run->device ? hardware_find(&cli->devices, run->device) : NULL;
	run->work = work_of(&cli->arena, &cli->works, run);
	run_derive(run, peaks);
	return 0;
}

int cli_load_figures(struct cli *cli, const struct run_query *query, struct loaded_list *list,
		     struct error *err)
{
	struct stored_run_list stored = {0};
	if (cli_open_store(cli, STORE_READ, err) < 0 ||
	    store_runs(cli->store, &cli->arena, query, &stored, err) < 0)
		return -1;
	for (size_t i = 0; i < stored.count; i++) {
		struct loaded_run loaded = {.stored = stored.items[i]};
		if (cli_derive(cli, loaded.stored.run, &loaded.peaks, &loaded.hardware, err) < 0)
			return -1;
		list->items = arena_grow(&cli->arena, list->items, list->count, &list->capacity,
					 sizeof *list->items);
		list->items[list->count++] = loaded;
	}
	return 0;
}

int cli_load_runs(struct cli *cli, const struct run_query *query, struct loaded_list *list,
		  struct error *err)
{
	struct run_query detailed = *query;
	detailed.details = true;
	return cli_load_figures(cli, &detailed, list, err);
}

static size_t drop_incorrect(struct loaded_list *list)
{
	size_t count = list->count, kept = 0;
	for (size_t i = 0; i < count; i++)
		if (!run_is_incorrect(list->items[i].stored.run))
			list->items[kept++] = list->items[i];
	list->count = kept;
	return count - kept;
}

int cli_load_baseline(struct cli *cli, const char *commit, const char *series,
		      struct loaded_list *list, struct error *err)
{
	struct run_query query = {.commit = commit, .series = series, .clean_only = true};
	if (cli_load_runs(cli, &query, list, err) < 0)
		return -1;
	drop_incorrect(list);
	return 0;
}

void loaded_drop_incorrect(struct cli *cli, struct loaded_list *list)
{
	size_t dropped = drop_incorrect(list);
	if (dropped)
		cli_note(cli, "%zu run%s left out: the result is incorrect", dropped,
			 dropped == 1 ? "" : "s");
}

/* Runs with the same kind of headline side by side (times first), in order; without one last. */
static int by_headline(const void *a, const void *b)
{
	const struct run *x = (*(const struct loaded_run *const *)a)->stored.run;
	const struct run *y = (*(const struct loaded_run *const *)b)->stored.run;
	enum metric own = run_headline(x), other = run_headline(y);
	if (own != other || own == METRIC_COUNT)
		return (own > other) - (own < other);
	double p = run_number(x, own), q = run_number(y, own);
	return (p > q) - (p < q);
}

static struct loaded_run median_of_group(struct loaded_run **group, size_t count)
{
	qsort(group, count, sizeof *group, by_headline);
	enum metric headline = run_headline(group[0]->stored.run);
	size_t alike = 1;
	while (alike < count && run_headline(group[alike]->stored.run) == headline)
		alike++;
	struct loaded_run median = *group[(alike - 1) / 2];
	double fastest = run_time(group[0]->stored.run);
	median.samples = isnan(fastest) ? 1 : alike;
	median.fastest = fastest;
	median.slowest = run_time(group[alike - 1]->stored.run);
	return median;
}

/* Runs of one series and work-tree state together, each in the order of the list. */
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

void loaded_median_per_series(struct cli *cli, struct loaded_list *list)
{
	struct loaded_run **sorted = arena_array(&cli->arena, list->count, sizeof *sorted);
	struct loaded_run *medians = arena_array(&cli->arena, list->count, sizeof *medians);
	size_t kept = 0;
	for (size_t i = 0; i < list->count; i++)
		sorted[i] = &list->items[i];
	if (list->count)
		qsort(sorted, list->count, sizeof *sorted, by_series);
	/* The median of a group stands where its first run stood. */
	for (size_t i = 0, next; i < list->count; i = next) {
		size_t first = (size_t)(sorted[i] - list->items);
		for (next = i + 1; next < list->count && in_one_group(sorted[i], sorted[next]);)
			next++;
		medians[first] = median_of_group(sorted + i, next - i);
	}
	for (size_t i = 0; i < list->count; i++)
		if (medians[i].samples)
			list->items[kept++] = medians[i];
	list->count = kept;
}

struct naming loaded_naming(struct arena *arena, const struct loaded_list *list)
{
	const struct run **runs = arena_array(arena, list->count, sizeof *runs);
	for (size_t i = 0; i < list->count; i++)
		runs[i] = list->items[i].stored.run;
	return naming_of(arena, runs, list->count);
}

static int has_runs(struct cli *cli, const char *oid, bool *yes, struct error *err)
{
	struct stored_run_list found = {0};
	struct run_query query = {.commit = oid, .limit = 1};
	if (store_runs(cli->store, &cli->arena, &query, &found, err) < 0)
		return -1;
	*yes = found.count > 0;
	return 0;
}

static void copy_oid(char oid[65], const char *from)
{
	snprintf(oid, 65, "%s", from);
}

int64_t cli_known_position(void *context, const char *oid)
{
	struct cli *cli = context;
	struct revision revision;
	struct error ignored;
	if (!store_has_revision(cli->store, oid) ||
	    store_revision(cli->store, &cli->arena, oid, &revision, &ignored) < 0)
		return -1;
	return revision.position;
}

int cli_newest_stored(struct cli *cli, char oid[65], struct error *err)
{
	struct revision_list chain = {0};
	if (store_has_revision(cli->store, oid))
		return 0;
	if (cli_open_repository(cli, err) < 0 ||
	    repository_first_parents(cli->repository, &cli->arena, oid, cli_known_position, cli,
				     &chain, err) < 0)
		return -1;
	copy_oid(oid, chain.count ? chain.items[chain.count - 1].parent : "");
	return 0;
}

/* From `oid` down the stored first parents to the first commit with runs. */
static int nearest_with_runs(struct cli *cli, char oid[65], bool *found, struct error *err)
{
	struct revision revision;
	*found = false;
	int64_t position = INT64_MAX;
	while (oid[0] && store_has_revision(cli->store, oid)) {
		if (store_revision(cli->store, &cli->arena, oid, &revision, err) < 0 ||
		    has_runs(cli, oid, found, err) < 0)
			return -1;
		/* Positions fall at every step, or the store is damaged. */
		if (*found || revision.position >= position)
			return 0;
		position = revision.position;
		copy_oid(oid, revision.parent);
	}
	return 0;
}

static int newest_of_all(struct cli *cli, char oid[65], struct error *err)
{
	struct stored_run_list newest = {0};
	struct run_query query = {.limit = 1};
	if (store_runs(cli->store, &cli->arena, &query, &newest, err) < 0)
		return -1;
	if (newest.count == 0)
		return error_set(err, ERR_STORE,
				 "the store holds no runs yet: \"rooflog ingest PATH\" adds some");
	copy_oid(oid, newest.items[0].revision.oid);
	return 0;
}

int cli_resolve_commit(struct cli *cli, const char *name, char oid[65], struct error *err)
{
	size_t len = strlen(name);
	if (cli_open_store(cli, STORE_READ, err) < 0)
		return -1;
	/* A full oid that the store knows needs no repository. */
	if ((len == 40 || len == 64) && store_has_revision(cli->store, name)) {
		copy_oid(oid, name);
		return 0;
	}
	if (cli_open_repository(cli, err) < 0)
		return -1;
	return repository_resolve(cli->repository, name, oid, err);
}

int cli_resolve_baseline(struct cli *cli, const char *name, char oid[65], struct error *err)
{
	struct baseline_list baselines = {0};
	if (cli_open_store(cli, STORE_READ, err) < 0 ||
	    store_baselines(cli->store, &cli->arena, &baselines, err) < 0)
		return -1;
	for (size_t i = 0; i < baselines.count; i++)
		if (strcmp(baselines.items[i].name, name) == 0) {
			copy_oid(oid, baselines.items[i].oid);
			return 0;
		}
	return cli_resolve_commit(cli, name, oid, err);
}

int cli_select_commit(struct cli *cli, const char *name, char oid[65], struct error *err)
{
	struct error ignored;
	bool found = false;
	if (name)
		return cli_resolve_commit(cli, name, oid, err);
	if (cli_open_store(cli, STORE_READ, err) < 0)
		return -1;
	/* Without a repository the newest commit of the store is all there is. */
	if (cli_open_repository(cli, &ignored) < 0)
		return newest_of_all(cli, oid, err);
	char head[65];
	if (repository_resolve(cli->repository, "HEAD", oid, err) < 0)
		return -1;
	copy_oid(head, oid);
	if (cli_newest_stored(cli, oid, err) < 0 || nearest_with_runs(cli, oid, &found, err) < 0)
		return -1;
	if (!found)
		return error_set(
			err, ERR_STORE,
			"neither HEAD (%.10s) nor an ancestor of it has stored runs; name a "
			"commit, or ingest profiles",
			head);
	return 0;
}

/* What one run is compared with in a report. */
struct previous {
	struct run *run;
	struct revision revision;
	int64_t age;
	const char *kind;
};

static int median_of_series(struct cli *cli, const char *commit, const char *series,
			    struct previous *previous, struct error *err)
{
	struct loaded_list list = {0};
	if (cli_load_baseline(cli, commit, series, &list, err) < 0)
		return -1;
	loaded_median_per_series(cli, &list);
	if (list.count) {
		previous->run = list.items[0].stored.run;
		previous->revision = list.items[0].stored.revision;
	}
	return 0;
}

static bool same_params(const struct run *a, const struct run *b)
{
	if (a->param_count != b->param_count)
		return false;
	for (size_t i = 0; i < a->param_count; i++)
		if (strcmp(a->params[i].name, b->params[i].name) != 0 ||
		    strcmp(a->params[i].value, b->params[i].value) != 0)
			return false;
	return true;
}

/* All that makes times comparable but the variant. */
static bool same_work(const struct run *a, const struct run *b)
{
	return text_eq(a->kernel, b->kernel) && text_eq(a->dtype, b->dtype) &&
	       text_eq(a->device, b->device) && same_params(a, b) && a->cores == b->cores &&
	       text_eq(a->tool, b->tool) && text_eq(a->instance_type, b->instance_type);
}

int64_t cli_steps_to(struct cli *cli, const struct revision *from, const struct revision *to)
{
	struct revision revision = *from;
	struct error ignored;
	/* Positions fall at every step: below the target there is nothing to find. */
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

/* The clean runs of one kernel and device at other commits than one: many runs of a document ask
 * for the same. */
struct pool {
	const char *kernel, *device, *not_oid;
	struct stored_run_list runs;
};

struct pools {
	struct pool *items;
	size_t count, capacity;
};

static int pool_for(struct cli *cli, struct pools *pools, const struct stored_run *stored,
		    const struct stored_run_list **runs, struct error *err)
{
	const char *kernel = stored->run->kernel, *device = stored->run->device;
	struct pool pool = {.kernel = kernel, .device = device, .not_oid = stored->revision.oid};
	struct run_query query = {.kernel = kernel, .device = device, .clean_only = true};
	for (size_t i = pools->count; i-- > 0;)
		if (text_eq(pools->items[i].kernel, kernel) &&
		    text_eq(pools->items[i].device, device) &&
		    strcmp(pools->items[i].not_oid, pool.not_oid) == 0) {
			*runs = &pools->items[i].runs;
			return 0;
		}
	if (store_runs(cli->store, &cli->arena, &query, &pool.runs, err) < 0)
		return -1;
	size_t kept = 0;
	for (size_t i = 0; i < pool.runs.count; i++)
		if (strcmp(pool.runs.items[i].revision.oid, pool.not_oid) != 0)
			pool.runs.items[kept++] = pool.runs.items[i];
	pool.runs.count = kept;
	pools->items = arena_grow(&cli->arena, pools->items, pools->count, &pools->capacity,
				  sizeof *pools->items);
	pools->items[pools->count] = pool;
	*runs = &pools->items[pools->count++].runs;
	return 0;
}

/* The newest ancestor run of the same work in another variant. */
static int previous_variant(struct cli *cli, const struct stored_run *stored, struct pools *pools,
			    struct previous *previous, struct error *err)
{
	const struct run *run = stored->run;
	const struct stored_run_list *list;
	if (pool_for(cli, pools, stored, &list, err) < 0)
		return -1;
	for (size_t i = 0; i < list->count; i++) {
		const struct stored_run *other = &list->items[i];
		if (!same_work(run, other->run) || text_eq(other->run->variant, run->variant))
			continue;
		int64_t steps = cli_steps_to(cli, &stored->revision, &other->revision);
		if (steps <= 0)
			continue;
		previous->age = steps;
		previous->kind = arena_printf(&cli->arena, "previous variant %s",
					      other->run->variant && other->run->variant[0]
						      ? other->run->variant
						      : "(unnamed)");
		if (median_of_series(cli, other->revision.oid, other->series, previous, err) < 0)
			return -1;
		if (previous->run)
			return 0;
	}
	return 0;
}

static int find_previous(struct cli *cli, const struct stored_run *stored, struct pools *pools,
			 struct previous *previous, struct error *err)
{
	bool found, truncated;
	struct revision revision = stored->revision;
	int64_t age = 0, steps = 0;
	*previous = (struct previous){.age = -1, .kind = "nearest ancestor with data"};
	/* An ancestor whose results were all wrong is passed over. */
	do {
		age += steps;
		if (store_ancestor_with_series(cli->store, &cli->arena, revision.oid,
					       stored->series, &revision, &steps, &found,
					       &truncated, err) < 0 ||
		    (found &&
		     median_of_series(cli, revision.oid, stored->series, previous, err) < 0))
			return -1;
	} while (found && !previous->run);
	if (!found)
		return previous_variant(cli, stored, pools, previous, err);
	previous->age = age + steps;
	return 0;
}

int cli_document(struct cli *cli, const struct loaded_list *list, const char *title,
		 const struct gate *gate, struct json **document, struct error *err)
{
	struct report_run *entries = arena_array(&cli->arena, list->count, sizeof *entries);
	struct pools pools = {0};
	for (size_t i = 0; i < list->count; i++) {
		const struct loaded_run *loaded = &list->items[i];
		struct previous *previous = arena_new(&cli->arena, struct previous);
		if (find_previous(cli, &loaded->stored, &pools, previous, err) < 0)
			return -1;
		entries[i] = (struct report_run){
			.run = loaded->stored.run,
			.id = loaded->stored.id,
			.revision = &loaded->stored.revision,
			.peaks = loaded->peaks,
			.hardware = loaded->hardware,
			.baseline = previous->run,
			.baseline_revision = previous->run ? &previous->revision : NULL,
			.baseline_age = previous->age,
			.baseline_kind = previous->kind,
			.samples = loaded->samples,
			.fastest = loaded->fastest,
			.slowest = loaded->slowest,
		};
	}
	struct report report = {
		.version = ROOFLOG_VERSION,
		.title = title,
		.generated_at = cli->now,
		.revision = list->count ? &list->items[0].stored.revision : NULL,
		.runs = entries,
		.run_count = list->count,
		.gate = gate,
	};
	*document = report_document(&cli->arena, &report);
	return 0;
}
