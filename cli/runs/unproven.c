/* Marks the runs of histories whose times are leaps that nothing else confirms: a record leaves
 * them out (model/verdict/series_history.h). Each measurement of a commit is looked at by itself.
 */
#include "cli/runs/runs.h"

#include "model/gate/gate.h"

/* One measurement of a commit. */
struct timing {
	double time; /* median */
	struct run **runs;
	size_t count;
};

struct timings {
	struct timing *items;
	size_t count;
};

static int load_timings(struct cli *cli, const char *commit, const char *series,
			struct timings *timings, struct error *err)
{
	struct loaded_list list = {0};
	if (runs_load_baseline(cli, commit, series, &list, err) < 0)
		return -1;
	struct run **runs = arena_array(&cli->arena, list.count + 1, sizeof(struct run *));
	for (size_t i = 0; i < list.count; i++)
		runs[i] = list.items[i].stored.run;
	run_sort_by_measurement(runs, list.count);
	timings->items = arena_array(&cli->arena, list.count + 1, sizeof *timings->items);
	timings->count = 0;
	for (size_t i = 0, alike; i < list.count; i += alike) {
		alike = 1;
		while (i + alike < list.count && run_by_measurement(runs[i + alike], runs[i]) == 0)
			alike++;
		const struct run_list measured = {runs + i, alike, alike};
		timings->items[timings->count++] =
			(struct timing){gate_median(&measured, METRIC_TOTAL_TIME), runs + i, alike};
	}
	return 0;
}

/* Whether another measurement of the commit confirms this one. */
static bool is_measured_again(const struct timings *timings, size_t at)
{
	bool again = false;
	for (size_t i = 0; i < timings->count; i++)
		again = again || (i != at && history_confirms(timings->items[at].time,
							      timings->items[i].time));
	return again;
}

/* The runs of one commit of a history: from index `start` to `end`. */
struct place {
	struct history *history;
	size_t metric, start, end;
};

static const double *values_at(const struct place *place)
{
	return place->history->values + place->metric * place->history->run_count;
}

/* Marks the runs of a measurement, which the history has by their values. */
static void mark(const struct place *place, const struct timing *timing)
{
	for (size_t i = place->start; i < place->end; i++)
		for (size_t k = 0; k < timing->count; k++)
			place->history->runs[i].unproven |=
				values_at(place)[i] ==
				run_number(timing->runs[k], METRIC_TOTAL_TIME);
}

static double least_at(const struct place *place)
{
	double least = HUGE_VAL;
	for (size_t i = place->start; i < place->end; i++)
		least = fmin(least, values_at(place)[i]);
	return least;
}

/* Point `at` is that of the place. */
static int mark_place(struct cli *cli, const struct history_set *set, const struct place *place,
		      const struct history_points *points, size_t at, double best,
		      struct error *err)
{
	struct timings timings;
	if (load_timings(cli, set->chain[points->items[at].commit].oid, place->history->series,
			 &timings, err) < 0)
		return -1;
	for (size_t i = 0; i < timings.count; i++)
		if (history_is_leap(points, at, best, timings.items[i].time) &&
		    !is_measured_again(&timings, i))
			mark(place, &timings.items[i]);
	return 0;
}

static int mark_history(struct cli *cli, const struct history_set *set, struct history *history,
			size_t metric, struct error *err)
{
	struct arena scratch = {0};
	if (!history_may_leap(history, metric))
		return 0;
	struct history_points points = history_points(&scratch, history, metric, 0, 0);
	struct place place = {.history = history, .metric = metric};
	double best = HUGE_VAL;
	int failed = 0;
	for (size_t i = 0; i < points.count && !failed; i++, place.start = place.end) {
		struct history_point *point = &points.items[i];
		while (history->runs[place.start].commit != point->commit)
			place.start++;
		place.end = place.start;
		while (place.end < history->run_count &&
		       history->runs[place.end].commit == point->commit)
			place.end++;
		/* Whatever later commits say: that depends on the measurement. */
		if (history_is_leap(&points, points.count, best, least_at(&place)))
			failed = mark_place(cli, set, &place, &points, i, best, err);
		*point = history_point_of(history, metric, place.start, place.end);
		if (!point->unproven)
			best = fmin(best, point->value);
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
