/* Collects the content of a site: every series of the chain with its values, its change points
 * and the gate's verdict. */
#include "cli/site/site.h"

#include "cli/gate/gate.h"
#include "model/acceptance/acceptance.h"
#include "render/site/address/address.h"

/* --- the gate and the histories --- */

static int judge_chain(struct cli *cli, const char *oid, const struct site_question *question,
		       struct site *site, struct error *err)
{
	struct gate_result *gate = arena_new(&cli->arena, struct gate_result);
	struct gate_request request = {.oid = oid,
				       .against = question->against,
				       .why = true,
				       .whole_record = true,
				       .trust = question->trust};
	if (gate_command_run(cli, &request, gate, err) == 0) {
		site->gate = gate;
		site->set = gate->input->histories;
		/* The record of a change, or of a release, is not the history of oid. */
		if (site->set->chain_count && strcmp(site->set->chain[0].oid, oid) == 0)
			return 0;
	} else if (err->kind == ERR_REVISION) {
		/* In a shallow clone baselines may be hidden. The site then has values without
		 * verdicts. */
		cli_warn(cli, "%s", err->text);
	} else {
		return -1;
	}
	struct history_set *set = arena_new(&cli->arena, struct history_set);
	site->set = set;
	return trust_load_defaults(cli, &question->trust, err) < 0
		       ? -1
		       : gate_command_load_histories(cli, oid, set, err);
}

/* --- one series --- */

/* Takes the first metric with points. The metrics of the set are sorted so that times come before
 * rates. */
static void find_points(struct arena *arena, const struct history_set *set,
			struct site_series *series, const struct history *history)
{
	series->metric = METRIC_COUNT;
	for (size_t index = 0; index < set->metric_count && series->points.count == 0; index++) {
		series->points = history_points(arena, history, index, 0, 0);
		if (series->points.count) {
			series->metric = set->metrics[index];
			series->history = history;
			series->column = index;
		}
	}
}

static void find_changes(struct arena *arena, struct site_series *series)
{
	struct arena scratch = {NULL, 0};
	struct detect_options options = detect_defaults();
	size_t count = series->points.count;
	double *values = arena_array(&scratch, count, sizeof *values);
	for (size_t i = 0; i < count; i++)
		values[i] = series->points.items[i].value;
	struct detect_result found = detect_changes(&scratch, values, count, &options);
	struct detect_change *changes = arena_array(arena, found.count, sizeof *changes);
	for (size_t i = 0; i < found.count; i++)
		changes[i] = found.changes[i];
	series->changes = changes;
	series->change_count = found.count;
	arena_free(&scratch);
}

static void fill_series(struct cli *cli, const struct site *site, const struct history *history,
			struct site_series *series)
{
	struct arena *arena = site->arena;
	series->key = history->series;
	series->identity = history->identity;
	find_points(arena, site->set, series, history);
	find_changes(arena, series);
	if (series->points.count == 0)
		return;
	series->direction =
		policy_list_direction(&cli->settings.policies, series->identity, series->metric);
	const struct history_point *newest = &series->points.items[series->points.count - 1];
	series->revision = &site->set->chain[newest->commit];
	series->newest = (struct value){newest->value, PROVENANCE_MEASURED};
}

/* --- all of them --- */

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct site_series *)a)->key, ((const struct site_series *)b)->key);
}

/* Adds series that only the gate has, e.g. those measured with uncommitted changes only. Sorts all
 * series by key. */
static void add_unrecorded(struct site *site)
{
	const struct gate_result *gate = site->gate;
	size_t count = 0;
	for (size_t i = 0; gate && i < gate->count; i++) {
		const struct gate_series *one = gate->comparisons[i].series;
		if (!history_find(site->set, one->key))
			site->series[site->series_count++] = (struct site_series){
				.key = one->key, .identity = one->run, .metric = METRIC_COUNT};
	}
	qsort(site->series, site->series_count, sizeof *site->series, by_key);
	/* A series with several comparisons was added several times. */
	for (size_t i = 0; i < site->series_count; i++)
		if (i == 0 || by_key(&site->series[i], &site->series[count - 1]) != 0)
			site->series[count++] = site->series[i];
	site->series_count = count;
}

/* Joins the verdicts. The gate's comparisons are sorted worst first, so the first one that is not
 * context decides a series. */
static void join_gate(struct site *site)
{
	for (size_t i = 0; site->gate && i < site->gate->count; i++) {
		const struct comparison *one = &site->gate->comparisons[i];
		struct site_series wanted = {.key = one->series->key};
		struct site_series *found = bsearch(&wanted, site->series, site->series_count,
						    sizeof *site->series, by_key);
		if (!found)
			continue;
		if (!found->comparison && one->policy->role != POLICY_CONTEXT)
			found->comparison = one;
		*arena_next(site->arena, found->compared, found->compared_count,
			    found->compared_capacity) = one;
		if (one->series->candidate.count) {
			found->revision = &site->gate->input->candidate;
			found->dirty = site->gate->input->dirty;
		}
	}
}

static const char *kernel_name(const struct site_series *series)
{
	return series->identity->kernel ? series->identity->kernel : "(unnamed kernel)";
}

/* Sorts by the order of the gate; series without verdict come last, by name. Comparisons are
 * elements of one array, so their addresses give the order. */
static int worst_first(const void *a, const void *b)
{
	const struct site_series *x = a, *y = b;
	const struct comparison *left = x->comparison, *right = y->comparison;
	if (left && right && left != right)
		return left < right ? -1 : 1;
	if (!left != !right)
		return left ? -1 : 1;
	int order = strcmp(kernel_name(x), kernel_name(y));
	return order ? order : strcmp(x->key, y->key);
}

/* --- kernels --- */

struct by_name {
	const char *name;
	size_t series;
};

static int by_kernel(const void *a, const void *b)
{
	const struct by_name *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ? order : (x->series > y->series) - (x->series < y->series);
}

static int by_worst(const void *a, const void *b)
{
	const struct site_kernel *x = a, *y = b;
	return (x->series[0] > y->series[0]) - (x->series[0] < y->series[0]);
}

static void group_kernels(struct site *site)
{
	struct arena *arena = site->arena;
	size_t count = site->series_count;
	struct by_name *order = arena_array(arena, count + 1, sizeof *order);
	site->kernels = arena_array(arena, count + 1, sizeof *site->kernels);
	for (size_t i = 0; i < count; i++)
		order[i] = (struct by_name){kernel_name(&site->series[i]), i};
	qsort(order, count, sizeof *order, by_kernel);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || strcmp(order[i].name, order[i - 1].name) != 0)
			site->kernels[site->kernel_count++] = (struct site_kernel){
				.name = order[i].name,
				.slug = site_address_slug(arena, order[i].name)};
		assert(site->kernel_count > 0);
		struct site_kernel *kernel = &site->kernels[site->kernel_count - 1];
		*arena_next(arena, kernel->series, kernel->series_count, kernel->series_capacity) =
			order[i].series;
	}
	qsort(site->kernels, site->kernel_count, sizeof *site->kernels, by_worst);
	for (size_t i = 0; i < site->kernel_count; i++)
		for (size_t k = 0; k < site->kernels[i].series_count; k++)
			site->series[site->kernels[i].series[k]].kernel = i;
}

/* Names the series of each kernel by what distinguishes them. What they share is shown once per
 * kernel, or once for the site if it is the same for all kernels. */
static void name_series(struct site *site)
{
	struct arena *arena = site->arena;
	bool same = true;
	for (size_t i = 0; i < site->kernel_count; i++) {
		struct site_kernel *kernel = &site->kernels[i];
		const struct run **runs = arena_array(arena, kernel->series_count, sizeof *runs);
		for (size_t k = 0; k < kernel->series_count; k++)
			runs[k] = site->series[kernel->series[k]].identity;
		struct short_names naming = short_names_of(arena, runs, kernel->series_count);
		kernel->common = short_names_common(arena, &naming);
		same = same && strcmp(kernel->common, site->kernels[0].common) == 0;
		for (size_t k = 0; k < kernel->series_count; k++)
			site->series[kernel->series[k]].name =
				short_names_name(arena, &naming, runs[k]);
	}
	site->common = same && site->kernel_count ? site->kernels[0].common : "";
	for (size_t i = 0; i < site->series_count; i++)
		site->series[i].anchor = site_address_anchor(arena, site->series[i].key);
}

/* --- commits --- */

static const struct detect_change *change_at(const struct site_series *series, size_t point)
{
	for (size_t i = 0; i < series->change_count; i++)
		if (series->changes[i].index == point)
			return &series->changes[i];
	return NULL;
}

static void add_measurements(struct site *site, size_t index)
{
	const struct site_series *series = &site->series[index];
	for (size_t i = 0; i < series->points.count; i++) {
		const struct history_point *point = &series->points.items[i];
		assert(point->commit < site->set->chain_count);
		struct site_commit *commit = &site->commits[point->commit];
		double before = i ? point[-1].value : NAN;
		const struct detect_change *level = change_at(series, i);
		commit->items[commit->count++] = (struct site_measurement){
			(uint32_t)index, (uint32_t)i, before != 0 ? point->value / before - 1 : NAN,
			level};
		if (!level)
			continue;
		bool worse = acceptance_is_worse(level->after, level->before, series->direction);
		(*(worse ? &commit->worse : &commit->better))++;
	}
}

/* The largest difference first. First measurements, which have no difference, come last. */
static int by_difference(const void *a, const void *b)
{
	const struct site_measurement *x = a, *y = b;
	double left = isnan(x->change) ? -1 : fabs(x->change);
	double right = isnan(y->change) ? -1 : fabs(y->change);
	if (left != right)
		return left < right ? 1 : -1;
	return (x->series > y->series) - (x->series < y->series);
}

static void group_commits(struct site *site)
{
	struct arena *arena = site->arena;
	size_t count = site->set->chain_count, *sizes = arena_array(arena, count, sizeof *sizes);
	site->commits = arena_array(arena, count, sizeof *site->commits);
	memset(sizes, 0, count * sizeof *sizes);
	memset(site->commits, 0, count * sizeof *site->commits);
	for (size_t i = 0; i < site->series_count; i++)
		for (size_t k = 0; k < site->series[i].points.count; k++)
			sizes[site->series[i].points.items[k].commit]++;
	for (size_t index = 0; index < count; index++)
		site->commits[index].items =
			arena_array(arena, sizes[index], sizeof *site->commits[index].items);
	for (size_t i = 0; i < site->series_count; i++)
		add_measurements(site, i);
	for (size_t index = 0; index < count; index++)
		array_sort(site->commits[index].items, site->commits[index].count,
			   sizeof *site->commits[index].items, by_difference);
}

struct chain_end {
	const char *parent; /* the oldest commit's */
};

static int64_t is_before_chain(void *context, const char *oid)
{
	const struct chain_end *end = context;
	return strcmp(oid, end->parent) == 0 ? 0 : -1;
}

/* The store has no authors. Without the repository they stay unknown. */
static void name_authors(struct cli *cli, struct site *site)
{
	struct revision *chain = site->set->chain;
	size_t count = site->set->chain_count;
	struct revision_list list = {0};
	struct error ignored = {0};
	if (count == 0 || chain[0].file || cli_open_repository(cli, &ignored) < 0)
		return;
	struct chain_end end = {chain[count - 1].parent ? chain[count - 1].parent : ""};
	if (repository_first_parents(cli->repository, &cli->arena, chain[0].oid, is_before_chain,
				     &end, &list, &ignored) < 0)
		return;
	for (size_t i = 0; i < count && i < list.count; i++)
		if (strcmp(chain[i].oid, list.items[i].oid) == 0)
			chain[i].author = list.items[i].author;
}

int site_collect(struct cli *cli, const char *oid, const struct site_question *question,
		 struct site *site, struct error *err)
{
	site->arena = &cli->arena;
	site->now = cli->now;
	site->version = ROOFLOG_VERSION;
	/* Links follow the rules that judging has chosen: those of the base, not of the work tree.
	 */
	if (judge_chain(cli, oid, question, site, err) < 0 ||
	    cli_commit_url(cli, &site->commit_url, err) < 0)
		return -1;
	site->diff_url = cli_diff_url(cli, site->commit_url);
	size_t capacity = site->set->count + (site->gate ? site->gate->count : 0);
	site->series = arena_array(&cli->arena, capacity + 1, sizeof *site->series);
	for (size_t i = 0; i < site->set->count; i++) {
		struct site_series *series = &site->series[site->series_count++];
		*series = (struct site_series){0};
		fill_series(cli, site, &site->set->items[i], series);
	}
	add_unrecorded(site);
	assert(site->series_count <= capacity);
	join_gate(site);
	for (size_t i = 0; i < site->series_count; i++)
		site->series[i].mfu = NAN;
	qsort(site->series, site->series_count, sizeof *site->series, worst_first);
	group_kernels(site);
	name_series(site);
	group_commits(site);
	name_authors(cli, site);
	runs_releases(cli, &site->releases);
	render_site_label_commits(site);
	site_collect_compared(cli, site);
	return 0;
}
