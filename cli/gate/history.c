/* The histories of the metrics that the rows judge. Measured metrics come from the store; derived
 * metrics are computed from the runs of the newest commits.
 *
 * history->values holds one block of run_count values per metric: the value of metric m and run r
 * is values[m * run_count + r], NAN if unknown. Places of commits count from the newest, 0. */

#include "cli/gate/internal.h"

enum {
	DERIVED_COMMITS = 120, /* commits with data whose derived metrics are computed */
	SEARCHED_RUNS = 600,   /* newest runs of a series whose other metrics are searched for */
};

/* The metrics that run_headline() chooses from, in its order. The store keeps their histories by
 * commit, all others by run. */
static const enum metric headlines[] = {METRIC_TOTAL_TIME, METRIC_HOST_TIME,
					METRIC_ALGORITHMIC_RATE, METRIC_ALGORITHMIC_BANDWIDTH,
					METRIC_THROUGHPUT};
enum { HEADLINE_COUNT = sizeof headlines / sizeof *headlines };

enum metric gate_command_judged(struct cli *cli, const struct gate_series *series)
{
	enum metric judged = run_headline(series->run);
	bool one = true;
	/* Metrics other than headlines are searched in SEARCHED_RUNS runs only, so they never need
	 * more commits. */
	for (size_t i = 0; i < cli->settings.policies.count; i++) {
		const struct policy *row = &cli->settings.policies.items[i];
		for (size_t k = 0; k < HEADLINE_COUNT && !row->own_headline; k++)
			one = one && (row->metric != headlines[k] || row->metric == judged ||
				      !store_has_metric(cli->store, row->metric) ||
				      !policy_fits(row, series->run));
	}
	return one ? judged : METRIC_COUNT;
}

static void want(enum metric *metrics, size_t *count, enum metric metric)
{
	for (size_t i = 0; i < *count; i++)
		if (metrics[i] == metric)
			return;
	assert(*count < METRIC_COUNT);
	metrics[(*count)++] = metric;
}

/* Makes room for the metrics that are not headlines; their values are unknown (NAN) so far. */
static void widen(struct arena *arena, struct history_set *set, const enum metric *metrics,
		  size_t count)
{
	size_t had = set->metric_count;
	assert(count > had);
	for (size_t i = 0; i < set->count; i++) {
		struct history *history = &set->items[i];
		size_t runs = history->run_count;
		double *values = arena_array(arena, runs * count, sizeof *values);
		memcpy(values, history->values, runs * had * sizeof *values);
		for (size_t j = runs * had; j < runs * count; j++)
			values[j] = NAN;
		history->values = values;
	}
	set->metrics = metrics;
	set->metric_count = count;
}

static int search_values(struct cli *cli, const struct history_set *set, size_t index,
			 struct error *err)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct history *history = &set->items[i];
		size_t first =
			history->run_count > SEARCHED_RUNS ? history->run_count - SEARCHED_RUNS : 0;
		double *values = (double *)history->values + index * history->run_count + first;
		if (store_history_values(cli->store, history, set->metrics[index], first, values,
					 err) < 0)
			return -1;
	}
	return 0;
}

static int newest_row_first(const void *key, const void *item)
{
	int64_t x = *(const int64_t *)key, y = ((const struct loaded_run *)item)->stored.run->row;
	return (x < y) - (x > y);
}

static void fill_values(const struct history_set *set, const struct loaded_list *runs,
			uint32_t commit, size_t index)
{
	for (size_t i = 0; i < set->count; i++) {
		struct history *history = &set->items[i];
		double *values = (double *)history->values + index * history->run_count;
		for (size_t j = history->run_count; j-- > 0;) {
			/* Runs are sorted from the oldest commit to the newest. */
			if (history->runs[j].commit > commit)
				break;
			if (history->runs[j].commit != commit)
				continue;
			/* The store returns the newest row first. */
			const struct loaded_run *found =
				runs->count
					? bsearch(&history->runs[j].row, runs->items, runs->count,
						  sizeof *runs->items, newest_row_first)
					: NULL;
			if (found)
				values[j] = run_number(found->stored.run, set->metrics[index]);
		}
	}
}

/* Whether the newest run of the series has a time. Its rates are not needed then, because the
 * headline is the time. */
static bool has_time(const struct history_set *set, const struct history *history)
{
	for (size_t index = 0; index < set->metric_count; index++) {
		enum metric metric = set->metrics[index];
		bool time = metric == METRIC_TOTAL_TIME || metric == METRIC_HOST_TIME;
		if (time && !isnan(history->values[(index + 1) * history->run_count - 1]))
			return true;
	}
	return false;
}

/* Whether the values of a metric must be computed: a row names it, or it is a headline of a series
 * without times. */
static bool is_needed(const struct policy_list *policies, const struct history_set *set,
		      enum metric metric)
{
	bool needed = false, headline = false;
	if (!metric_is_derived(metric))
		return false;
	for (size_t i = 0; i < policies->count; i++) {
		headline = headline || policies->items[i].own_headline;
		needed = needed ||
			 (!policies->items[i].own_headline && policies->items[i].metric == metric);
	}
	for (size_t i = 0; headline && !needed && i < set->count; i++)
		needed = !has_time(set, &set->items[i]);
	return needed;
}

/* The headlines to load. A window omits those that no run in the store has. */
static size_t headlines_of(struct cli *cli, const struct history_window *window,
			   enum metric *metrics)
{
	size_t count = 0;
	for (size_t i = 0; i < HEADLINE_COUNT; i++)
		if (!window->commits || store_has_metric(cli->store, headlines[i]))
			want(metrics, &count, headlines[i]);
	return count;
}

/* Adds the headlines that must be computed and the other metrics that rows judge. */
static size_t add_others(const struct policy_list *policies, const struct history_set *set,
			 enum metric *metrics)
{
	size_t count = set->metric_count;
	for (size_t i = 0; i < HEADLINE_COUNT; i++)
		if (is_needed(policies, set, headlines[i]))
			want(metrics, &count, headlines[i]);
	for (size_t i = 0; i < policies->count; i++)
		if (!policies->items[i].own_headline)
			want(metrics, &count, policies->items[i].metric);
	return count;
}

/* For each commit of the chain, whether it has runs of any series. */
static bool *commits_with_data(struct cli *cli, const struct history_set *set)
{
	bool *has = arena_array(&cli->arena, set->chain_count + 1, sizeof *has);
	memset(has, 0, (set->chain_count + 1) * sizeof *has);
	for (size_t i = 0; i < set->count; i++)
		for (size_t j = 0; j < set->items[i].run_count; j++)
			has[set->items[i].runs[j].commit] = true;
	return has;
}

static int derive_values(struct cli *cli, const struct history_set *set, const bool *needed,
			 struct error *err)
{
	const bool *has = commits_with_data(cli, set);
	size_t used = 0;
	/* Newest first, so that the limit leaves out the oldest commits. */
	for (uint32_t commit = 0; commit < set->chain_count && used < DERIVED_COMMITS; commit++) {
		struct loaded_list runs = {0};
		struct run_query query = {.commit = set->chain[commit].oid, .clean_only = true};
		if (!has[commit])
			continue;
		used++;
		/* Only numbers outlive this iteration. The runs go into a temporary arena, because
		 * 120 commits may have tens of thousands of runs. */
		struct arena outer = cli->arena;
		cli->arena = (struct arena){0};
		int failed = runs_load_figures(cli, &query, &runs, err);
		for (size_t index = 0; !failed && index < set->metric_count; index++)
			if (needed[index])
				fill_values(set, &runs, commit, index);
		arena_free(&cli->arena);
		cli->arena = outer;
		if (failed)
			return -1;
	}
	return 0;
}

int gate_command_load_window(struct cli *cli, const char *oid, const struct history_window *wanted,
			     struct history_set *set, struct error *err)
{
	struct history_window window = *wanted;
	enum metric *metrics = arena_array(&cli->arena, METRIC_COUNT, sizeof *metrics);
	bool *needed = arena_array(&cli->arena, METRIC_COUNT, sizeof *needed), any = false;
	window.metrics = metrics;
	window.metric_count = headlines_of(cli, wanted, metrics);
	if (store_window(cli->store, &cli->arena, oid, &window, set, err) < 0)
		return -1;
	if (set->out_of_bounds)
		cli_warn(cli,
			 "skipped %zu impossible value%s in the history; `rooflog doctor` names "
			 "the runs",
			 set->out_of_bounds, set->out_of_bounds == 1 ? "" : "s");
	size_t known = set->metric_count, count = add_others(&cli->settings.policies, set, metrics);
	if (count > known)
		widen(&cli->arena, set, metrics, count);
	for (size_t index = known; index < count; index++)
		if (!metric_is_derived(metrics[index]) && search_values(cli, set, index, err) < 0)
			return -1;
	for (size_t index = 0; index < count; index++)
		any |= needed[index] = is_needed(&cli->settings.policies, set, metrics[index]);
	if (any && derive_values(cli, set, needed, err) < 0)
		return -1;
	return runs_drop_impossible(cli, set, err) < 0 ? -1 : runs_mark_unproven(cli, set, err);
}

int gate_command_load_histories(struct cli *cli, const char *oid, struct history_set *set,
				struct error *err)
{
	const struct history_window whole = {.commits = 0};
	return gate_command_load_window(cli, oid, &whole, set, err);
}
