/* What the page that compares two commits is made of: for each series and metric, the rule of
 * `rooflog compare` and the levels of the whole history. */
#include "cli/site/site.h"

#include "cli/gate/gate.h"

/* The indices at which levels start, as the gate finds them, but with the commits that came later:
 * the first, each change, and a young level at the end. */
static size_t find_starts(struct arena *arena, const double *values, size_t count, size_t **starts,
			  struct detect_result *found)
{
	struct detect_options options = detect_defaults();
	struct detect_series series = detect_series_of(arena, values, count);
	*found = detect_in(arena, &series, &options);
	size_t *list = arena_array(arena, found->count + 2, sizeof *list), used = 1;
	list[0] = 0;
	for (size_t i = 0; i < found->count; i++)
		list[used++] = found->changes[i].index;
	size_t young = gate_young_change(arena, &series, values, list[used - 1]);
	if (young > list[used - 1])
		list[used++] = young;
	*starts = list;
	return used;
}

/* Keeps the change points, found among the proven points, as indices into all of them. */
static void keep_changes(struct arena *arena, const struct detect_result *found,
			 const struct history_points *proven, struct site_compared *one)
{
	struct detect_change *changes = arena_array(arena, found->count + 1, sizeof *changes);
	size_t at = 0;
	for (size_t i = 0; i < found->count; i++) {
		changes[i] = found->changes[i];
		while (one->points.items[at].commit != proven->items[changes[i].index].commit)
			at++;
		changes[i].index = at;
	}
	one->changes = changes;
	one->change_count = found->count;
}

static void find_levels(struct arena *arena, struct site_compared *one)
{
	struct arena scratch = {0};
	struct detect_result found = {0};
	struct history_points proven = one->points;
	proven.items = arena_array(&scratch, proven.count, sizeof *proven.items);
	memcpy(proven.items, one->points.items, proven.count * sizeof *proven.items);
	history_take_unproven(&scratch, &proven);
	double *values = arena_array(&scratch, proven.count + 1, sizeof *values);
	size_t *starts = NULL, count = 0;
	for (size_t i = 0; i < proven.count; i++)
		values[i] = proven.items[i].value;
	if (proven.count)
		count = find_starts(&scratch, values, proven.count, &starts, &found);
	keep_changes(arena, &found, &proven, one);
	one->levels = arena_array(arena, count + 1, sizeof *one->levels);
	one->level_count = count;
	for (size_t i = 0; i < count; i++)
		one->levels[i] = (struct site_level){
			proven.items[starts[i]].commit,
			gate_own_noise(&scratch, values, starts[i],
				       i + 1 < count ? starts[i + 1] : proven.count)};
	arena_free(&scratch);
}

static bool same_rule(const struct site_rule *a, const struct site_rule *b)
{
	const struct policy *x = a->policy, *y = b->policy;
	bool same_noise = x->noise == y->noise || (isnan(x->noise) && isnan(y->noise));
	return a->direction == b->direction && x->alpha == y->alpha &&
	       x->tolerance == y->tolerance && same_noise && a->relative == b->relative &&
	       a->exact == b->exact && x->limits.absolute == y->limits.absolute;
}

/* The index of the rule that `rooflog compare` would apply; equal rules are one. */
static size_t rule_of(struct site *site, const struct policy_list *rows, const struct run *run,
		      enum metric metric)
{
	const struct policy *policy = policy_refined(site->arena, rows, &rows->items[0], run);
	struct site_rule rule = {.policy = policy,
				 .direction = policy_direction(policy, metric),
				 .relative = policy_limit(policy, 1, false),
				 .exact = policy_limit(policy, 1, true)};
	size_t at = 0;
	while (at < site->rule_count && !same_rule(&site->rules[at], &rule))
		at++;
	if (at == site->rule_count)
		*arena_next(site->arena, site->rules, site->rule_count, site->rule_capacity) = rule;
	return at;
}

static void add_compared(struct site *site, size_t index, const struct policy_list *rows,
			 size_t column)
{
	const struct site_series *series = &site->series[index];
	const struct history *history = history_find(site->set, series->key);
	enum metric metric = site->set->metrics[column];
	struct history_points points = history_points(site->arena, history, column, 0, 0);
	if (points.count == 0)
		return;
	struct site_compared *one = arena_next(site->arena, site->compared, site->compared_count,
					       site->compared_capacity);
	*one = (struct site_compared){.series = index,
				      .metric = metric,
				      .rule = rule_of(site, rows, series->identity, metric),
				      .history = history,
				      .column = column,
				      .points = points};
	find_levels(site->arena, one);
}

void site_collect_compared(struct cli *cli, struct site *site)
{
	const struct history_set *set = site->set;
	struct policy_list *rows = arena_array(site->arena, set->metric_count + 1, sizeof *rows);
	memset(rows, 0, (set->metric_count + 1) * sizeof *rows);
	site->settings = &cli->settings.gate;
	for (size_t column = 0; column <= set->metric_count; column++)
		gate_command_add_metric_rows(site->arena, &cli->settings.policies,
					     column < set->metric_count ? set->metrics[column]
									: METRIC_COUNT,
					     &rows[column]);
	for (size_t i = 0; i < site->series_count; i++) {
		if (!history_find(set, site->series[i].key))
			continue;
		for (size_t column = 0; column < set->metric_count; column++) {
			bool headline = set->metrics[column] == site->series[i].metric;
			add_compared(site, i, &rows[headline ? set->metric_count : column], column);
		}
	}
	render_site_split_values(site);
}
