/*
 * One point per shape: speed-up (unfused time / fused time) over the shape's tokens (the product
 * of all sizes but the last), with the confidence interval as a line. Undecided shapes are hollow.
 * The horizontal line is where fusing starts to pay: 1 + margin.
 */

#include "render/document/key.h"
#include "render/chart/chart.h"

#include "base/base.h"
#include "model/sizing/sizing.h"
#include "model/sizing/fusion/fusion_coverage.h"
#include "model/sizing/fusion/fusion_shapes.h"
#include "render/chart/plot/plot.h"
#include "render/chart/plot/run.h"
#include "render/vocabulary/vocabulary.h"

enum { SERIES_LIMIT = 12, STEPS = 7 };
static const double label_pitch = 58; /* px */

struct drawing {
	struct chart_plot plot;
	const struct json *operators;
	double threshold;
	double x[2], y[2]; /* ranges of the data */
	size_t drawn, hidden;
};

/* The number of tokens; NAN if `shape` is not an array of sizes. */
static double tokens_of(const struct json *shape)
{
	struct fusion_shape sizes = fusion_shape_of(json_text(shape, KEY(shape), ""));
	double tokens = sizes.rank ? 1 : NAN;
	for (size_t i = 0; i + 1 < sizes.rank; i++)
		tokens *= sizes.sizes[i];
	return tokens <= 1e15 ? tokens : NAN;
}

static bool is_drawable(const struct json *shape)
{
	double speedup = json_number(shape, KEY(speedup), NAN);
	return speedup > 1e-6 && speedup < 1e6 && tokens_of(shape) >= 1;
}

/* An end of the interval; the point itself if the interval is unknown. */
static double end_of(const struct json *shape, const char *name)
{
	double end = json_number(shape, name, NAN), speedup = json_number(shape, KEY(speedup), NAN);
	return end >= 0 && end < 1e6 ? end : speedup;
}

static void widen(double range[2], double value)
{
	range[0] = fmin(range[0], value);
	range[1] = fmax(range[1], value);
}

static void read_ranges(struct drawing *d)
{
	d->x[0] = d->y[0] = INFINITY;
	d->x[1] = d->y[1] = 0;
	widen(d->y, d->threshold);
	size_t series = 0;
	for (const struct json *op = d->operators->first; op; op = op->next, series++)
		for (const struct json *shape = json_first(op, KEY(shapes)); shape;
		     shape = shape->next) {
			if (series >= SERIES_LIMIT || !is_drawable(shape)) {
				d->hidden++;
				continue;
			}
			d->drawn++;
			widen(d->x, tokens_of(shape));
			widen(d->y, end_of(shape, "lowest"));
			widen(d->y, end_of(shape, "highest"));
		}
}

/* Powers of two on the size axis, round steps on the speed-up axis. */
static void set_axes(struct drawing *d)
{
	struct chart_plot *plot = &d->plot;
	double step = plot_step(fmax(d->y[1] - d->y[0], 0.1), STEPS);
	double low = floor(log2(d->x[0])), high = ceil(log2(d->x[1]));
	plot->area =
		(struct scene_bounds){plot->left + 60, plot->below + 9,
				      plot->right - (plot->narrow ? 20 : 0), plot->below + 353};
	/* Half a power of two of margin on both sides, so that no mark touches the frame. */
	plot->x = (struct chart_axis){exp2(low - 0.5), exp2(high + 0.5), plot->area.left,
				      plot->area.right, true};
	/* The threshold line never coincides with the frame. */
	plot->y = (struct chart_axis){floor((d->y[0] - step / 2) / step) * step,
				      (floor(d->y[1] / step) + 1) * step, plot->area.bottom,
				      plot->area.top, false};
}

static void draw_ticks(struct drawing *d)
{
	struct chart_plot *plot = &d->plot;
	int first = (int)lround(log2(plot->x.low) + 0.5);
	int last = (int)lround(log2(plot->x.high) - 0.5);
	int labels = (int)((plot->area.right - plot->area.left) / label_pitch);
	int every = 1 + (last - first) / labels;
	for (int power = first; power <= last; power++) {
		const char *label = power < 20 ? arena_printf(plot->arena, "%.0f", exp2(power))
					       : arena_printf(plot->arena, "2^%d", power);
		plot_x_tick(plot, plot_at(&plot->x, exp2(power)), 0.6,
			    (power - first) % every ? NULL : label);
	}
	double step = plot_step(fmax(d->y[1] - d->y[0], 0.1), STEPS);
	for (int i = 0; i < 4 * STEPS && plot->y.low + i * step <= plot->y.high + step / 2; i++) {
		double value = plot->y.low + i * step;
		plot_y_tick(plot, plot_at(&plot->y, value), 0.6,
			    arena_printf(plot->arena, "%.6g", value));
	}
}

static void draw_frame(struct drawing *d)
{
	struct chart_plot *plot = &d->plot;
	double y = plot_at(&plot->y, d->threshold);
	struct scene_style roof = scene_stroke(plot->palette->ink2, 1.5);
	roof.dash = SCENE_DOTTED;
	plot_frame(plot);
	scene_tooltip(plot->scene,
		      scene_line(plot->scene, plot->area.left, y, plot->area.right, y, roof),
		      vocabulary_format("fusing pays above %.4g"), d->threshold);
	plot_x_title(plot, 40, vocabulary_format("Tokens (batch x sequence)"));
	plot_y_title(plot, plot->left + 10, vocabulary_format("Unfused / fused time"));
}

static void draw_shape(struct drawing *d, const struct json *shape, struct chart_mark mark,
		       double aside)
{
	struct chart_plot *plot = &d->plot;
	double speedup = json_number(shape, KEY(speedup), NAN);
	double x = plot_at(&plot->x, tokens_of(shape)) + aside, y = plot_at(&plot->y, speedup);
	double low = plot_at(&plot->y, end_of(shape, "lowest"));
	double high = plot_at(&plot->y, end_of(shape, "highest"));
	const char *decision = json_text(shape, KEY(decision), "");
	struct scene_style line = scene_stroke(mark.colour, 1);
	struct scene_style style = plot_mark_style(plot->palette, mark);
	line.opacity = 0.45;
	style.width = 0.75;
	if (strcmp(decision, "undecided") == 0)
		style = (struct scene_style){
			.fill = plot->palette->background, .stroke = mark.colour, .width = 1.25};
	scene_line(plot->scene, x, low, x, high, line);
	if (low - high > 8) {
		scene_line(plot->scene, x - 3, low, x + 3, low, line);
		scene_line(plot->scene, x - 3, high, x + 3, high, line);
	}
	scene_tooltip(plot->scene, scene_mark(plot->scene, mark.marker, x, y, 3.5, style),
		      "%s: %.3f (%.3f to %.3f), %s", json_text(shape, KEY(shape), ""), speedup,
		      end_of(shape, "lowest"), end_of(shape, "highest"), decision);
}

/* "add+rms_norm, a100-sxm-80gb fp16: fuse 98, undecided 2 of 100" */
static const char *entry_text(struct arena *arena, const struct json *operator)
{
	const struct json *counts = json_get(operator, KEY(counts));
	struct strbuf sb = {0};
	strbuf_addf(&sb, "%s, %s %s: ", json_text(operator, KEY(kernel), ""),
		    json_text(operator, KEY(device), ""), json_text(operator, KEY(dtype), ""));
	size_t listed = 0;
	for (int i = 0; i < FUSION_LIMIT; i++) {
		const char *name = fusion_decision_name((enum fusion_decision)i);
		double count = json_number(counts, name, 0);
		if (count > 0)
			strbuf_addf(&sb, "%s%s %.0f", listed++ ? ", " : "", name, count);
	}
	strbuf_addf(&sb, vocabulary_format(" of %.0f"), json_number(counts, KEY(shapes), 0));
	return strbuf_into(&sb, arena);
}

/* Labels the threshold line where there is room next to it. */
static void label_threshold(struct drawing *d)
{
	static const double shares[] = {1, 0, 0.5, 0.75, 0.25};
	const char *text = vocabulary_format("fusing pays above this line");
	struct chart_plot *plot = &d->plot;
	double y = plot_at(&plot->y, d->threshold);
	double spare = plot->area.right - plot->area.left - plot_text_width(PLOT_SMALL, text) - 12;
	struct scene_spot spots[5];
	for (size_t i = 0; i < 5; i++)
		spots[i] = (struct scene_spot){plot->area.left + 6 + shares[i] * spare, y - 6, 0,
					       SCENE_START};
	plot_label(plot, PLOT_SMALL, text, spots, 5);
}

static void draw_series(struct drawing *d)
{
	struct chart_entry entries[SERIES_LIMIT];
	struct chart_plot *plot = &d->plot;
	size_t series = 0, count = d->operators->count;
	double middle = (double)(count < SERIES_LIMIT ? count - 1 : SERIES_LIMIT - 1) / 2;
	double doubling = plot_at(&plot->x, 2) - plot_at(&plot->x, 1);
	double aside = fmin(7, doubling * 0.7 / (2 * middle + 1));
	for (const struct json *op = d->operators->first; op && series < SERIES_LIMIT;
	     op = op->next, series++) {
		struct chart_mark mark = plot_mark_of(plot->palette, series);
		entries[series] = (struct chart_entry){mark, entry_text(plot->arena, op), NULL};
		for (const struct json *shape = json_first(op, KEY(shapes)); shape;
		     shape = shape->next)
			if (is_drawable(shape))
				draw_shape(d, shape, mark, ((double)series - middle) * aside);
	}
	label_threshold(d);
	plot_legend(plot, entries, series);
}

int chart_fusion(struct arena *arena, const struct json *document, const struct chart_look *look,
		 struct scene **scene, struct error *err)
{
	struct drawing d = {.operators = json_get(document, KEY(operators))};
	struct chart_plot *plot = &d.plot;
	double margin = json_number(document, KEY(margin), 0);
	d.threshold = 1 + (margin >= 0 && margin < 1e3 ? margin : 0);
	if (d.operators && d.operators->type == JSON_ARRAY)
		read_ranges(&d);
	if (!d.drawn)
		return error_set(
			err, ERR_FORMAT,
			"nothing to plot: no shape was timed both fused and unfused\nhint: measure "
			"both sides of a shape: rooflog ingest FILE");
	plot_begin(plot, arena, look->dark, look->width);
	plot_heading(
		plot, vocabulary_format("Speed-up of fused operators"),
		arena_printf(arena, vocabulary_format("%zu shapes; fusing pays above %.4g"),
			     d.drawn, d.threshold),
		arena_printf(arena,
			     vocabulary_format("Unfused / fused time over tokens, %zu shapes."),
			     d.drawn));
	set_axes(&d);
	draw_ticks(&d);
	draw_frame(&d);
	plot->below = plot->area.bottom + 56;
	draw_series(&d);
	plot->below += 8;
	plot_note(plot, 2,
		  vocabulary_format("Lines: confidence interval. Hollow: unclear. Operators of "
				    "equal size are drawn "
				    "side by side."));
	if (d.hidden)
		plot_note(plot, 2,
			  vocabulary_format("Not drawn: %zu of %zu (timed on one side only, no "
					    "shape, or more than "
					    "%d operators)."),
			  d.hidden, d.hidden + d.drawn, (int)SERIES_LIMIT);
	*scene = plot_end(plot, 14);
	(*scene)->frame = plot->area;
	return 0;
}
