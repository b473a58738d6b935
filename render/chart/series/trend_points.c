/* The points of a trend, and the range of its values: one far value must not flatten the rest. */
#include "render/chart/series/trend_panel.h"

#include "render/document/key.h"

#include "base/json/json.h"

enum { POINT_LIMIT = 1000 };
static const double biggest = 1e30, noises = 3, around = 1.0 / 3;
/* Far values are drawn at the edge if the whole range is at least this many times the rest. */
static const double cut_from = 2;
/* Values beyond the axis are rare: at most this share of the points, or one. */
static const double far_share = 0.1;

static bool is_drawable(const struct trend_panel_point *point)
{
	return point->index >= 0 && isfinite(point->low) && isfinite(point->middle) &&
	       isfinite(point->high) && fabs(point->low) <= biggest && fabs(point->high) <= biggest;
}

static void read_points(struct arena *arena, const struct json *trend,
			struct trend_panel_points *points)
{
	points->items = arena_array(arena, POINT_LIMIT, sizeof *points->items);
	for (const struct json *row = json_first(trend, KEY(points));
	     row && points->count < POINT_LIMIT; row = row->next) {
		struct trend_panel_point point = {json_number_at(row, 0), json_number_at(row, 1),
						  json_number_at(row, 2), json_number_at(row, 3),
						  json_number_at(row, 4), NAN};
		if (!is_drawable(&point))
			continue;
		if (!(point.low < point.high))
			point.commit = point.index;
		points->items[points->count++] = point;
		points->binned = points->binned || point.low < point.high;
	}
}

static int by_middle(const void *a, const void *b)
{
	const struct trend_panel_point *x = a, *y = b;
	return (x->middle > y->middle) - (x->middle < y->middle);
}

/* The point in the middle of a group, with the median and the lowest and highest value of all. Its
 * value is not that of one commit. */
static struct trend_panel_point join(const struct trend_panel_point *from, size_t count)
{
	struct trend_panel_point group[POINT_LIMIT], joined = from[count / 2];
	if (count == 1)
		return joined;
	memcpy(group, from, count * sizeof *group);
	array_sort(group, count, sizeof *group, by_middle);
	double below = group[(count - 1) / 2].middle, above = group[count / 2].middle;
	joined.middle = below + (above - below) / 2;
	joined.commit = NAN;
	joined.runs = 0;
	for (size_t i = 0; i < count; i++) {
		joined.low = fmin(joined.low, from[i].low);
		joined.high = fmax(joined.high, from[i].high);
		joined.runs += from[i].runs;
	}
	return joined;
}

/* Groups end with the newest point, which stays alone: it is what a reader looks for. */
static void join_points(struct trend_panel_points *points, size_t limit)
{
	if (points->count <= limit || limit < 2)
		return;
	size_t size = (points->count - 1 + limit - 2) / (limit - 1), count = 0;
	size_t first = (points->count - 1) % size;
	for (size_t from = 0; from < points->count - 1;) {
		size_t some = from == 0 && first ? first : size;
		points->items[count++] = join(points->items + from, some);
		from += some;
	}
	points->items[count++] = points->items[points->count - 1];
	points->count = count;
	points->binned = true;
	points->joined = size;
}

/* --- the range --- */

static void widen(struct trend_panel_points *points, double low, double high)
{
	if (isfinite(low) && fabs(low) <= biggest)
		points->low = fmin(points->low, low);
	if (isfinite(high) && fabs(high) <= biggest)
		points->high = fmax(points->high, high);
}

/* The value of the level at a place; NAN outside of all. */
static double level_at(const struct json *trend, double place)
{
	for (const struct json *row = json_first(trend, KEY(levels)); row; row = row->next)
		if (place <= json_number_at(row, 0) && place >= json_number_at(row, 1))
			return json_number_at(row, 2);
	return NAN;
}

/* The usual distance of values from their level, as a standard deviation. */
static double noise_of(struct arena *arena, const struct json *trend,
		       const struct trend_panel_points *points)
{
	double *distances = arena_array(arena, points->count + 1, sizeof *distances);
	size_t count = 0;
	for (size_t i = 0; i < points->count; i++) {
		double level = level_at(trend, points->items[i].index);
		if (isfinite(level))
			distances[count++] = fabs(points->items[i].middle - level);
	}
	if (!count)
		return 0;
	array_sort(distances, count, sizeof *distances, array_by_double);
	return 1.4826 * distances[count / 2];
}

/* The range without far values; false if nothing but the values themselves is known. */
static bool find_core(struct arena *arena, const struct json *trend,
		      struct trend_panel_points *points)
{
	const struct json *band = json_get(trend, KEY(band));
	double noise = noise_of(arena, trend, points);
	bool any = false;
	for (const struct json *row = json_first(trend, KEY(levels)); row; row = row->next) {
		widen(points, json_number_at(row, 2) - noises * noise,
		      json_number_at(row, 2) + noises * noise);
		any = any || isfinite(json_number_at(row, 2));
	}
	double candidate = json_number(json_get(trend, KEY(candidate)), KEY(value), NAN);
	widen(points, candidate, candidate);
	widen(points, json_number(band, KEY(low), NAN), json_number(band, KEY(high), NAN));
	return any && points->high >= points->low;
}

/* Counts the values outside of [low, high], finds the farthest, and widens the range by the rest.
 */
static void set_apart(struct trend_panel_points *points, double low, double high)
{
	for (size_t i = 0; i < points->count; i++) {
		const struct trend_panel_point *point = &points->items[i];
		if (point->low >= low && point->high <= high)
			widen(points, point->low, point->high);
		double value = point->high > high ? point->high : point->low;
		double beyond = fmax(value - high, low - value);
		if (beyond <= 0)
			continue;
		points->far++;
		if (isnan(points->farthest) ||
		    beyond > fmax(points->farthest - high, low - points->farthest))
			points->farthest = value;
	}
}

static void find_range(struct arena *arena, const struct json *trend,
		       struct trend_panel_points *points)
{
	struct trend_panel_points whole = *points;
	bool core = find_core(arena, trend, points);
	for (size_t i = 0; i < points->count; i++)
		widen(&whole, points->items[i].low, points->items[i].high);
	widen(&whole, points->low, points->high);
	double reach = fmax((points->high - points->low) * around, 0);
	double low = points->low - reach, high = points->high + reach;
	if (core && whole.high - whole.low >= cut_from * (high - low)) {
		struct trend_panel_points cut = *points;
		set_apart(&cut, low, high);
		if ((double)cut.far <= fmax(1, far_share * (double)cut.count)) {
			*points = cut;
			return;
		}
	}
	points->low = whole.low;
	points->high = whole.high;
}

struct trend_panel_points trend_panel_points_of(struct arena *arena, const struct json *trend,
						size_t limit)
{
	struct trend_panel_points points = {
		.joined = 1, .low = HUGE_VAL, .high = -HUGE_VAL, .farthest = NAN};
	read_points(arena, trend, &points);
	if (points.count)
		find_range(arena, trend, &points);
	if (!points.count || !(points.high >= points.low))
		points.low = points.high = 0;
	join_points(&points, limit);
	return points;
}
