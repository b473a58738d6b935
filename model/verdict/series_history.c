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

static size_t count_finite(const double *values, size_t count)
{
	size_t finite = 0;
	for (size_t i = 0; i < count; i++)
		finite += isfinite(values[i]) != 0;
	return finite;
}

/* The location of the finite values of one commit. What is unproven counts if all is. */
static double location_of(const struct history *history, const double *values, size_t start,
			  size_t end, bool unproven)
{
	struct arena scratch = {0};
	double *repeats = arena_array(&scratch, end - start, sizeof *repeats);
	size_t count = 0;
	for (size_t i = start; i < end; i++)
		if (isfinite(values[i]) && history->runs[i].unproven == unproven)
			repeats[count++] = values[i];
	double location = count == 1 ? repeats[0] : noise_location(&scratch, repeats, count);
	arena_free(&scratch);
	return location;
}

struct history_point history_point_of(const struct history *history, size_t metric, size_t start,
				      size_t end)
{
	const double *values = history->values + metric * history->run_count;
	size_t counts[2] = {0}; /* proven, unproven */
	double last = NAN;
	for (size_t i = start; i < end; i++)
		if (isfinite(values[i])) {
			counts[history->runs[i].unproven]++;
			last = values[i];
		}
	size_t all = counts[false] + counts[true];
	bool unproven = counts[false] == 0;
	assert(all > 0);
	return (struct history_point){
		.commit = history->runs[start].commit,
		.runs = (uint32_t)all & INT32_MAX,
		.unproven = unproven,
		.value = all == 1 ? last : location_of(history, values, start, end, unproven),
	};
}

struct history_points history_points(struct arena *arena, const struct history *history,
				     size_t metric, uint32_t newest, size_t most)
{
	struct history_points points = {0};
	const double *values = history->values + metric * history->run_count;
	size_t limit = count_finite(values, history->run_count);
	limit = most && most < limit ? most : limit;
	points.items = arena_array(arena, limit, sizeof *points.items);
	for (size_t end = history->run_count, start; end > 0 && points.count < limit; end = start) {
		start = commit_start(history, end);
		size_t count = count_finite(values + start, end - start);
		if (count == 0 || history->runs[start].commit < newest)
			continue;
		points.items[points.count++] = history_point_of(history, metric, start, end);
	}
	for (size_t i = 0; i < points.count / 2; i++) {
		struct history_point swapped = points.items[i];
		points.items[i] = points.items[points.count - 1 - i];
		points.items[points.count - 1 - i] = swapped;
	}
	return points;
}

/* --- times that leap --- */

static const double confirming_factor = 2;

bool history_confirms(double a, double b)
{
	return a <= confirming_factor * b && b <= confirming_factor * a;
}

double history_best_proven(const struct history_points *points)
{
	double best = HUGE_VAL;
	for (size_t i = 0; i < points->count; i++)
		if (!points->items[i].unproven)
			best = fmin(best, points->items[i].value);
	return best;
}

bool history_is_leap(const struct history_points *points, size_t at, double best, double time)
{
	bool leaps = isfinite(best) && time >= 0 && confirming_factor * time < best;
	for (size_t i = at + 1; i < points->count && leaps; i++)
		leaps = !history_confirms(time, points->items[i].value);
	return leaps;
}

/* A measurement lies between the least and the largest of its values. */
bool history_may_leap(const struct history *history, size_t metric)
{
	const double *values = history->values + metric * history->run_count;
	double least = HUGE_VAL, most = -HUGE_VAL;
	for (size_t i = 0; i < history->run_count; i++)
		if (isfinite(values[i])) {
			least = fmin(least, values[i]);
			most = fmax(most, values[i]);
		}
	return confirming_factor * least < most;
}

struct history_points history_take_unproven(struct arena *arena, struct history_points *points)
{
	struct history_points taken = {0};
	size_t kept = 0;
	for (size_t i = 0; i < points->count; i++)
		taken.count += points->items[i].unproven;
	if (taken.count == 0)
		return taken;
	taken.items = arena_array(arena, taken.count, sizeof *taken.items);
	taken.count = 0;
	for (size_t i = 0; i < points->count; i++)
		if (points->items[i].unproven)
			taken.items[taken.count++] = points->items[i];
		else
			points->items[kept++] = points->items[i];
	points->count = kept;
	return taken;
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
