/*
 * Buckets over two sizes: a cell for each pair of measured sizes, darker the more time its requests
 * lose to padding, and the buckets of the best plan as frames. Bars below show the expected time of
 * each plan.
 */
#include "render/chart/sizes/bucket_pairs.h"

#include "base/text/text.h"
#include "render/chart/plot/run.h"
#include "render/document/key.h"
#include "render/vocabulary/vocabulary.h"

enum { PANEL_LIMIT = 4, SIDE_LIMIT = 64, LABEL_LIMIT = 16 };
static const double row_least = 6, row_most = 28, height_most = 380, sizes_width = 76;

struct sizes {
	double items[SIDE_LIMIT];
	size_t count;
};

/* sides[0] is drawn upwards, sides[1] to the right. */
struct heatmap {
	struct chart_plot *plot;
	const struct json *grid, *plan; /* plan: the best */
	struct sizes measured[2], chosen[2];
	double *own;                /* time of each pair that plans use, s; NAN: not measured */
	double *padded;             /* time of a request of this pair in its bucket */
	double width, height, most; /* of a cell; most: the largest waste */
};

/* --- what is drawn --- */

static bool in_range(double number)
{
	return number >= 1e-15 && number <= 1e15;
}

static size_t place_of(const struct sizes *sizes, double size)
{
	return array_lower_bound(&size, sizes->items, sizes->count, sizeof(double),
				 array_by_double);
}

/* False if there are too many. */
static bool add_size(struct sizes *sizes, double size)
{
	size_t at = place_of(sizes, size);
	if (at < sizes->count && sizes->items[at] == size)
		return true;
	if (sizes->count == SIDE_LIMIT)
		return false;
	memmove(&sizes->items[at + 1], &sizes->items[at],
		(sizes->count - at) * sizeof *sizes->items);
	sizes->items[at] = size;
	sizes->count++;
	return true;
}

static double size_of(const struct json *pair, int side)
{
	return json_number_at(json_get(pair, KEY(sizes)), (size_t)side);
}

/* Reads the sizes; false if the grid cannot be drawn. */
static bool read_sizes(struct heatmap *map)
{
	struct json_walk lists = json_walk_of(json_get(map->plan, KEY(sizes)));
	bool fits = true;
	for (const struct json *p = json_first(map->grid, KEY(measured)); p; p = p->next)
		for (int s = 0; s < 2; s++)
			fits &= in_range(size_of(p, s)) &&
				add_size(&map->measured[s], size_of(p, s));
	for (int s = 0; s < 2 && json_walk_next(&lists); s++)
		for (size_t i = 0; i < lists.child->count; i++) {
			double size = json_number_at(lists.child, i);
			fits &= in_range(size) && add_size(&map->chosen[s], size);
		}
	json_walk_end(&lists);
	for (int s = 0; s < 2; s++)
		fits &= map->measured[s].count && map->chosen[s].count;
	return fits;
}

static void read_times(struct heatmap *map)
{
	size_t columns = map->measured[1].count, cells = map->measured[0].count * columns;
	size_t width = map->chosen[1].count, buckets = map->chosen[0].count * width, used = 0;
	double *times = arena_array(map->plot->arena, buckets, sizeof *times);
	map->own = arena_array(map->plot->arena, cells, sizeof *map->own);
	map->padded = arena_array(map->plot->arena, cells, sizeof *map->padded);
	for (const struct json *b = json_first(map->plan, KEY(buckets)); b && used < buckets;
	     b = b->next)
		times[used++] = plot_number(b, KEY(seconds));
	for (size_t i = 0; i < cells; i++) {
		size_t row = place_of(&map->chosen[0], map->measured[0].items[i / columns]);
		size_t column = place_of(&map->chosen[1], map->measured[1].items[i % columns]);
		size_t bucket = row * width + column;
		bool held = row < map->chosen[0].count && column < width && bucket < used;
		map->own[i] = NAN;
		map->padded[i] = held && in_range(times[bucket]) ? times[bucket] : NAN;
	}
	for (const struct json *p = json_first(map->grid, KEY(measured)); p; p = p->next) {
		size_t cell = place_of(&map->measured[0], size_of(p, 0)) * columns +
			      place_of(&map->measured[1], size_of(p, 1));
		double seconds = plot_number(p, KEY(used_seconds));
		map->own[cell] = in_range(seconds) ? seconds : NAN;
		map->most = fmax(map->most, map->padded[cell] / map->own[cell] - 1);
	}
}

/* --- the cells --- */

static double cell_left(const struct heatmap *map, size_t column)
{
	return map->plot->area.left + map->width * (double)column;
}

static double cell_top(const struct heatmap *map, size_t row)
{
	return map->plot->area.bottom - map->height * (double)(row + 1);
}

/* Two digits, as a cell is narrow. */
static const char *waste_text(struct arena *arena, double waste)
{
	return arena_printf(arena, fabs(waste) < 0.0995 ? "%+.1f %%" : "%+.0f %%", waste * 100);
}

static void draw_cell(struct heatmap *map, size_t row, size_t column)
{
	struct chart_plot *plot = map->plot;
	size_t cell = row * map->measured[1].count + column;
	double own = map->own[cell], padded = map->padded[cell], waste = padded / own - 1;
	double left = cell_left(map, column), top = cell_top(map, row);
	struct scene_style ground = scene_fill(plot->palette->track, 0.5);
	if (!isnan(waste))
		ground = scene_fill(plot->palette->data,
				    0.04 + 0.5 * (map->most > 0 ? fmax(waste, 0) / map->most : 0));
	struct scene_item *item = scene_rect(plot->scene, left + 0.5, top + 0.5, map->width - 1,
					     map->height - 1, ground);
	const char *sizes = arena_printf(plot->arena, "%.10g x %.10g", map->measured[0].items[row],
					 map->measured[1].items[column]);
	if (isnan(own))
		scene_tooltip(plot->scene, item, vocabulary_format("%s: not measured"), sizes);
	else if (isnan(padded))
		scene_tooltip(plot->scene, item, vocabulary_format("%s: %s, in no bucket"), sizes,
			      quantity_text(plot->arena, own, UNIT_SECOND));
	else
		scene_tooltip(plot->scene, item, vocabulary_format("%s: %s, padded %s (%s)"), sizes,
			      quantity_text(plot->arena, own, UNIT_SECOND),
			      quantity_text(plot->arena, padded, UNIT_SECOND),
			      quantity_change_text(plot->arena, waste));
	const char *text = isnan(waste)         ? "?"
			   : fabs(waste) < 5e-4 ? "0"
						: waste_text(plot->arena, waste);
	if (map->height >= 14 && plot_text_width(PLOT_TICK, text) + 4 <= map->width)
		plot_text(plot, left + map->width / 2, top + map->height / 2 + 4,
			  PLOT_TICK | PLOT_MIDDLE | (isnan(waste) ? PLOT_MUTED : 0), text);
}

/* The upper and right edges of the buckets, where they end among the measured sizes. */
static void draw_edges(struct heatmap *map)
{
	struct chart_plot *plot = map->plot;
	struct scene_style edge = scene_stroke(plot->palette->ink, 1.5);
	for (int s = 0; s < 2; s++)
		for (size_t i = 0; i < map->chosen[s].count; i++) {
			size_t at = place_of(&map->measured[s], map->chosen[s].items[i]);
			bool held = at < map->measured[s].count;
			if (!held)
				continue;
			double y = cell_top(map, at), x = cell_left(map, at + 1);
			if (s == 0)
				scene_line(plot->scene, plot->area.left, y, plot->area.right, y,
					   edge);
			else
				scene_line(plot->scene, x, plot->area.top, x, plot->area.bottom,
					   edge);
		}
}

/* Whether a size has a label: all if they are few, else those of the plan. */
static bool is_labelled(const struct heatmap *map, int side, double size)
{
	size_t at = place_of(&map->chosen[side], size);
	return map->measured[side].count <= LABEL_LIMIT ||
	       (at < map->chosen[side].count && map->chosen[side].items[at] == size);
}

static unsigned look_of(const struct heatmap *map, int side, double size)
{
	size_t at = place_of(&map->chosen[side], size);
	bool chosen = at < map->chosen[side].count && map->chosen[side].items[at] == size;
	return chosen ? PLOT_SMALL | PLOT_BOLD : PLOT_SMALL | PLOT_MUTED;
}

static void label_sizes(struct heatmap *map)
{
	struct chart_plot *plot = map->plot;
	double free = plot->area.left - 8, lowest = INFINITY;
	for (size_t k = 0; k < map->measured[1].count; k++) {
		double size = map->measured[1].items[k];
		double middle = cell_left(map, k) + map->width / 2;
		const char *text = arena_printf(plot->arena, "%.10g", size);
		double half = plot_text_width(PLOT_SMALL | PLOT_BOLD, text) / 2;
		middle = fmin(middle, plot->scene->width - half);
		if (!is_labelled(map, 1, size) || middle - half < free)
			continue;
		free = middle + half + 6;
		plot_text(plot, middle, plot->area.bottom + 16, look_of(map, 1, size) | PLOT_MIDDLE,
			  text);
	}
	for (size_t i = 0; i < map->measured[0].count; i++) {
		double size = map->measured[0].items[i];
		double middle = cell_top(map, i) + map->height / 2;
		if (!is_labelled(map, 0, size) || middle > lowest - 13)
			continue;
		lowest = middle;
		plot_text(plot, plot->area.left - 6, middle + 4, look_of(map, 0, size) | PLOT_END,
			  arena_printf(plot->arena, "%.10g", size));
	}
}

/* Draws a grid at plot->below, which ends below it. */
static void draw_map(struct heatmap *map)
{
	struct chart_plot *plot = map->plot;
	const struct json *parameters = json_first(map->grid, KEY(parameters));
	const char *rows = parameters && parameters->text ? parameters->text : "size";
	const char *columns = parameters && parameters->next && parameters->next->text
				      ? parameters->next->text
				      : "size";
	unsigned bold = PLOT_TEXT | PLOT_BOLD;
	plot_text(plot, plot->left, plot->below, bold,
		  plot_shorten(plot, bold,
			       json_text(map->grid, KEY(name), vocabulary_format("unnamed")),
			       plot->right - plot->left));
	map->height = fmax(row_least, fmin(row_most, height_most / (double)map->measured[0].count));
	plot->area = (struct scene_bounds){plot->left + sizes_width, plot->below + 30, plot->right,
					   plot->below + 30};
	plot->area.bottom += map->height * (double)map->measured[0].count;
	map->width = (plot->area.right - plot->area.left) / (double)map->measured[1].count;
	plot_text(plot, plot->area.left - 6, plot->area.top - 8, PLOT_SMALL | PLOT_MUTED | PLOT_END,
		  plot_shorten(plot, PLOT_SMALL, rows, sizes_width - 6));
	for (size_t i = 0; i < map->measured[0].count; i++)
		for (size_t k = 0; k < map->measured[1].count; k++)
			draw_cell(map, i, k);
	draw_edges(map);
	label_sizes(map);
	plot_x_title(plot, 34,
		     plot_shorten(plot, PLOT_TEXT, columns, plot->area.right - plot->area.left));
	chart_buckets_frame(plot->scene, &plot->area);
	plot->below = plot->area.bottom + 54;
	chart_buckets_plans(plot, map->plan);
}

/* --- the picture --- */

static const char *description(struct arena *arena, const struct json *document)
{
	struct strbuf text = {0};
	strbuf_addstr(&text, vocabulary_format("Time lost to padding at each pair of sizes"));
	for (const struct json *g = json_first(document, KEY(grids)); g; g = g->next) {
		struct json_walk lists =
			json_walk_of(json_get(json_first(g, KEY(plans)), KEY(sizes)));
		strbuf_addf(&text, vocabulary_format("; %s: buckets"),
			    json_text(g, KEY(name), "unnamed"));
		for (bool first = true; json_walk_next(&lists); first = false) {
			strbuf_addstr(&text, first ? "" : " x");
			for (size_t i = 0; i < lists.child->count && i < SIDE_LIMIT; i++)
				strbuf_addf(&text, " %.10g", json_number_at(lists.child, i));
		}
		json_walk_end(&lists);
	}
	strbuf_addch(&text, '.');
	return strbuf_into(&text, arena);
}

int chart_buckets_pairs(struct arena *arena, const struct json *document,
			const struct chart_look *look, struct scene **scene, struct error *err)
{
	struct chart_plot plot = {.below = 0};
	const struct json *first = json_first(document, KEY(grids));
	size_t drawn = 0, left_out = 0;
	plot_begin(&plot, arena, look->dark, look->width);
	plot_heading(&plot, vocabulary_format("Buckets over two sizes"),
		     json_text(first, KEY(common), ""), description(arena, document));
	plot.below += 21;
	for (const struct json *g = first; g; g = g->next) {
		struct heatmap map = {.plot = &plot, .grid = g, .plan = json_first(g, KEY(plans))};
		if (drawn == PANEL_LIMIT || !read_sizes(&map)) {
			left_out++;
			continue;
		}
		plot.below += drawn++ ? 30 : 0;
		read_times(&map);
		draw_map(&map);
	}
	if (!drawn)
		return error_set(err, ERR_FORMAT,
				 "no grid to plot: a chart has at most %d sizes of a parameter\n"
				 "hint: select some: rooflog analyze buckets --params s=512",
				 (int)SIDE_LIMIT);
	plot.below += 10;
	plot_note(&plot, 3,
		  vocabulary_format(
			  "Cells: time lost by a request of that size, padded to its bucket "
			  "(darker: more; ?: not measured). Lines: edges of the buckets, sizes in "
			  "bold (%s). Bars: expected time per request; waste is relative to one "
			  "bucket per measured pair."),
		  vocabulary_format(json_truth(first, KEY(uniform)) ? "all sizes equally likely"
								    : "weights from --sizes"));
	if (left_out)
		plot_note(&plot, 1, vocabulary_format("%zu more shapes not drawn."), left_out);
	*scene = plot_end(&plot, 14);
	return 0;
}
