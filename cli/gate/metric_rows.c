/* The rows by which two commits are compared: one metric of all series, with the limits that the
 * configuration gives it. */
#include "cli/gate/gate.h"

/* Whether a row compares this metric by the history; METRIC_COUNT is the run's headline. */
static bool judges(const struct policy *policy, enum metric metric)
{
	bool headline =
		metric == METRIC_COUNT || metric == METRIC_TOTAL_TIME || metric == METRIC_HOST_TIME;
	if (policy->refines || policy_is_absolute(policy))
		return false;
	return policy->own_headline ? headline : policy->metric == metric;
}

static void add_row(struct arena *arena, struct policy_list *rows, const struct policy *row)
{
	*arena_add(arena, rows) = *row;
}

void gate_command_add_metric_rows(struct arena *arena, const struct policy_list *configured,
				  enum metric metric, struct policy_list *rows)
{
	enum { ALL = POLICY_RELATIVE | POLICY_TOLERANCE | POLICY_ALPHA | POLICY_NOISE };
	struct policy all = default_policy;
	const char *parent = NULL;
	all.name = metric == METRIC_COUNT ? "headline" : metric_info(metric)->key;
	all.own_headline = metric == METRIC_COUNT;
	all.metric = metric == METRIC_COUNT ? default_policy.metric : metric;
	for (size_t i = configured->count; i-- > 0;)
		if (judges(&configured->items[i], metric)) {
			all.own_direction = configured->items[i].own_direction;
			all.direction = configured->items[i].direction;
		}
	add_row(arena, rows, &all);
	for (size_t i = 0; i < configured->count; i++) {
		struct policy row = configured->items[i];
		if (judges(&row, metric)) {
			parent = row.name;
			row.given = ALL;
		} else if (!row.refines || !parent || strcmp(row.refines, parent) != 0) {
			continue;
		}
		row.refines = all.name;
		add_row(arena, rows, &row);
	}
}
