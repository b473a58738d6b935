/* Axes, titles, legends and notes. */
#include "render/chart/plot/plot.h"

#include "base/base.h"
#include "render/vocabulary/vocabulary.h"

void plot_begin(struct chart_plot *plot, struct arena *arena, bool dark, double width)
{
	const double narrow_margin = 12;
	width = width > 0 ? width : CHART_WIDTH;
	plot->arena = arena;
	plot->palette = palette_of(dark);
	plot->narrow = width < CHART_NARROW;
	plot->left = plot->narrow ? narrow_margin : CHART_MARGIN;
	plot->right = width - plot->left;
	plot->scene = scene_new(arena, width, 0, plot->palette->background);
}

/* Chinese has no blank before the sign of percent. */
static const char *closed(struct arena *arena, const char *text)
{
	struct strbuf sb = {0};
	if (!text || !strstr(text, " %"))
		return text;
	strbuf_addstr(&sb, text);
	vocabulary_close_percents(&sb);
	return strbuf_into(&sb, arena);
}

void plot_close_percents(struct scene *scene)
{
	if (vocabulary_spoken() != LANGUAGE_CHINESE)
		return;
	for (size_t i = 0; i < scene->count; i++) {
		struct scene_item *item = &scene->items[i];
		item->text = closed(scene->arena, item->text);
		item->tooltip = closed(scene->arena, item->tooltip);
	}
	scene->title = closed(scene->arena, scene->title);
	scene->desc = closed(scene->arena, scene->desc);
}

struct scene *plot_end(struct chart_plot *plot, double margin)
{
	plot_close_percents(plot->scene);
	plot->scene->height = ceil(plot->below + margin);
	return plot->scene;
}

/* --- texts --- */

/* px; at least 11, which tests of the charts verify */
static const double sizes[PLOT_SIZES] = {[PLOT_TICK] = 11,
					 [PLOT_SMALL] = 11.5,
					 [PLOT_LABEL] = 12,
					 [PLOT_TEXT] = 12.5,
					 [PLOT_TITLE] = 17};

double plot_text_size(unsigned look)
{
	assert((look & 7) < PLOT_SIZES);
	return sizes[look & 7];
}

struct scene_item *plot_text(struct chart_plot *plot, double x, double y, unsigned look,
			     const char *text)
{
	const struct palette *palette = plot->palette;
	uint32_t colour = look & PLOT_MUTED    ? palette->muted
			  : look & PLOT_ACCENT ? palette->accent
			  : look & PLOT_BAD    ? palette->slower
			  : look & PLOT_GOOD   ? palette->faster
					       : palette->ink;
	struct scene_type type = {plot_text_size(look), colour, look & PLOT_BOLD,
				  look & PLOT_MIDDLE ? SCENE_MIDDLE
				  : look & PLOT_END  ? SCENE_END
						     : SCENE_START};
	return scene_text(plot->scene, x, y, type, text);
}

double plot_text_width(unsigned look, const char *text)
{
	return scene_text_width(text, plot_text_size(look), look & PLOT_BOLD);
}

const char *plot_shorten(const struct chart_plot *plot, unsigned look, const char *text,
			 double width)
{
	return scene_shorten(plot->arena, text, plot_text_size(look), look & PLOT_BOLD, width);
}

bool plot_label(struct chart_plot *plot, unsigned look, const char *text,
		const struct scene_spot *spots, size_t count)
{
	plot_text(plot, 0, 0, look, text)->halo = plot->palette->background;
	return scene_place(plot->scene, &plot->area, spots, count);
}

bool plot_label_pair(struct chart_plot *plot, const unsigned looks[2], const char *const texts[2],
		     const struct scene_spot *spots, size_t count)
{
	const double pitch = plot_text_size(looks[1]) + 3;
	double width = plot_text_width(looks[1], texts[1]);
	struct scene_item *first = plot_text(plot, 0, 0, looks[0], texts[0]);
	double own = first->text_width;
	first->halo = plot->palette->background;
	first->text_width = fmax(own, width);
	first->below = pitch;
	if (!scene_place(plot->scene, &plot->area, spots, count))
		return false;
	struct scene_item *second = plot_text(plot, 0, 0, looks[1], texts[1]);
	first = second - 1;
	first->below = 0;
	first->text_width = own;
	second->x = first->x;
	second->y = first->y + pitch;
	second->anchor = first->anchor;
	second->halo = plot->palette->background;
	return true;
}

/* --- axes --- */

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

const char *plot_time_unit(double seconds, double smallest, double *scale)
{
	static const char *const units[] = {"s", "ms", "us", "ns"};
	size_t i = 0;
	for (*scale = 1; i < 3 && seconds * *scale < smallest; *scale *= 1e3)
		i++;
	return units[i];
}

void plot_x_tick(struct chart_plot *plot, double at, double opacity, const char *label)
{
	struct scene_style grid = scene_stroke(plot->palette->grid, 1);
	grid.opacity = opacity;
	scene_line(plot->scene, at, plot->area.top, at, plot->area.bottom, grid);
	if (label)
		plot_text(plot, at, plot->area.bottom + 17, PLOT_LABEL | PLOT_MUTED | PLOT_MIDDLE,
			  label);
}

void plot_y_tick(struct chart_plot *plot, double at, double opacity, const char *label)
{
	struct scene_style grid = scene_stroke(plot->palette->grid, 1);
	grid.opacity = opacity;
	scene_line(plot->scene, plot->area.left, at, plot->area.right, at, grid);
	if (label)
		plot_text(plot, plot->area.left - 8, at + 4, PLOT_LABEL | PLOT_MUTED | PLOT_END,
			  label);
}

double plot_prefix(double value, const char **prefix)
{
	static const char *const prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
	int power = value > 0 ? (int)floor(log10(value) / 3 + 1e-9) : 0;
	power = power < 0 ? 0 : power > 6 ? 6 : power;
	*prefix = prefixes[power];
	return pow(1000, power);
}

/* Draws the ticks of one axis. Labels are at least `label_gap` px apart: at every power of ten if
 * there is room, at 2 and 5 times it as well if a decade is longer than `minor_pitch`. */
static void draw_ticks(struct chart_plot *plot, const struct chart_axis *axis, double unit,
		       double label_gap, double minor_pitch)
{
	double pitch = fabs(axis->to - axis->from) / log10(axis->high / axis->low);
	int step = pitch > label_gap ? 1 : (int)ceil(label_gap / pitch);
	int first = (int)floor(log10(axis->low) + 1e-9);
	int last = (int)ceil(log10(axis->high) - 1e-9);
	for (int decade = first; decade <= last; decade++) {
		for (int digit = 1; digit < 10 && (digit == 1 || last - first <= 8); digit++) {
			double value = digit * pow(10, decade);
			bool labelled = digit == 1
						? decade % step == 0
						: pitch > minor_pitch && (digit == 2 || digit == 5);
			const char *label = NULL;
			if (labelled)
				label = arena_printf(plot->arena,
						     value / unit >= 1e6 ? "%.0e" : "%.6g",
						     value / unit);
			if (value < axis->low * (1 - 1e-9) || value > axis->high * (1 + 1e-9))
				continue;
			(axis == &plot->x ? plot_x_tick : plot_y_tick)(
				plot, plot_at(axis, value), digit == 1 ? 1 : 0.45, label);
		}
	}
}

void plot_frame(struct chart_plot *plot)
{
	const struct scene_bounds *area = &plot->area;
	struct scene_style frame = scene_stroke(plot->palette->frame, 1);
	scene_line(plot->scene, area->left, area->top, area->left, area->bottom, frame);
	scene_line(plot->scene, area->left, area->bottom, area->right, area->bottom, frame);
}

void plot_log_grid(struct chart_plot *plot, double y_unit)
{
	draw_ticks(plot, &plot->x, 1, 50, 150);
	draw_ticks(plot, &plot->y, y_unit, 18, 240);
	plot_frame(plot);
}

void plot_x_title(struct chart_plot *plot, double distance, const char *title)
{
	plot_text(plot, (plot->area.left + plot->area.right) / 2, plot->area.bottom + distance,
		  PLOT_TEXT | PLOT_MIDDLE, title);
}

void plot_y_title(struct chart_plot *plot, double x, const char *title)
{
	plot_text(plot, x, (plot->area.top + plot->area.bottom) / 2, PLOT_TEXT | PLOT_MIDDLE, title)
		->angle = -90;
}

/* --- title, notes, legend --- */

/* Cuts off the leading words that fit into `width`, at least one. */
static struct span cut_line(struct chart_plot *plot, unsigned look, struct span *rest, double width)
{
	size_t used = 0;
	while (used < rest->len) {
		struct span tail = {rest->ptr + used, rest->len - used};
		size_t word = fill_piece((struct span){tail.ptr, span_find(tail, " ")});
		const char *line = arena_strndup(plot->arena, rest->ptr, used + word);
		if (used && plot_text_width(look, line) > width)
			break;
		used += word < tail.len && tail.ptr[word] == ' ' ? word + 1 : word;
	}
	struct span cut = span_trim((struct span){rest->ptr, used});
	*rest = span_from(*rest, used);
	return cut;
}

/* Draws a text from plot->below on, wrapped to at most `lines` lines `pitch` apart; the last is
 * shortened. */
static void draw_lines(struct chart_plot *plot, unsigned look, const char *text, size_t lines,
		       double pitch)
{
	const char *clean = scene_clean(plot->arena, text);
	struct span rest = span_trim(span_of(clean));
	double width = plot->right - plot->left;
	for (size_t i = 0; i < lines && rest.len; i++) {
		struct span line = i + 1 < lines ? cut_line(plot, look, &rest, width) : rest;
		const char *shown = arena_strndup(plot->arena, line.ptr, line.len);
		shown = plot_shorten(plot, look, shown, width);
		struct scene_item *item = plot_text(
			plot, plot->left, plot->below + plot_text_size(look), look, shown);
		if (strlen(shown) < line.len)
			scene_tooltip(plot->scene, item, "%s", clean);
		plot->below += pitch;
	}
}

void plot_heading(struct chart_plot *plot, const char *title, const char *line,
		  const char *description)
{
	const size_t lines = plot->narrow ? 4 : 2;
	plot->below = plot->narrow ? 8 : 17;
	draw_lines(plot, PLOT_TITLE | PLOT_BOLD, title, lines, 22);
	plot->below += 2;
	draw_lines(plot, PLOT_TEXT | PLOT_MUTED, line, lines, 16);
	plot->below += 10;
	scene_describe(plot->scene, title, description);
}

void plot_note(struct chart_plot *plot, size_t lines, const char *format, ...)
{
	struct strbuf text = {0};
	va_list args;
	va_start(args, format);
	strbuf_vaddf(&text, format, args);
	va_end(args);
	draw_lines(plot, PLOT_SMALL | PLOT_MUTED, strbuf_text(&text),
		   plot->narrow ? 3 * lines : lines, 15);
	strbuf_free(&text);
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

void plot_legend(struct chart_plot *plot, const struct chart_entry *entries, size_t count)
{
	const double indent = 16, gap = 24, row_height = 18;
	double width = plot->right - plot->left, widest = 0;
	for (size_t i = 0; i < count; i++)
		widest = fmax(widest, indent + plot_text_width(PLOT_LABEL, entries[i].text));
	/* At most five columns, all as wide as the widest entry; entries run down the columns. A
	 * single entry wider than the picture is shortened. */
	size_t columns = widest > 0 ? (size_t)((width + gap) / (widest + gap)) : 1;
	columns = columns < 1 ? 1 : columns > 5 ? 5 : columns;
	if (columns > count)
		columns = count ? count : 1;
	double pitch = fmin((width + gap) / (double)columns, widest + gap);
	size_t rows = (count + columns - 1) / columns;
	assert(rows * columns >= count);
	for (size_t i = 0; i < count; i++) {
		size_t column = i / rows, row = i % rows;
		double x = plot->left + (double)column * pitch;
		double middle = plot->below + (double)row * row_height + row_height / 2;
		double room = pitch - gap - indent + 0.5;
		scene_mark(plot->scene, entries[i].mark.marker, x + 5, middle, 4.5,
			   plot_mark_style(plot->palette, entries[i].mark));
		struct scene_item *text =
			plot_text(plot, x + indent, middle + 4, PLOT_LABEL,
				  plot_shorten(plot, PLOT_LABEL, entries[i].text, room));
		if (entries[i].tooltip)
			scene_tooltip(plot->scene, text, "%s", entries[i].tooltip);
	}
	plot->below += (double)rows * row_height;
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
	int smallest = small ? -PLAIN : 0, largest = small ? 0 : LARGEST;
	power = power < smallest ? smallest : power > largest ? largest : power;
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
