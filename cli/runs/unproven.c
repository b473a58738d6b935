/* Marks the runs of histories whose times are leaps that nothing else confirms: a record leaves
 * them out (model/verdict/series_history.h). */
#include "cli/runs/runs.h"

#include "model/gate/gate.h"

/* Whether two measurements of the commit, each by itself, show the point's time. */
static int is_measured_again(struct cli *cli, const struct history *history, const char *commit,
			     const struct history_point *point, bool *again, struct error *err)
{
	struct loaded_list list = {0};
	size_t confirming = 0;
	*again = false;
	if (point->runs < 2)
		return 0;
	if (runs_load_baseline(cli, commit, history->series, &list, err) < 0)
		return -1;
	struct run **runs = arena_array(&cli->arena, list.count + 1, sizeof(struct run *));
	for (size_t i = 0; i < list.count; i++)
		runs[i] = list.items[i].stored.run;
	run_sort_by_measurement(runs, list.count);
	for (size_t i = 0, alike; i < list.count; i += alike) {
		alike = 1;
		while (i + alike < list.count && run_by_measurement(runs[i + alike], runs[i]) == 0)
			alike++;
		const struct run_list measured = {runs + i, alike, alike};
		confirming +=
			history_confirms(point->value, gate_median(&measured, METRIC_TOTAL_TIME));
	}
	*again = confirming > 1;
	return 0;
}

static void mark(struct history *history, uint32_t commit)
{
	for (size_t i = 0; i < history->run_count; i++)
		history->runs[i].unproven |= history->runs[i].commit == commit;
}

static int mark_history(struct cli *cli, const struct history_set *set, struct history *history,
			size_t metric, struct error *err)
{
	struct arena scratch = {0};
	if (!history_may_leap(history, metric))
		return 0;
	struct history_points points = history_points(&scratch, history, metric, 0, 0);
	int failed = 0;
	history_find_unproven(&points, 0);
	for (size_t i = 0; i < points.count && !failed; i++) {
		struct history_point *point = &points.items[i];
		bool again;
		if (!point->unproven)
			continue;
		failed = is_measured_again(cli, history, set->chain[point->commit].oid, point,
					   &again, err);
		if (!failed && again) {
			point->unproven = false;
			history_find_unproven(&points, i + 1);
		} else if (!failed) {
			mark(history, point->commit);
		}
	}
	arena_free(&scratch);
	return failed;
}

int runs_mark_unproven(struct cli *cli, struct history_set *set, struct error *err)
{
	for (size_t metric = 0; metric < set->metric_count; metric++)
		for (size_t i = 0; set->metrics[metric] == METRIC_TOTAL_TIME && i < set->count; i++)
			if (mark_history(cli, set, &set->items[i], metric, err) < 0)
				return -1;
	return 0;
}
