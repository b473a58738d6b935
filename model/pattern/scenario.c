/* Groups runs by the patterns of scenarios, and adds up their times. */
#include "model/pattern/scenario.h"

#include "model/pattern/pattern.h"

void scenario_add(struct arena *arena, struct scenario_list *list, const char *name,
		  const char *pattern)
{
	size_t i = 0;
	while (i < list->count && strcmp(list->items[i].name, name) != 0)
		i++;
	if (i == list->count)
		*arena_add(arena, list) = (struct scenario){.name = name};
	struct scenario *scenario = &list->items[i];
	*arena_next(arena, scenario->patterns, scenario->pattern_count,
		    scenario->pattern_capacity) = pattern;
}

bool scenario_has(const struct scenario *scenario, const struct run *run)
{
	bool has = false;
	for (size_t i = 0; i < scenario->pattern_count && !has; i++) {
		const struct series_pattern pattern = {.text = scenario->patterns[i]};
		has = series_pattern_fits(&pattern, run);
	}
	return has;
}

static void add_run(struct scenario_group *group, const struct run *run, size_t index)
{
	group->runs[group->count++] = index;
	group->untimed += run_time_metric(run) == METRIC_COUNT;
}

static int by_key(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool has_repeats(struct arena *arena, const struct scenario_group *group,
			const struct run *const *runs)
{
	const char **keys = arena_array(arena, group->count, sizeof *keys);
	bool repeated = false;
	for (size_t i = 0; i < group->count; i++)
		keys[i] = run_series_key(arena, runs[group->runs[i]]);
	array_sort(keys, group->count, sizeof *keys, by_key);
	for (size_t i = 1; i < group->count && !repeated; i++)
		repeated = strcmp(keys[i - 1], keys[i]) == 0;
	return repeated;
}

struct scenario_group *scenario_groups(struct arena *arena, const struct scenario_list *list,
				       const struct run *const *runs, size_t run_count,
				       size_t *count)
{
	struct scenario_group *groups = arena_array(arena, list->count + 1, sizeof *groups);
	size_t grouped = 0;
	for (size_t k = 0; k <= list->count; k++)
		groups[k] = (struct scenario_group){
			.scenario = k < list->count ? &list->items[k] : NULL,
			.runs = arena_array(arena, run_count, sizeof *groups[k].runs)};
	for (size_t i = 0; i < run_count; i++) {
		bool found = false;
		for (size_t k = 0; k < list->count; k++) {
			if (!scenario_has(&list->items[k], runs[i]))
				continue;
			add_run(&groups[k], runs[i], i);
			found = true;
		}
		grouped += found;
		if (!found)
			add_run(&groups[list->count], runs[i], i);
	}
	*count = 0;
	for (size_t k = 0; k <= list->count && grouped; k++) {
		if (!groups[k].count)
			continue;
		groups[k].repeated = has_repeats(arena, &groups[k], runs);
		groups[(*count)++] = groups[k];
	}
	return groups;
}

double scenario_time(const struct scenario_group *group, const struct run *const *runs)
{
	enum metric metric = METRIC_COUNT;
	double sum = 0;
	for (size_t i = 0; i < group->count; i++) {
		const struct run *run = runs[group->runs[i]];
		enum metric own = run_time_metric(run);
		if (own == METRIC_COUNT)
			continue;
		if (metric != METRIC_COUNT && own != metric)
			return NAN;
		metric = own;
		sum += run_time(run);
	}
	return metric == METRIC_COUNT || group->repeated ? NAN : sum;
}

double scenario_mean(const struct scenario_group *group, const struct run *const *runs,
		     enum metric fraction)
{
	double sum = 0, time = 0;
	for (size_t i = 0; i < group->count; i++) {
		const struct run *run = runs[group->runs[i]];
		sum += run_time(run) * run_number(run, fraction);
		time += run_time(run);
	}
	return isnan(scenario_time(group, runs)) || !(time > 0) ? NAN : sum / time;
}
