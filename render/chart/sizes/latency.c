/* Latency over a size: ranges, axes, tile boundaries, lines. */

#include "render/document/key.h"
#include "render/chart/chart.h"

#include "base/text/text.h"
#include "base/base.h"
#include "model/sizing/sizing.h"
#include "render/chart/plot/plot.h"
#include "render/chart/plot/run.h"
#include "render/scene/scene.h"
#include "render/vocabulary/vocabulary.h"

enum { LINE_LIMIT = 24, MARK_LIMIT = 2000, BOUNDARY_LIMIT = 128 };
/* Minimal distances in the picture, px. */
static const double boundary_gap = 24, label_gap = 8;
/* The range of seconds and sizes that the axes can show. */
static const double smallest = 1e-15, largest = 1e15;

struct measured {
	double x, seconds, fastest, slowest; /* the last two are those of the repeats */
};

struct line {
	const char *name;
	struct measured *points;
	size_t count;
	bool repeated; /* some point has repeats that differ */
};

struct latency {
	struct chart_plot plot;
	const struct json *sweep;
	const char *param;
	struct line *lines;
	size_t count, hidden; /* lines drawn; lines left out */
	size_t points, skipped;
	double x_low, x_high, y_low, y_high; /* of the data */
	double tile;                         /* NAN: no boundaries */
	double stride; /* draw every stride-th boundary; 0: those at powers of two */
	double labels; /* label every labels-th of the drawn boundaries */
	size_t boundaries;
};

/* --- what is drawn --- */

static bool in_range(double number)
{
	return number >= smallest && number <= largest;
}

static struct line read_line(struct latency *drawing, const struct json *json)
{
	const struct json *list = json_get(json, KEY(points));
	struct line line = {.name = json_text(json, KEY(name), "")};
	line.points = arena_array(drawing->plot.arena, list ? list->count : 0, sizeof *line.points);
	for (const struct json *one = list ? list->first : NULL; one; one = one->next) {
		struct measured point = {plot_number(one, KEY(x)), plot_number(one, KEY(time)),
					 plot_number(one, KEY(fastest)),
					 plot_number(one, KEY(slowest))};
		if (!in_range(point.x) || !in_range(point.seconds)) {
			drawing->skipped++;
			continue;
		}
		if (!in_range(point.fastest) || !in_range(point.slowest) ||
		    point.fastest > point.seconds || point.slowest < point.seconds)
			point.fastest = point.slowest = point.seconds;
		line.repeated |= point.fastest < point.slowest;
		line.points[line.count++] = point;
	}
	return line;
}

static void widen(struct latency *drawing, const struct line *line)
{
	for (size_t i = 0; i < line->count; i++) {
		drawing->x_low = fmin(drawing->x_low, line->points[i].x);
		drawing->x_high = fmax(drawing->x_high, line->points[i].x);
		drawing->y_low = fmin(drawing->y_low, line->points[i].fastest);
		drawing->y_high = fmax(drawing->y_high, line->points[i].slowest);
	}
	drawing->points += line->count;
}

static int read_sweep(struct latency *drawing, const struct json *report, struct error *err)
{
	drawing->sweep = json_get(report, KEY(sweep));
	drawing->param = json_text(drawing->sweep, KEY(x), "size");
	drawing->tile = json_number(drawing->sweep, KEY(tile), NAN);
	drawing->x_low = drawing->y_low = INFINITY;
	drawing->lines = arena_array(drawing->plot.arena, LINE_LIMIT, sizeof *drawing->lines);
	for (const struct json *json = json_first(drawing->sweep, KEY(lines)); json;
	     json = json->next) {
		if (drawing->count == LINE_LIMIT) {
			drawing->hidden++;
			continue;
		}
		struct line line = read_line(drawing, json);
		widen(drawing, &line);
		if (line.count)
			drawing->lines[drawing->count++] = line;
	}
	if (!drawing->count)
		return error_set(err, ERR_FORMAT,
				 "nothing to plot: no run has both a time and a problem "
				 "size\nhint: state the "
				 "size of each file: rooflog ingest --set s=512 FILE");
	return 0;
}

/* --- axes --- */

/* Whether to use a logarithmic size axis: sizes that double leave the left half of a linear one
 * nearly empty. */
static bool doubles(const struct latency *drawing)
{
	size_t below = 0;
	for (size_t i = 0; i < drawing->count; i++)
		for (size_t k = 0; k < drawing->lines[i].count; k++)
			below += drawing->lines[i].points[k].x < drawing->x_high / 4;
	return below * 2 > drawing->points && drawing->x_low * 4 <= drawing->x_high;
}

static void set_x(struct latency *drawing)
{
	struct chart_axis *axis = &drawing->plot.x;
	axis->logarithmic = doubles(drawing);
	axis->from = drawing->plot.area.left;
	axis->to = drawing->plot.area.right;
	axis->low = drawing->x_low;
	axis->high = drawing->x_high;
	if (axis->logarithmic) {
		axis->low /= 1.1;
		axis->high *= 1.1;
		return;
	}
	double span = axis->high - axis->low;
	double margin = span > 0 ? span * 0.03 : axis->high * 0.5;
	/* A linear axis starts at 0, unless that would leave nearly a third of it empty. */
	axis->low = axis->low < axis->high * 0.3 ? 0 : axis->low - margin;
	axis->high += margin;
}

static void set_y(struct latency *drawing)
{
	struct chart_axis *axis = &drawing->plot.y;
	assert(0 < drawing->y_low && drawing->y_low <= drawing->y_high);
	axis->from = drawing->plot.area.bottom;
	axis->to = drawing->plot.area.top;
	axis->low = drawing->y_low;
	axis->high = drawing->y_high;
	axis->logarithmic = axis->high > axis->low * 20;
	if (axis->logarithmic) {
		plot_round_range(&axis->low, &axis->high, 1);
		return;
	}
	/* The data fill the axis but for a margin; they are never stretched beyond a tenth of their
	 * size, so that noise looks small. */
	double middle = (axis->low + axis->high) / 2;
	double half = fmax((axis->high - axis->low) * 0.56, axis->high * 0.05);
	bool from_zero = axis->low < axis->high * 0.5;
	axis->low = from_zero ? 0 : fmax(0, middle - half);
	axis->high = from_zero ? axis->high * 1.06 : middle + half;
}

/* The unit of all times: that of the largest. 0.9999 moves a value that would print as 1000 to the
 * next larger unit. */
static const char *time_unit(const struct latency *drawing, double *scale)
{
	return plot_time_unit(drawing->plot.y.high, 0.9999, scale);
}

static const char *time_text(const struct latency *drawing, double seconds)
{
	double scale;
	time_unit(drawing, &scale);
	return arena_printf(drawing->plot.arena, "%.5g", seconds * scale);
}

static void draw_time(struct latency *drawing, double seconds)
{
	struct chart_plot *plot = &drawing->plot;
	plot_y_tick(plot, plot_at(&plot->y, seconds), 1, time_text(drawing, seconds));
}

static void draw_times(struct latency *drawing)
{
	static const double digits[] = {1, 2, 5};
	const struct chart_axis *axis = &drawing->plot.y;
	if (!axis->logarithmic) {
		double step = plot_step(axis->high - axis->low, 8);
		for (double k = fmax(0, ceil(axis->low / step - 1e-6));
		     k * step <= axis->high * 1.000001; k++)
			draw_time(drawing, k * step);
		return;
	}
	double last = INFINITY;
	for (int power = (int)floor(log10(axis->low) + 1e-9); power <= log10(axis->high); power++)
		for (size_t i = 0; i < 3; i++) {
			double seconds = digits[i] * pow(10, power), at = plot_at(axis, seconds);
			if (at > axis->from + 0.5 || at < axis->to - 0.5 || last - at < 18)
				continue;
			draw_time(drawing, seconds);
			last = at;
		}
}

static const char *size_text(struct arena *arena, double size)
{
	return size < 1e9 && size == floor(size) ? arena_printf(arena, "%.0f", size)
						 : arena_printf(arena, "%.5g", size);
}

/* Draws a label centered at `at`, unless it leaves the picture or meets the previous one,
 * whose right end is *last. */
static void draw_label(struct latency *drawing, double at, double y, const char *text, double *last)
{
	double half = plot_text_width(PLOT_SMALL, text) / 2;
	if (at - half < *last + label_gap || at + half > drawing->plot.scene->width)
		return;
	*last = at + half;
	plot_text(&drawing->plot, at, y, PLOT_SMALL | PLOT_MUTED | PLOT_MIDDLE, text);
}

static void draw_sizes(struct latency *drawing)
{
	struct chart_plot *plot = &drawing->plot;
	const struct chart_axis *axis = &plot->x;
	double span = axis->high - axis->low, last = 0, step = 1;
	/* Sizes are mostly powers of two, so steps are as well: at most 16 on a linear axis. */
	while (!axis->logarithmic && step * 16 < span)
		step *= 2;
	if (span < 4 && !axis->logarithmic)
		step = plot_step(span, 8);
	double value =
		axis->logarithmic ? pow(2, ceil(log2(axis->low))) : ceil(axis->low / step) * step;
	for (double before = -INFINITY; value <= axis->high && value > before;) {
		double at = plot_at(axis, value);
		scene_line(plot->scene, at, plot->area.bottom, at, plot->area.bottom + 4,
			   scene_stroke(plot->palette->frame, 1));
		draw_label(drawing, at, plot->area.bottom + 17, size_text(plot->arena, value),
			   &last);
		before = value;
		value = axis->logarithmic ? value * 2 : value + step;
	}
}

static void draw_frame(struct latency *drawing)
{
	struct chart_plot *plot = &drawing->plot;
	double scale;
	const char *time =
		arena_printf(plot->arena, vocabulary_format("%s, %s"),
			     json_text(drawing->sweep, KEY(time), vocabulary_format("Time")),
			     time_unit(drawing, &scale));
	plot_frame(plot);
	plot_x_title(plot, 40,
		     plot_shorten(plot, PLOT_TEXT, drawing->param,
				  (plot->area.right - plot->area.left) * 0.7));
	plot_y_title(plot, plot->left + 10,
		     plot_shorten(plot, PLOT_TEXT, time, plot->area.bottom - plot->area.top));
}

/* --- tiles --- */

/* Sets how many boundaries to skip, so that drawn ones stay boundary_gap apart. */
static void set_stride(struct latency *drawing)
{
	const struct chart_axis *axis = &drawing->plot.x;
	assert(axis->high > axis->low && drawing->tile > 0);
	double pixels = (axis->to - axis->from) / (axis->high - axis->low) * drawing->tile;
	/* Doubling keeps every drawn boundary at a multiple of the previous stride. */
	drawing->stride = 1;
	if (axis->logarithmic && drawing->x_high >= 2 * drawing->tile)
		drawing->stride = 0;
	while (drawing->stride > 0 && pixels * drawing->stride < boundary_gap)
		drawing->stride *= 2;
	const char *widest = size_text(drawing->plot.arena, floor(drawing->x_high));
	double width = plot_text_width(PLOT_SMALL, widest) + label_gap;
	drawing->labels = 1;
	while (drawing->stride > 0 && pixels * drawing->stride * drawing->labels < width)
		drawing->labels *= 2;
}

static size_t boundaries_of(const struct latency *drawing, double multiples[BOUNDARY_LIMIT])
{
	double low = drawing->plot.x.low, high = drawing->x_high;
	size_t count = 0;
	if (drawing->stride > 0)
		return tiles_boundaries(low, high, drawing->stride * drawing->tile, multiples,
					BOUNDARY_LIMIT);
	for (double value = drawing->tile; value < high && count < BOUNDARY_LIMIT; value *= 2)
		if (value >= low)
			multiples[count++] = value;
	return count;
}

/* Draws a dashed line where one more tile begins, with its size above the picture. */
static void draw_boundaries(struct latency *drawing)
{
	struct chart_plot *plot = &drawing->plot;
	double last = 0, multiples[BOUNDARY_LIMIT];
	struct scene_style style = scene_stroke(plot->palette->ink2, 1);
	style.opacity = 0.5;
	style.dash = SCENE_DASHED;
	if (!in_range(drawing->tile))
		return;
	set_stride(drawing);
	drawing->boundaries = boundaries_of(drawing, multiples);
	double label_step = fmax(1, drawing->stride) * drawing->tile * drawing->labels;
	for (size_t i = 0; i < drawing->boundaries; i++) {
		double at = plot_at(&plot->x, multiples[i]);
		scene_line(plot->scene, at, plot->area.top, at, plot->area.bottom, style);
		if (fmod(multiples[i], label_step) == 0)
			draw_label(drawing, at, plot->area.top - 6,
				   size_text(plot->arena, multiples[i]), &last);
	}
}

static const char *boundary_text(const struct latency *drawing)
{
	struct arena *arena = drawing->plot.arena;
	const char *which = drawing->stride == 0 ? vocabulary_format("; powers of two drawn") : "";
	if (drawing->stride > 1)
		which = arena_printf(arena, vocabulary_format("; 1 of every %.0f drawn"),
				     drawing->stride);
	return arena_printf(arena,
			    vocabulary_format("Dashed: tile boundaries (multiples of %.6g)%s."),
			    drawing->tile, which);
}

/* --- lines --- */

/* Draws the range of the repeats below the line. */
static void draw_band(struct latency *drawing, const struct line *line, uint32_t colour)
{
	struct chart_plot *plot = &drawing->plot;
	struct scene_point *around = arena_array(plot->arena, 2 * line->count, sizeof *around);
	size_t last = 2 * line->count - 1;
	for (size_t i = 0; i < line->count; i++) {
		const struct measured *point = &line->points[i];
		double x = plot_at(&plot->x, point->x);
		around[i] = (struct scene_point){x, plot_at(&plot->y, point->slowest)};
		around[last - i] = (struct scene_point){x, plot_at(&plot->y, point->fastest)};
	}
	if (line->repeated && line->count > 1)
		scene_polygon(plot->scene, around, 2 * line->count, scene_fill(colour, 0.2));
}

static void draw_line(struct latency *drawing, size_t index)
{
	struct chart_plot *plot = &drawing->plot;
	const struct line *line = &drawing->lines[index];
	struct chart_mark mark = plot_mark_of(plot->palette, index);
	struct scene_point *at = arena_array(plot->arena, line->count, sizeof *at);
	bool crowded = drawing->points > MARK_LIMIT && line->count > 1;
	for (size_t i = 0; i < line->count; i++)
		at[i] = (struct scene_point){plot_at(&plot->x, line->points[i].x),
					     plot_at(&plot->y, line->points[i].seconds)};
	draw_band(drawing, line, mark.colour);
	if (line->count > 1)
		scene_polyline(plot->scene, at, line->count, scene_stroke(mark.colour, 1.5));
	for (size_t i = 0; i < line->count && !crowded; i++)
		scene_tooltip(plot->scene,
			      scene_mark(plot->scene, mark.marker, at[i].x, at[i].y,
					 drawing->points > 80 ? 2.5 : 4,
					 plot_mark_style(plot->palette, mark)),
			      "%s, %s=%s: %s", line->name, drawing->param,
			      size_text(plot->arena, line->points[i].x),
			      quantity_text(plot->arena, line->points[i].seconds, UNIT_SECOND));
}

static void draw_lines(struct latency *drawing)
{
	struct chart_plot *plot = &drawing->plot;
	struct chart_entry entries[LINE_LIMIT];
	for (size_t i = 0; i < drawing->count; i++) {
		const char *name = drawing->lines[i].name;
		draw_line(drawing, i);
		entries[i] = (struct chart_entry){plot_mark_of(plot->palette, i), name, name};
	}
	plot_legend(plot, entries, drawing->count);
	plot->below += 6;
}

static void draw_notes(struct latency *drawing)
{
	struct chart_plot *plot = &drawing->plot;
	double skipped = json_number(drawing->sweep, KEY(skipped), 0) + (double)drawing->skipped;
	if (drawing->boundaries)
		plot_note(plot, 2, "%s", boundary_text(drawing));
	for (size_t i = 0; i < drawing->count; i++)
		if (drawing->lines[i].repeated) {
			plot_note(plot, 1, vocabulary_format("Bands: fastest to slowest repeat."));
			break;
		}
	if (plot->y.low > 0 && !plot->y.logarithmic)
		plot_note(plot, 1, vocabulary_format("The time axis does not start at 0."));
	if (skipped > 0)
		plot_note(plot, 1, vocabulary_format("Not drawn: %.0f without a time or a size."),
			  skipped);
	if (drawing->hidden)
		plot_note(plot, 1, vocabulary_format("%zu more lines not drawn."), drawing->hidden);
}

static void draw_heading(struct latency *drawing)
{
	struct arena *arena = drawing->plot.arena;
	plot_heading(
		&drawing->plot,
		arena_printf(arena, vocabulary_format("Latency of %s over %s"),
			     json_text(drawing->sweep, KEY(subject), "runs"), drawing->param),
		json_text(drawing->sweep, KEY(common), ""),
		arena_printf(arena, vocabulary_format("Time over %s, %s with %s, from %s to %s."),
			     drawing->param,
			     quantity_count_text(arena, drawing->count, vocabulary_format("line"),
						 vocabulary_format("lines")),
			     quantity_count_text(arena, drawing->points, vocabulary_format("point"),
						 vocabulary_format("points")),
			     quantity_text(arena, drawing->y_low, UNIT_SECOND),
			     quantity_text(arena, drawing->y_high, UNIT_SECOND)));
}

int chart_latency(struct arena *arena, const struct json *report, const struct chart_look *look,
		  struct scene **scene, struct error *err)
{
	struct latency drawing = {.count = 0};
	struct chart_plot *plot = &drawing.plot;
	plot_begin(plot, arena, look->dark, look->width);
	if (read_sweep(&drawing, report, err) < 0)
		return -1;
	draw_heading(&drawing);
	plot->area = (struct scene_bounds){plot->left + 60, plot->below + 25, plot->right,
					   plot->below + (plot->narrow ? 283 : 363)};
	set_x(&drawing);
	set_y(&drawing);
	draw_times(&drawing);
	draw_boundaries(&drawing);
	draw_sizes(&drawing);
	draw_frame(&drawing);
	plot->below = plot->area.bottom + 58;
	draw_lines(&drawing);
	draw_notes(&drawing);
	*scene = plot_end(plot, 16);
	(*scene)->frame = plot->area;
	return 0;
}
