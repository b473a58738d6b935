/* Builds the report document of loaded runs, each with what it is compared with. */
#include "cli/runs/runs.h"

/* What one run is compared with in a report. */
struct previous {
	const struct run *run;
	struct revision revision;
	int64_t age;
	const char *kind;
};

static int median_of_series(struct cli *cli, const char *commit, const char *series,
			    struct previous *previous, struct error *err)
{
	struct loaded_list list = {0};
	if (runs_load_baseline(cli, commit, series, &list, err) < 0)
		return -1;
	runs_median_per_series(cli, &list);
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

/* Everything that makes times comparable, except the variant. */
static bool same_work(const struct run *a, const struct run *b)
{
	return span_text_eq(a->kernel, b->kernel) && span_text_eq(a->dtype, b->dtype) &&
	       span_text_eq(a->device, b->device) && same_params(a, b) && a->cores == b->cores &&
	       span_text_eq(a->tool, b->tool) && span_text_eq(a->instance_type, b->instance_type);
}

/* The clean runs of one kernel and device, except those at one commit. Many runs of a document ask
 * for the same pool, so it is loaded once. */
struct pool {
	const char *kernel, *device, *not_oid;
	struct store_run_list runs;
};

struct pools {
	struct cli *cli; /* whose memory they have, as long as the document */
	struct pool *items;
	size_t count, capacity;
};

static int pool_for(struct pools *pools, const struct store_run *stored,
		    const struct store_run_list **runs, struct error *err)
{
	struct cli *cli = pools->cli;
	const char *kernel = stored->run->kernel, *device = stored->run->device;
	struct pool pool = {.kernel = kernel, .device = device, .not_oid = stored->revision.oid};
	struct run_query query = {.kernel = kernel, .device = device, .clean_only = true};
	for (size_t i = pools->count; i-- > 0;)
		if (span_text_eq(pools->items[i].kernel, kernel) &&
		    span_text_eq(pools->items[i].device, device) &&
		    strcmp(pools->items[i].not_oid, pool.not_oid) == 0) {
			*runs = &pools->items[i].runs;
			return 0;
		}
	if (store_runs(cli->store, &cli->arena, &query, &pool.runs, err) < 0)
		return -1;
	size_t remaining = 0;
	for (size_t i = 0; i < pool.runs.count; i++)
		if (strcmp(pool.runs.items[i].revision.oid, pool.not_oid) != 0)
			pool.runs.items[remaining++] = pool.runs.items[i];
	pool.runs.count = remaining;
	pools->items = arena_grow(&cli->arena, pools->items, pools->count, &pools->capacity,
				  sizeof *pools->items);
	pools->items[pools->count] = pool;
	*runs = &pools->items[pools->count++].runs;
	return 0;
}

/* Finds the newest ancestor run of the same work in another variant. */
static int previous_variant(struct cli *cli, const struct store_run *stored, struct pools *pools,
			    struct previous *previous, struct error *err)
{
	const struct run *run = stored->run;
	const struct store_run_list *list;
	if (pool_for(pools, stored, &list, err) < 0)
		return -1;
	for (size_t i = 0; i < list->count; i++) {
		const struct store_run *other = &list->items[i];
		if (!same_work(run, other->run) || span_text_eq(other->run->variant, run->variant))
			continue;
		int64_t steps = runs_steps_to(cli, &stored->revision, &other->revision);
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

/* Finds the nearest ancestor with correct runs of the series, else of another variant. */
static int find_previous(struct cli *cli, const struct store_run *stored, struct pools *pools,
			 struct previous *previous, struct error *err)
{
	bool found, truncated;
	struct revision revision = stored->revision;
	int64_t age = 0, steps = 0;
	*previous = (struct previous){.age = -1, .kind = "nearest measured ancestor"};
	/* A file alone follows nothing. */
	if (revision.file && !revision.parent[0])
		return 0;
	/* Ancestors whose results were all incorrect are skipped. */
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

static int by_key(const void *a, const void *b)
{
	const struct gate_series *x = *(const struct gate_series *const *)a;
	const struct gate_series *y = *(const struct gate_series *const *)b;
	return strcmp(x->key, y->key);
}

/* The gate's series, sorted by key. A series may occur several times, once per comparison. */
static const struct gate_series **series_of_gate(struct cli *cli, const struct gate_result *gate)
{
	const struct gate_series **list = arena_array(&cli->arena, gate->count + 1, sizeof *list);
	for (size_t i = 0; i < gate->count; i++)
		list[i] = gate->comparisons[i].series;
	array_sort(list, gate->count, sizeof *list, by_key);
	return list;
}

/* What the gate compares a run with, so that the report and the verdict agree. *previous stays
 * unchanged if the gate compares it with nothing. The runs are loaded again, because the gate loads
 * details of few runs only. */
static int previous_of_gate(struct cli *cli, const struct gate_result *gate,
			    const struct gate_series **sorted, const struct store_run *stored,
			    struct previous *previous, struct error *err)
{
	struct gate_series wanted = {.key = stored->series}, *key = &wanted;
	const struct gate_series **found =
		bsearch(&key, sorted, gate->count, sizeof *sorted, by_key);
	/* A run at another commit than the candidate belongs to a missing series: the run itself is
	 * the baseline. */
	if (strcmp(stored->revision.oid, gate->input->candidate.oid) != 0 || !found ||
	    !(*found)->baseline.count)
		return 0;
	previous->age = (*found)->baseline_age;
	previous->kind = gate->input->against;
	return median_of_series(cli, (*found)->baseline_revision->oid, stored->series, previous,
				err);
}

/* What the runs of a document are compared with, found when a run is added to it. */
struct comparing {
	struct cli *cli;
	const struct loaded_list *list;
	const struct gate_result *gate;
	const struct gate_series **sorted; /* NULL without a gate */
	struct pools pools;
	bool lacks_details;
};

/* Engines, totals by name and tensors of thousands of runs are read when a run is added. The gate
 * has read those of the runs that it explains. */
static int add_details(struct cli *cli, const struct run **run, struct error *err)
{
	struct run_list one = {0};
	if ((*run)->engine_count || (*run)->tally_count || (*run)->core_count ||
	    (*run)->tensor_count)
		return 0;
	struct run *copy = arena_new(&cli->arena, struct run);
	*copy = **run;
	run_list_add(&cli->arena, &one, copy);
	if (store_details(cli->store, &cli->arena, &one, err) < 0)
		return -1;
	*run = copy;
	return 0;
}

/* Runs that the gate does not have are compared as without a gate. `cli` is that of the command
 * with the memory of one run. */
static int find_for(struct cli *cli, struct comparing *c, const struct store_run *stored,
		    struct previous *previous, struct error *err)
{
	assert(stored->run && stored->series);
	if (c->sorted && previous_of_gate(cli, c->gate, c->sorted, stored, previous, err) < 0)
		return -1;
	return previous->run ? 0 : find_previous(cli, stored, &c->pools, previous, err);
}

/* The memory of a run may be that of the command, which the pools use as well: then there must not
 * be two copies of it. */
static void complete(void *context, struct arena *arena, size_t index, struct report_run *entry)
{
	struct comparing *c = context;
	struct previous *previous = arena_new(arena, struct previous);
	struct cli copy, *cli = c->cli;
	struct error err;
	previous->age = -1;
	if (arena != &c->cli->arena) {
		copy = *c->cli;
		copy.arena = *arena;
		cli = &copy;
	}
	if ((c->lacks_details && add_details(cli, &entry->run, &err) < 0) ||
	    find_for(cli, c, &c->list->items[index].stored, previous, &err) < 0)
		cli_fail(c->cli, &err);
	if (cli == &copy)
		*arena = copy.arena;
	entry->baseline = previous->run;
	entry->baseline_revision = previous->run ? &previous->revision : NULL;
	entry->baseline_age = previous->age;
	entry->baseline_kind = previous->kind;
}

struct report_run runs_entry(const struct loaded_run *loaded)
{
	return (struct report_run){
		.run = loaded->stored.run,
		.id = loaded->stored.revision.file ? NULL : loaded->stored.id,
		.series = loaded->stored.series,
		.revision = &loaded->stored.revision,
		.peaks = loaded->peaks,
		.hardware = loaded->hardware,
		.baseline_age = -1,
		.samples = loaded->samples,
		.fastest = loaded->fastest,
		.slowest = loaded->slowest,
	};
}

int runs_document_of(struct cli *cli, const struct document_request *request,
		     struct json **document, struct error *err)
{
	const struct loaded_list *list = request->runs;
	const struct gate_result *gate = request->gate;
	struct report_run *entries = arena_array(&cli->arena, list->count, sizeof *entries);
	struct comparing *c = arena_new(&cli->arena, struct comparing);
	struct loaded_list *runs = arena_new(&cli->arena, struct loaded_list);
	*runs = *list;
	*c = (struct comparing){cli,
				runs,
				gate,
				gate ? series_of_gate(cli, gate) : NULL,
				.pools = {.cli = cli},
				.lacks_details = request->lacks_details};
	for (size_t i = 0; i < list->count; i++)
		entries[i] = runs_entry(&list->items[i]);
	struct report report = {
		.version = ROOFLOG_VERSION,
		.title = request->title,
		.generated_at = cli->now,
		.revision = gate          ? &gate->input->candidate
			    : list->count ? &list->items[0].stored.revision
					  : NULL,
		.runs = entries,
		.run_count = list->count,
		.gate = gate,
		.comparisons = request->comparisons,
		.kept_runs = request->kept_runs,
		.extent = request->extent,
		.scenarios = cli->settings.scenarios.count ? &cli->settings.scenarios : NULL,
		.by_shape = request->by_shape,
		.complete = complete,
		.context = c,
	};
	if (request->links && cli_commit_url(cli, &report.commit_url, err) < 0)
		return -1;
	if (request->links) {
		report.diff_url = cli_diff_url(cli, report.commit_url);
		report.site_url = cli_site_url(cli);
	}
	struct json *made = report_document(&cli->arena, &report);
	if (cli_failed(cli, err))
		return -1;
	*document = made;
	return 0;
}

int runs_document(struct cli *cli, const struct loaded_list *list, const char *title,
		  const struct gate_result *gate, struct json **document, struct error *err)
{
	struct document_request request = {.runs = list, .title = title, .gate = gate};
	return runs_document_of(cli, &request, document, err);
}
