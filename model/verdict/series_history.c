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

/* Whether the finite values of a commit are all of unproven runs. */
static bool is_unproven(const struct history *history, const double *values, size_t from, size_t to)
{
	bool unproven = true;
	for (size_t i = from; i < to; i++)
		unproven = unproven && (!isfinite(values[i]) || history->runs[i].unproven);
	return unproven;
}

/* The location of the finite values of one commit; NAN without any. */
static double location_of(const double *values, size_t count, size_t finite)
{
	struct arena scratch = {0};
	if (count == 1 || finite == 0)
		return finite ? values[0] : NAN;
	double *repeats = arena_array(&scratch, finite, sizeof *repeats);
	finite = 0;
	for (size_t i = 0; i < count; i++)
		if (isfinite(values[i]))
			repeats[finite++] = values[i];
	double location = finite == 1 ? repeats[0] : noise_location(&scratch, repeats, finite);
	arena_free(&scratch);
	return location;
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
		points.items[points.count++] = (struct history_point){
			.commit = history->runs[start].commit,
			.runs = (uint32_t)count & INT32_MAX,
			.unproven = is_unproven(history, values, start, end),
			.value = location_of(values + start, end - start, count),
		};
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

static bool is_confirmed(const struct history_points *points, size_t at)
{
	bool confirmed = false;
	for (size_t i = at + 1; i < points->count && !confirmed; i++)
		confirmed = history_confirms(points->items[at].value, points->items[i].value);
	return confirmed;
}

/* A point lies between the least and the largest of its values. */
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

void history_find_unproven(struct history_points *points, size_t from)
{
	double best = HUGE_VAL;
	for (size_t i = 0; i < points->count; i++) {
		struct history_point *point = &points->items[i];
		if (i >= from)
			point->unproven = i > 0 && best > 0 && point->value >= 0 &&
					  confirming_factor * point->value < best &&
					  !is_confirmed(points, i);
		if (!point->unproven)
			best = fmin(best, point->value);
	}
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
