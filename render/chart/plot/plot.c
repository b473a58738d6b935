/* Axes, titles, legends and notes. */
#include "render/chart/plot/plot.h"

#include "base/base.h"

double plot_at(const struct chart_axis *axis, double value)
{
	assert(!axis->logarithmic || (0 < axis->low && axis->low <= axis->high));
	double share = axis->logarithmic ? log10(value / axis->low) / log10(axis->high / axis->low)
					 : (value - axis->low) / (axis->high - axis->low);
	return axis->from + share * (axis->to - axis->from);
}

/* Rounds to 1, 2 or 5 times a power of ten: down, or up if `up` is set. */
static double round_number(double value, bool up)
{
	static const double steps[] = {1, 2, 5, 10};
	/* 1e-9 absorbs the rounding of pow() and log10(): an exact step must not become the next.
	 */
	double decade = pow(10, floor(log10(value)));
	double found = up ? 10 : 1;
	for (size_t i = 0; i < 4; i++) {
		double step = steps[up ? 3 - i : i];
		bool fits = up ? step * decade >= value * (1 - 1e-9)
			       : step * decade <= value * (1 + 1e-9);
		if (fits)
			found = step;
	}
	return found * decade;
}

void plot_round_range(double *low, double *high, double decades)
{
	assert(0 < *low && *low <= *high);
	double missing = decades - log10(*high / *low);
	if (missing > 0) {
		*low /= pow(10, missing / 2);
		*high *= pow(10, missing / 2);
	}
	*low = round_number(*low, false);
	*high = round_number(*high, true);
}

double plot_step(double high, int count)
{
	assert(count > 0);
	return high > 0 && isfinite(high) ? round_number(high / count, true) : 1;
}

struct grid {
	struct chart_plot *plot;
	const struct chart_axis *axis;
	bool vertical;    /* grid lines of the x axis */
	const char *unit; /* or NULL */
	bool minors;      /* label 2 and 5 as well */
	int step;         /* decades between labels */
};

static const char *tick_text(const struct grid *grid, double value)
{
	static const char prefixes[] = "\0kMGTPE";
	struct arena *arena = grid->plot->arena;
	if (!grid->unit)
		return value >= 1e6 ? arena_printf(arena, "%.0e", value)
				    : arena_printf(arena, "%.6g", value);
	int power = (int)floor(log10(value) / 3 + 1e-9);
	power = power < 0 ? 0 : power > 6 ? 6 : power;
	const char prefix[2] = {prefixes[power], 0};
	return arena_printf(arena, "%.6g %s%s", value / pow(1000, power), prefix, grid->unit);
}

static void grid_line(const struct grid *grid, double at, double opacity)
{
	const struct scene_bounds *area = &grid->plot->area;
	struct scene_style style = {.fill = SCENE_NONE,
				    .stroke = grid->plot->palette->grid,
				    .width = 1,
				    .opacity = opacity};
	if (grid->vertical)
		scene_line(grid->plot->scene, at, area->top, at, area->bottom, style);
	else
		scene_line(grid->plot->scene, area->left, at, area->right, at, style);
}

static void grid_label(const struct grid *grid, double at, double value)
{
	const struct scene_bounds *area = &grid->plot->area;
	struct scene_item *text =
		scene_text(grid->plot->scene, grid->vertical ? at : area->left - 8,
			   grid->vertical ? area->bottom + 17 : at + 4, chart_label_size,
			   grid->plot->palette->muted, tick_text(grid, value));
	text->anchor = grid->vertical ? SCENE_MIDDLE : SCENE_END;
}

static void draw_ticks(const struct grid *grid)
{
	int first = (int)floor(log10(grid->axis->low) + 1e-9);
	int last = (int)ceil(log10(grid->axis->high) - 1e-9);
	for (int decade = first; decade <= last; decade++) {
		for (int digit = 1; digit < 10; digit++) {
			double value = digit * pow(10, decade);
			if (value < grid->axis->low * (1 - 1e-9) ||
			    value > grid->axis->high * (1 + 1e-9))
				continue;
			double at = plot_at(grid->axis, value);
			bool minor = digit == 2 || digit == 5;
			if (digit == 1 || last - first <= 8)
				grid_line(grid, at, digit == 1 ? 1 : 0.45);
			if (digit == 1 ? decade % grid->step == 0 : minor && grid->minors)
				grid_label(grid, at, value);
		}
	}
}

void plot_log_grid(struct chart_plot *plot, const char *unit)
{
	double x_decade = fabs(plot->x.to - plot->x.from) / log10(plot->x.high / plot->x.low);
	double y_decade = fabs(plot->y.to - plot->y.from) / log10(plot->y.high / plot->y.low);
	struct grid x = {.plot = plot, .axis = &plot->x, .vertical = true};
	struct grid y = {.plot = plot, .axis = &plot->y, .unit = unit};
	x.minors = x_decade > 150;
	x.step = x_decade > 50 ? 1 : (int)ceil(50 / x_decade);
	y.minors = y_decade > 240;
	y.step = y_decade > 18 ? 1 : (int)ceil(18 / y_decade);
	draw_ticks(&x);
	draw_ticks(&y);
	const struct scene_bounds *area = &plot->area;
	struct scene_style frame = {.fill = SCENE_NONE, .stroke = plot->palette->frame, .width = 1};
	scene_line(plot->scene, area->left, area->top, area->left, area->bottom, frame);
	scene_line(plot->scene, area->left, area->bottom, area->right, area->bottom, frame);
}

void plot_heading(struct chart_plot *plot, const char *title, const char *below)
{
	double width = CHART_WIDTH - 2 * CHART_MARGIN;
	struct arena *arena = plot->arena;
	scene_bold(plot->scene, CHART_MARGIN, 34, chart_title_size, plot->palette->ink,
		   scene_shorten(arena, title, chart_title_size, true, width));
	scene_text(plot->scene, CHART_MARGIN, 54, chart_text_size, plot->palette->muted,
		   scene_shorten(arena, below, chart_text_size, false, width));
}

/* Cuts off the leading words that fit into `width`, at least one. */
static struct span cut_line(struct span *rest, double width)
{
	struct strbuf line = {0};
	size_t taken = 0;
	while (taken < rest->len) {
		struct span tail = {rest->ptr + taken, rest->len - taken};
		size_t word = span_find(tail, " ");
		strbuf_reset(&line);
		strbuf_add(&line, rest->ptr, taken + word);
		if (taken && scene_text_width(strbuf_text(&line), chart_small_size, false) > width)
			break;
		taken += word < tail.len ? word + 1 : word;
	}
	strbuf_free(&line);
	struct span cut = span_trim((struct span){rest->ptr, taken});
	*rest = (struct span){rest->ptr + taken, rest->len - taken};
	return cut;
}

double plot_note(struct chart_plot *plot, double y, const char *text, size_t lines)
{
	double width = CHART_WIDTH - 2 * CHART_MARGIN;
	const char *clean = scene_clean(plot->arena, text);
	struct span rest = span_trim(span_of(clean));
	for (size_t i = 0; i < lines && rest.len; i++) {
		struct span line = i + 1 < lines ? cut_line(&rest, width) : rest;
		const char *shown = arena_strndup(plot->arena, line.ptr, line.len);
		shown = scene_shorten(plot->arena, shown, chart_small_size, false, width);
		struct scene_item *item =
			scene_text(plot->scene, CHART_MARGIN, y + chart_small_size,
				   chart_small_size, plot->palette->muted, shown);
		if (strlen(shown) < line.len)
			scene_tooltip(plot->scene, item, clean);
		y += 15;
	}
	return y;
}

_Static_assert(SCENE_MARKER_LIMIT == 6 && PALETTE_SERIES == 7,
	       "coprime: pairs of shape and color repeat after 42 series");
struct chart_mark plot_mark_of(const struct palette *palette, size_t series)
{
	return (struct chart_mark){(enum scene_marker)(series % SCENE_MARKER_LIMIT),
				   palette->series[series % PALETTE_SERIES]};
}

struct scene_style plot_mark_style(const struct palette *palette, struct chart_mark mark)
{
	return (struct scene_style){
		.fill = mark.colour, .stroke = palette->background, .width = 1.25};
}

double plot_legend(struct chart_plot *plot, double y, const struct chart_entry *entries,
		   size_t count)
{
	const double indent = 16, gap = 24, row_height = 18;
	double width = CHART_WIDTH - 2 * CHART_MARGIN, widest = 0;
	for (size_t i = 0; i < count; i++)
		widest = fmax(widest,
			      indent + scene_text_width(entries[i].text, chart_label_size, false));
	/* At most five columns, all as wide as the widest entry; entries run down the columns. */
	size_t columns = widest > 0 ? (size_t)((width + gap) / (widest + gap)) : 1;
	columns = columns < 1 ? 1 : columns > 5 ? 5 : columns;
	if (columns > count)
		columns = count ? count : 1;
	double pitch = fmin((width + gap) / (double)columns, widest + gap);
	size_t rows = (count + columns - 1) / columns;
	for (size_t i = 0; i < count; i++) {
		size_t column = i / rows, row = i % rows;
		double x = CHART_MARGIN + (double)column * pitch;
		double middle = y + (double)row * row_height + row_height / 2;
		scene_mark(plot->scene, entries[i].mark.marker, x + 5, middle, 4.5,
			   plot_mark_style(plot->palette, entries[i].mark));
		const char *shown = scene_shorten(
			plot->arena, entries[i].text, chart_label_size, false,
			pitch - (columns > 1 || pitch < width ? gap : 0) - indent + 0.5);
		struct scene_item *text = scene_text(plot->scene, x + indent, middle + 4,
						     chart_label_size, plot->palette->ink, shown);
		if (entries[i].tooltip)
			scene_tooltip(plot->scene, text, entries[i].tooltip);
	}
	return y + (double)rows * row_height;
}

const char *plot_value_text(struct arena *arena, const struct chart_axis *axis, double value,
			    double step, enum unit unit)
{
	static const char *const prefixes[] = {"p", "n", "u", "m", "", "k", "M", "G", "T", "P"};
	enum { PLAIN = 4, LARGEST = 5 };
	bool small = unit == UNIT_SECOND, plain = unit == UNIT_NONE || unit == UNIT_FRACTION;
	double size = fmax(fabs(axis->low), fabs(axis->high));
	/* Times have the prefixes p to none, other units none to P. The factor 1.0001 moves 999.95,
	 * which would print as 1000, to the next prefix. */
	int power = size > 0 ? (int)floor(log10(size * 1.0001) / 3) : 0;
	int least = small ? -PLAIN : 0, most = small ? 0 : LARGEST;
	power = power < least ? least : power > most ? most : power;
	if (unit == UNIT_FRACTION)
		return arena_printf(arena, "%.4g %%", value * 100);
	if (plain)
		return arena_printf(arena, "%.4g", value);
	double scale = pow(1000, power), digits = ceil(-log10(step / scale) - 1e-9);
	int decimals = digits < 0 ? 0 : digits > 4 ? 4 : (int)digits;
	const char *symbol = unit == UNIT_COUNT        ? ""
			     : unit == UNIT_PER_SECOND ? "/s"
						       : quantity_unit_symbol(unit);
	return arena_printf(arena, "%.*f %s%s", decimals, value / scale, prefixes[power + PLAIN],
			    symbol);
}
