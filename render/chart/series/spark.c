/* Sparklines, and those of the nightly and weekly lists. */
#include "render/chart/series/spark.h"

#include "render/document/key.h"

#include "base/json/json.h"
#include "base/text/text.h"

/* Coordinates are whole numbers of half pixels: a page has hundreds of sparklines. */
enum { SCALE = 2, MARGIN = 3, ROW_WIDTH = 200, ROW_HEIGHT = 40, STEP_LIMIT = 24 };
static const double smallest_range = 0.06, far_share = 0.03;

struct drawing {
	const struct spark *spark;
	struct strbuf out;
	double low, high;
};

/* Finds the range; returns the number of values. */
static size_t find_range(struct drawing *d)
{
	const struct spark *spark = d->spark;
	struct arena scratch = {0};
	double *values = arena_array(&scratch, spark->count + 1, sizeof *values);
	size_t count = 0;
	double newest = NAN;
	for (size_t i = 0; i < spark->count; i++)
		if (isfinite(spark->points[i].y) && fabs(spark->points[i].y) < 1e30)
			newest = values[count++] = spark->points[i].y;
	if (count) {
		array_sort(values, count, sizeof *values, array_by_double);
		size_t far = (size_t)lround(far_share * (double)count);
		double least = fabs(values[count / 2]) * smallest_range;
		d->low = fmin(values[far], newest);
		d->high = fmax(values[count - 1 - far], newest);
		double wanting = fmax(least - (d->high - d->low), 0) / 2;
		d->low -= wanting;
		d->high += wanting;
	}
	arena_free(&scratch);
	return count;
}

static int x_of(const struct drawing *d, double x)
{
	double width = d->spark->width - 2 * MARGIN;
	return (int)lround(SCALE * (MARGIN + fmin(fmax(x, 0), 1) * width));
}

static int y_of(const struct drawing *d, double value)
{
	double height = d->spark->height - 2 * MARGIN, range = d->high - d->low;
	double up = range > 0 ? (value - d->low) / range : 0.5;
	return (int)lround(SCALE * (MARGIN + (1 - fmin(fmax(up, 0), 1)) * height));
}

static void draw_band(struct drawing *d)
{
	const struct spark *spark = d->spark;
	if (!isfinite(spark->band_low) || !isfinite(spark->band_high))
		return;
	int left = x_of(d, isnan(spark->band_from) ? 0 : spark->band_from), right = x_of(d, 1);
	int top = y_of(d, spark->band_high), bottom = y_of(d, spark->band_low);
	strbuf_addf(&d->out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>", left, top,
		    right - left, bottom > top ? bottom - top : 1);
}

static bool is_alone(const struct drawing *d, size_t index)
{
	return index + 1 == d->spark->count || !isfinite(d->spark->points[index + 1].y);
}

/* A path of relative steps. A single point between gaps gets a line of no length, which round caps
 * make a dot. */
static void draw_line(struct drawing *d)
{
	bool joined = false;
	int x = 0, y = 0;
	strbuf_addstr(&d->out, "<path d=\"");
	for (size_t i = 0; i < d->spark->count; i++) {
		const struct scene_point *point = &d->spark->points[i];
		if (!isfinite(point->y)) {
			joined = false;
			continue;
		}
		int to_x = x_of(d, point->x), to_y = y_of(d, point->y);
		if (joined)
			strbuf_addf(&d->out, "%s%d%s%d", to_x < x ? "" : " ", to_x - x,
				    to_y < y ? "" : " ", to_y - y);
		else
			strbuf_addf(&d->out, "M%d %d%s", to_x, to_y, is_alone(d, i) ? "l0 0" : "l");
		x = to_x;
		y = to_y;
		joined = true;
	}
	strbuf_addstr(&d->out, "\"/>");
}

static void draw_far(struct drawing *d)
{
	int bottom = (int)lround(SCALE * d->spark->height);
	for (size_t i = 0; i < d->spark->count; i++) {
		const struct scene_point *point = &d->spark->points[i];
		if (isfinite(point->y) && (point->y > d->high || point->y < d->low))
			strbuf_addf(&d->out, "<path class=\"far\" d=\"M%d %dv4\"/>",
				    x_of(d, point->x), point->y > d->high ? 0 : bottom - 4);
	}
}

static void draw_steps(struct drawing *d)
{
	int bottom = (int)lround(SCALE * d->spark->height);
	for (size_t i = 0; i < d->spark->step_count; i++) {
		const struct spark_step *step = &d->spark->steps[i];
		strbuf_addf(&d->out, "<path class=\"step%s\" d=\"M%d 2V%d\"/>",
			    step->worse    ? " worse"
			    : step->better ? " better"
					   : "",
			    x_of(d, step->x), bottom - 2);
	}
}

static const char *class_of(const char *verdict)
{
	static const struct {
		const char *verdict, *name;
	} classes[] = {
		{"regressed", "bad"},      {"failed", "bad"},          {"drift", "bad"},
		{"impossible", "bad"},     {"improved", "good"},       {"accepted", "accepted"},
		{"stale", "stopped"},      {"missing", "stopped"},     {"suspect", "unsure"},
		{"undecided", "unsure"},   {"unproven", "unsure"},     {"environment", "unsure"},
		{"no baseline", "unsure"}, {"incomparable", "unsure"},
	};
	for (size_t i = 0; verdict && i < sizeof classes / sizeof *classes; i++)
		if (strcmp(classes[i].verdict, verdict) == 0)
			return classes[i].name;
	return NULL;
}

static void draw_newest(struct drawing *d)
{
	const char *name = class_of(d->spark->verdict);
	size_t last = d->spark->count;
	while (!isfinite(d->spark->points[last - 1].y))
		last--;
	const struct scene_point *point = &d->spark->points[last - 1];
	strbuf_addstr(&d->out, "<circle");
	if (name)
		strbuf_addf(&d->out, " class=\"%s\"", name);
	strbuf_addf(&d->out, " cx=\"%d\" cy=\"%d\" r=\"5\"/></svg>", x_of(d, point->x),
		    y_of(d, point->y));
}

const char *spark_svg(struct arena *arena, const struct spark *spark)
{
	struct drawing d = {.spark = spark};
	if (!find_range(&d))
		return "";
	strbuf_addf(&d.out,
		    "<svg class=\"spark\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
		    "role=\"img\" aria-label=\"%s\">",
		    spark->width, spark->height, SCALE * spark->width, SCALE * spark->height,
		    spark->label);
	draw_band(&d);
	draw_line(&d);
	draw_far(&d);
	draw_steps(&d);
	draw_newest(&d);
	return strbuf_into(&d.out, arena);
}

/* --- rows of nightly and weekly lists --- */

/* Reads points with a gap between those that the trend does not connect. */
static size_t read_points(const struct json *trend, double oldest, struct scene_point *points)
{
	double gap = json_number(trend, KEY(gap), 3), before = NAN;
	size_t count = 0;
	for (const struct json *row = json_first(trend, KEY(points)); row; row = row->next) {
		double place = json_number_at(row, 0), x = oldest > 0 ? 1 - place / oldest : 1;
		if (!isfinite(place))
			continue;
		if (before - place > gap)
			points[count++] = (struct scene_point){x, NAN};
		points[count++] = (struct scene_point){x, json_number_at(row, 2)};
		before = place;
	}
	return count;
}

static size_t read_steps(const struct json *trend, double oldest, struct spark_step *steps)
{
	size_t count = 0;
	for (const struct json *one = json_first(trend, KEY(changes)); one && count < STEP_LIMIT;
	     one = one->next)
		/* A change stands between the last commit before and the first after it. */
		steps[count++] = (struct spark_step){
			1 - (json_number(one, KEY(place), 0) +
			     json_number(one, KEY(last_before_place), 0)) /
					2 / fmax(oldest, 1),
			json_truth(one, KEY(worse)), json_truth(one, KEY(better))};
	return count;
}

static const char *spark_of(struct arena *arena, const struct json *comparison)
{
	const struct json *trend = json_get(comparison, KEY(trend));
	const struct json *list = json_get(trend, KEY(points)), *band = json_get(trend, KEY(band));
	const struct json *levels = json_get(trend, KEY(levels));
	if (!list || !list->count)
		return "";
	struct arena scratch = {0};
	double oldest = json_number_at(list->first, 0);
	double from = levels && levels->count ? json_number_at(levels->last, 0) : NAN;
	struct scene_point *points =
		arena_array(&scratch, 2 * (size_t)list->count + 1, sizeof *points);
	struct spark_step steps[STEP_LIMIT];
	struct spark spark = {
		.width = ROW_WIDTH,
		.height = ROW_HEIGHT,
		.verdict = json_text(comparison, KEY(verdict), NULL),
		.points = points,
		.count = read_points(trend, oldest, points),
		.steps = steps,
		.step_count = read_steps(trend, oldest, steps),
		.band_from = oldest > 0 ? 1 - from / oldest : 0,
		.band_low = json_number(band, KEY(low), NAN),
		.band_high = json_number(band, KEY(high), NAN),
	};
	spark.label = arena_printf(
		&scratch, "%s, %s",
		quantity_count_text(&scratch, (size_t)json_number(trend, KEY(commits), 0), "commit",
				    "commits"),
		quantity_count_text(&scratch, spark.step_count, "change", "changes"));
	const char *drawn = spark_svg(arena, &spark);
	arena_free(&scratch);
	return drawn;
}

/* Rows name their comparison by series and title. */
static const struct json *comparison_of(const struct json *comparisons, const struct json *row)
{
	const char *series = json_text(row, KEY(series), NULL);
	const char *title = json_text(row, KEY(title), "");
	for (const struct json *one = series ? comparisons : NULL; one; one = one->next)
		if (strcmp(json_text(one, KEY(series), ""), series) == 0 &&
		    strcmp(json_text(one, KEY(title), ""), title) == 0)
			return one;
	return NULL;
}

static void add_sparks(struct arena *arena, const struct json *comparisons, struct json *at)
{
	if (!at || (at->type != JSON_ARRAY && at->type != JSON_OBJECT))
		return;
	const struct json *one = at->type == JSON_OBJECT ? comparison_of(comparisons, at) : NULL;
	for (struct json *child = at->first; child; child = child->next)
		add_sparks(arena, comparisons, child);
	if (one)
		json_set_text(arena, at, "spark_svg", spark_of(arena, one));
}

void spark_rows_inline(struct arena *arena, struct json *document)
{
	static const char *const lists[] = {KEY(night), KEY(week)};
	/* Those with a trend are children of the list. */
	const struct json *comparisons =
		json_first(json_get(document, KEY(gate)), KEY(comparisons));
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		add_sparks(arena, comparisons, (struct json *)json_get(document, lists[i]));
}
