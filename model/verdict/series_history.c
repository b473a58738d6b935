/* Reduces the runs of a series to one value per commit. */
#include "model/verdict/series_history.h"

#include "model/changepoint/changepoint.h"

/* The first run of the commit to which run `end - 1` belongs. */
static size_t commit_start(const struct history *history, size_t end)
{
	assert(end > 0 && end <= history->run_count);
	size_t at = end - 1;
	while (at > 0 && history->runs[at - 1].commit == history->runs[end - 1].commit)
		at--;
	return at;
}

struct history_points history_points(struct arena *arena, const struct history *history,
				     size_t metric, uint32_t newest, size_t most)
{
	struct history_points points = {0};
	size_t limit = most && most < history->run_count ? most : history->run_count;
	const double *values = history->values + metric * history->run_count;
	double *repeats = arena_array(arena, history->run_count, sizeof *repeats);
	points.items = arena_array(arena, limit, sizeof *points.items);
	for (size_t end = history->run_count, start; end > 0 && points.count < limit; end = start) {
		size_t count = 0;
		start = commit_start(history, end);
		for (size_t i = start; i < end; i++)
			if (isfinite(values[i]))
				repeats[count++] = values[i];
		if (count == 0 || history->runs[start].commit < newest)
			continue;
		points.items[points.count++] = (struct history_point){
			history->runs[start].commit, (uint32_t)count,
			count == 1 ? repeats[0] : noise_location(arena, repeats, count)};
	}
	for (size_t i = 0; i < points.count / 2; i++) {
		struct history_point swapped = points.items[i];
		points.items[i] = points.items[points.count - 1 - i];
		points.items[points.count - 1 - i] = swapped;
	}
	return points;
}

static int by_series(const void *a, const void *b)
{
	return strcmp(((const struct history *)a)->series, ((const struct history *)b)->series);
}

const struct history *history_find(const struct history_set *set, const char *series)
{
	const struct history wanted = {.series = series};
	return set->count ? bsearch(&wanted, set->items, set->count, sizeof wanted, by_series)
			  : NULL;
}
