/* Chooses a limit from the measured values. */
#include "cli/accept/file.h"

#include "cli/runs/runs.h"
#include "model/verdict/verdicts.h"
#include "model/statistics/statistics.h"

/* Relative: above the usual noise between commits, and low enough to notice the next regression. */
static const double default_room = 0.05;

/* The runs that the gate would judge: those that match the pattern and are not known to be
 * incorrect. If there are runs of uncommitted changes, only they count: they are what is accepted.
 */
static int candidate_runs(struct cli *cli, const struct acceptance_wish *wish,
			  struct loaded_list *list, struct error *err)
{
	struct run_query query = {.commit = wish->oid};
	bool dirty = false;
	size_t remaining = 0;
	if (runs_load(cli, &query, list, err) < 0)
		return -1;
	for (size_t i = 0; i < list->count; i++)
		dirty = dirty || list->items[i].stored.run->dirty;
	for (size_t i = 0; i < list->count; i++) {
		const struct run *run = list->items[i].stored.run;
		if (run->dirty == dirty && !run_is_incorrect(run) &&
		    acceptance_names(wish->line->series, run))
			list->items[remaining++] = list->items[i];
	}
	list->count = remaining;
	return 0;
}

/* Moves all runs of the series of items[from] next to it. Returns how many there are, at least
 * 1. */
static size_t gather_series(struct loaded_list *list, size_t from)
{
	size_t count = from + 1;
	for (size_t i = from + 1; i < list->count; i++)
		if (strcmp(list->items[i].stored.series, list->items[from].stored.series) == 0) {
			struct loaded_run swap = list->items[i];
			list->items[i] = list->items[count];
			list->items[count++] = swap;
		}
	return count - from;
}

static int choose_metric(struct acceptance_wish *wish, const struct loaded_list *list,
			 struct error *err)
{
	wish->line->metric = METRIC_COUNT;
	for (size_t i = 0; i < list->count; i++) {
		enum metric headline = run_headline(list->items[i].stored.run);
		if (headline == METRIC_COUNT || headline == wish->line->metric)
			continue;
		if (wish->line->metric != METRIC_COUNT)
			return error_set(err, ERR_USAGE,
					 "series matching \"%.200s\" use different metrics (%s and "
					 "%s): choose one with --metric",
					 wish->line->series, metric_info(wish->line->metric)->key,
					 metric_info(headline)->key);
		wish->line->metric = headline;
	}
	if (wish->line->metric == METRIC_COUNT)
		return error_set(err, ERR_STORE,
				 "no run at %.10s matching \"%.200s\" has a time or a rate: choose "
				 "a metric with --metric",
				 wish->oid, wish->line->series);
	return 0;
}

static bool is_worse(double value, double than, enum metric_direction direction)
{
	return direction == METRIC_HIGHER ? value < than : value > than;
}

static double median_of_series(struct cli *cli, const struct loaded_run *runs, size_t count,
			       enum metric metric)
{
	double *values = arena_array(&cli->arena, count, sizeof *values);
	size_t known = 0;
	for (size_t i = 0; i < count; i++) {
		double number = run_number(runs[i].stored.run, metric);
		if (!isnan(number))
			values[known++] = number;
	}
	return known ? median_of(values, known) : NAN;
}

static int find_worst(struct cli *cli, struct acceptance_wish *wish, struct loaded_list *list,
		      struct error *err)
{
	const struct metric_info *info = metric_info(wish->line->metric);
	for (size_t i = 0, count; i < list->count; i += count) {
		count = gather_series(list, i);
		double median = median_of_series(cli, list->items + i, count, wish->line->metric);
		if (isnan(median))
			continue;
		bool several =
			info->direction == METRIC_NEITHER && wish->series && median != wish->worst;
		if (several && !wish->line->limit)
			return error_set(err, ERR_USAGE,
					 "%s has no worse direction, and series matching "
					 "\"%.200s\" differ in it: give --limit",
					 info->key, wish->line->series);
		if (!wish->series || is_worse(median, wish->worst, info->direction))
			wish->worst = median;
		if (!wish->series || is_worse(wish->best, median, info->direction))
			wish->best = median;
		wish->series++;
	}
	return 0;
}

/* The limit as text: rounded if 5 % are added anyway, with all digits if neither direction is
 * worse and only the same value is accepted. */
static const char *limit_text(struct cli *cli, enum metric metric, double worst)
{
	const struct metric_info *info = metric_info(metric);
	double room = info->direction == METRIC_HIGHER ? -default_room : default_room;
	double limit = worst + room * fabs(worst);
	if (info->direction == METRIC_NEITHER) {
		if (info->unit == UNIT_FRACTION)
			return arena_printf(&cli->arena, "%.17g %%", worst * 100);
		bool plain = info->unit == UNIT_COUNT || info->unit == UNIT_NONE;
		return arena_printf(&cli->arena, "%.17g%s%s", worst, plain ? "" : " ",
				    plain ? "" : quantity_unit_symbol(info->unit));
	}
	if (info->unit == UNIT_COUNT)
		return arena_printf(&cli->arena, "%.0f", room > 0 ? ceil(limit) : floor(limit));
	return quantity_text(&cli->arena, limit, info->unit);
}

int accept_measure(struct cli *cli, struct acceptance_wish *wish, struct error *err)
{
	struct loaded_list list = {0};
	struct acceptance *line = wish->line;
	bool needed = !line->retired && (!line->limit || !wish->metric_given);
	wish->worst = wish->best = NAN;
	if (cli_open_store(cli, STORE_READ, err) < 0)
		return needed ? -1 : 0;
	if (candidate_runs(cli, wish, &list, err) < 0)
		return -1;
	if (list.count == 0 && needed)
		return error_set(err, ERR_STORE,
				 "no run at %.10s matches \"%.200s\": no value to "
				 "accept; \"rooflog log\" lists the series; --metric with --limit "
				 "accepts one without runs, --retired one that is gone",
				 wish->oid, line->series);
	if (!wish->metric_given && !line->retired && choose_metric(wish, &list, err) < 0)
		return -1;
	if (line->metric == METRIC_COUNT && (line->retired || line->limit)) {
		for (size_t i = 0; i < list.count; i += gather_series(&list, i))
			wish->series++;
		return 0;
	}
	if (line->metric == METRIC_COUNT)
		return error_set(err, ERR_USAGE, "--metric * needs --limit");
	if (find_worst(cli, wish, &list, err) < 0)
		return -1;
	if (line->limit || line->retired)
		return 0;
	if (isnan(wish->worst))
		return error_set(
			err, ERR_STORE,
			"%s is unknown for series matching \"%.200s\" at %.10s: give --limit",
			metric_info(line->metric)->key, line->series, wish->oid);
	line->limit = limit_text(cli, line->metric, wish->worst);
	return 0;
}
