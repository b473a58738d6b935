/* Collects, draws and labels roofs. */
#include "render/chart/roofline/roofline.h"

#include "render/document/key.h"

#include "base/text/text.h"
#include "base/base.h"
#include "render/vocabulary/vocabulary.h"

/* Minimal distance of lines and labels from the frame and from each other, px. */
static const double gap = 6;

/* Whether a real machine can have this rate; any other rate would only stretch the axes. */
static bool is_plausible(double rate)
{
	return rate >= 1 && rate <= 1e22;
}

static bool same_number(double a, double b)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fabs(b);
}

static struct chart_roof_set *set_of(struct chart_roof_sets *sets, const struct json *run)
{
	const struct json *peaks = json_get(run, KEY(peaks));
	const char *device = json_text(run, KEY(device), "");
	double cores = plot_number(run, KEY(cores)), bandwidth = plot_number(peaks, KEY(bandwidth));
	for (size_t i = 0; i < sets->count; i++) {
		struct chart_roof_set *set = &sets->items[i];
		if (strcmp(set->device, device) == 0 && same_number(set->cores, cores) &&
		    same_number(set->bandwidth, bandwidth))
			return set;
	}
	if (sets->count == CHART_SET_LIMIT)
		return NULL;
	struct chart_roof_set *set = &sets->items[sets->count++];
	*set = (struct chart_roof_set){.device = device, .cores = cores, .bandwidth = bandwidth};
	set->bandwidth_source = json_text(peaks, KEY(bandwidth_source), "");
	set->gpu = json_truth(run, KEY(gpu));
	return set;
}

/* Adds a roof unless present; the list stays sorted, highest first. */
static void add_roof(struct chart_roof_set *set, const struct chart_roof *roof)
{
	size_t at = 0;
	if (!is_plausible(roof->flops))
		return;
	while (at < set->count && set->roofs[at].flops > roof->flops * (1 + 1e-9))
		at++;
	for (size_t i = at; i < set->count && same_number(set->roofs[i].flops, roof->flops); i++) {
		if (strcmp(set->roofs[i].dtype, roof->dtype) == 0) {
			set->roofs[i].used |= roof->used;
			return;
		}
	}
	if (set->count == CHART_ROOF_LIMIT) {
		if (at == set->count)
			return;
		set->count--;
	}
	assert(at <= set->count && set->count < CHART_ROOF_LIMIT);
	memmove(&set->roofs[at + 1], &set->roofs[at], (set->count - at) * sizeof *set->roofs);
	set->roofs[at] = *roof;
	set->count++;
}

void roofline_roofs_add(struct chart_roof_sets *sets, const struct json *run)
{
	const struct json *peaks = json_get(run, KEY(peaks));
	double flops = plot_number(peaks, KEY(flops)),
	       bandwidth = plot_number(peaks, KEY(bandwidth));
	if (!is_plausible(flops) || !is_plausible(bandwidth))
		return;
	struct chart_roof_set *set = set_of(sets, run);
	if (!set) {
		sets->left_out++;
		return;
	}
	bool stated = false;
	for (const struct json *r = json_first(run, KEY(roofs)); r; r = r->next) {
		struct chart_roof roof = {.flops = plot_number(r, KEY(flops)),
					  .cores = plot_number(r, KEY(cores)),
					  .dtype = json_text(r, KEY(dtype), ""),
					  .source = json_text(r, KEY(source), ""),
					  .label = json_text(r, KEY(label), ""),
					  .measured = json_truth(r, KEY(measured))};
		if (!isnan(plot_number(r, KEY(clock))) && !sets->clocks)
			continue;
		roof.used = !roof.measured && same_number(roof.flops, flops);
		stated |= roof.used;
		add_roof(set, &roof);
	}
	struct chart_roof own = {.flops = flops,
				 .cores = plot_number(run, KEY(cores)),
				 .dtype = json_text(peaks, KEY(dtype), ""),
				 .source = json_text(peaks, KEY(flops_source), ""),
				 .label = "",
				 .used = true};
	if (!stated)
		add_roof(set, &own);
}

/* Whether labels state the number of cores: some roof covers more than one. */
static bool names_cores(const struct chart_roof_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->roofs[i].cores > 1)
			return true;
	return false;
}

static void add_cores(struct strbuf *out, double cores)
{
	strbuf_addf(out,
		    cores == 1 ? vocabulary_format("%.0f core") : vocabulary_format("%.0f cores"),
		    cores);
}

/* "bf16, 2 cores" */
static const char *roof_name(struct chart_plot *plot, const struct chart_roof_sets *sets,
			     const struct chart_roof_set *set, const struct chart_roof *roof)
{
	struct strbuf sb = {0};
	if (sets->count > 1 && *set->device)
		strbuf_addf(&sb, "%s ", set->device);
	strbuf_addstr(&sb, *roof->dtype ? roof->dtype : roof->label);
	if (names_cores(set) && roof->cores >= 1) {
		strbuf_addstr(&sb, sb.len ? ", " : "");
		add_cores(&sb, roof->cores);
	}
	if (roof->measured)
		strbuf_addstr(&sb, sb.len ? vocabulary_format(", measured")
					  : vocabulary_format("measured"));
	return strbuf_into(&sb, plot->arena);
}

/* "bf16, 2 cores: 157.3 TFLOP/s" */
static const char *roof_text(struct chart_plot *plot, const struct chart_roof_sets *sets,
			     const struct chart_roof_set *set, const struct chart_roof *roof)
{
	const char *name = roof_name(plot, sets, set, roof);
	return arena_printf(plot->arena, "%s%s%s", name, *name ? ": " : "",
			    quantity_text(plot->arena, roof->flops, UNIT_FLOP_PER_SECOND));
}

static const char *slope_text(struct chart_plot *plot, const struct chart_roof_sets *sets,
			      const struct chart_roof_set *set)
{
	struct strbuf sb = {0};
	if (sets->count > 1 && *set->device)
		strbuf_addf(&sb, "%s ", set->device);
	strbuf_addstr(&sb, set->gpu ? "DRAM " : "HBM ");
	quantity_add(&sb, set->bandwidth, UNIT_BYTE_PER_SECOND);
	return strbuf_into(&sb, plot->arena);
}

/* A ridge point is marked for a roof that some run is judged by, and for the same kind of roof
 * with fewer cores. */
static bool marks_ridge(const struct chart_roof_set *set, const struct chart_roof *roof)
{
	if (roof->used)
		return true;
	for (size_t i = 0; i < set->count; i++)
		if (set->roofs[i].used && strcmp(set->roofs[i].dtype, roof->dtype) == 0 &&
		    set->roofs[i].cores > roof->cores)
			return true;
	return false;
}

static bool inside(const struct chart_axis *axis, double value)
{
	return value >= axis->low && value <= axis->high;
}

/* With several devices, only roofs that runs are judged by are drawn, so that the picture stays
 * readable. */
static bool is_drawn(const struct chart_plot *plot, const struct chart_roof_sets *sets,
		     const struct chart_roof_set *set, const struct chart_roof *roof)
{
	return (sets->count == 1 || roof->used) && inside(&plot->y, roof->flops) &&
	       roof->flops / set->bandwidth <= plot->x.high;
}

static void draw_roof(struct chart_plot *plot, const struct chart_roof_sets *sets,
		      const struct chart_roof_set *set, const struct chart_roof *roof)
{
	double ridge = roof->flops / set->bandwidth;
	if (!is_drawn(plot, sets, set, roof))
		return;
	uint32_t colour = roof->used       ? plot->palette->ink
			  : roof->measured ? plot->palette->accent
					   : plot->palette->muted;
	struct scene_style style = scene_stroke(colour, roof->used ? 2 : 1.25);
	style.dash = roof->used ? SCENE_SOLID : SCENE_DASHED;
	double y = plot_at(&plot->y, roof->flops);
	double x = plot_at(&plot->x, fmax(ridge, plot->x.low));
	scene_tooltip(plot->scene, scene_line(plot->scene, x, y, plot->area.right, y, style), "%s",
		      roof_text(plot, sets, set, roof))
		->avoid = true;
	if (!marks_ridge(set, roof) || ridge < plot->x.low)
		return;
	style = scene_stroke(plot->palette->frame, 1);
	style.dash = SCENE_DOTTED;
	scene_line(plot->scene, x, y, x, plot->area.bottom, style)->avoid = true;
}

bool roofline_slope(const struct chart_plot *plot, double bandwidth, double top,
		    struct scene_point ends[2])
{
	/* The slope is flops = ai * bandwidth. */
	double low = fmax(plot->x.low, plot->y.low / bandwidth);
	double high = fmin(plot->x.high, fmin(top, plot->y.high) / bandwidth);
	if (!(low < high))
		return false;
	ends[0] = (struct scene_point){plot_at(&plot->x, low), plot_at(&plot->y, low * bandwidth)};
	ends[1] =
		(struct scene_point){plot_at(&plot->x, high), plot_at(&plot->y, high * bandwidth)};
	return true;
}

/* Up to the highest ridge point: roofs[0] is the highest. */
static bool slope_of(const struct chart_plot *plot, const struct chart_roof_set *set,
		     struct scene_point ends[2])
{
	return set->count && roofline_slope(plot, set->bandwidth, set->roofs[0].flops, ends);
}

void roofline_slope_label(struct chart_plot *plot, unsigned look, const char *text,
			  const struct scene_point ends[2], const double *shares)
{
	enum { SHARES = 8 };
	/* The text's baseline: above the line, or so far below it that 9 px of text fit. */
	const double above = gap, below = -gap - 9;
	double dx = ends[1].x - ends[0].x, dy = ends[1].y - ends[0].y, length = hypot(dx, dy);
	struct scene_spot spots[2 * SHARES];
	size_t count = 0, used = 0;
	while (shares[count] > 0)
		count++;
	assert(count <= SHARES);
	/* On a very wide axis both ends may be the same pixel. */
	if (!(length > 0))
		return;
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < count; i++) {
			double share = shares[i], off = side ? below : above;
			spots[used++] =
				(struct scene_spot){ends[0].x + share * dx + dy / length * off,
						    ends[0].y + share * dy - dx / length * off,
						    atan2(dy, dx) * 180 / M_PI, SCENE_MIDDLE};
		}
	plot_label(plot, look, plot_shorten(plot, look, text, length * 0.95), spots, used);
}

/* Shades what is out of reach: above the slope of the memory, and above the highest roof. */
static void draw_ground(struct chart_plot *plot, const struct chart_roof_set *set)
{
	const struct scene_bounds *area = &plot->area;
	struct scene_point ends[2], corners[6];
	size_t count = 0;
	if (!slope_of(plot, set, ends))
		return;
	if (ends[0].x <= area->left)
		corners[count++] = (struct scene_point){area->left, ends[0].y};
	else {
		corners[count++] = (struct scene_point){area->left, area->bottom};
		corners[count++] = ends[0];
	}
	corners[count++] = ends[1];
	corners[count++] = (struct scene_point){area->right, ends[1].y};
	corners[count++] = (struct scene_point){area->right, area->top};
	corners[count++] = (struct scene_point){area->left, area->top};
	scene_polygon(plot->scene, corners, count, scene_fill(plot->palette->surface, 1));
}

void roofline_roofs_ground(struct chart_plot *plot, const struct chart_roof_sets *sets)
{
	if (sets->count == 1)
		draw_ground(plot, &sets->items[0]);
}

void roofline_roofs_draw(struct chart_plot *plot, const struct chart_roof_sets *sets)
{
	struct scene_style style = scene_stroke(plot->palette->ink, 2);
	for (size_t i = 0; i < sets->count; i++) {
		const struct chart_roof_set *set = &sets->items[i];
		struct scene_point ends[2];
		for (size_t k = 0; k < set->count; k++)
			draw_roof(plot, sets, set, &set->roofs[k]);
		if (slope_of(plot, set, ends))
			scene_tooltip(plot->scene,
				      scene_line(plot->scene, ends[0].x, ends[0].y, ends[1].x,
						 ends[1].y, style),
				      "%s", slope_text(plot, sets, set))
				->avoid = true;
	}
}

/* Compares with the first roof of each set, which is its highest. */
static bool is_highest(const struct chart_roof_sets *sets, const struct chart_roof *roof)
{
	for (size_t i = 0; i < sets->count; i++)
		if (sets->items[i].count && sets->items[i].roofs[0].flops > roof->flops)
			return false;
	return true;
}

/* Labels a roof above the right end of its line, below it, or further left. Only the highest roof
 * has free space right of the ridge point; a label above any other roof would touch another line.
 */
static bool label_roof(struct chart_plot *plot, const struct chart_roof_sets *sets,
		       const struct chart_roof_set *set, const struct chart_roof *roof)
{
	double y = plot_at(&plot->y, roof->flops), right = plot->area.right - gap;
	double ridge = plot_at(&plot->x, fmax(roof->flops / set->bandwidth, plot->x.low));
	double room = right - (is_highest(sets, roof) ? plot->area.left : ridge) - gap;
	const char *text = roof_text(plot, sets, set, roof);
	unsigned look = roof->used       ? PLOT_LABEL | PLOT_BOLD
			: roof->measured ? PLOT_LABEL | PLOT_ACCENT
					 : PLOT_LABEL | PLOT_MUTED;
	if (plot_text_width(look, text) > room && *roof->dtype)
		text = roof_name(plot, sets, set, roof);
	text = plot_shorten(plot, look, text, fmax(room, plot->narrow ? 0 : 160));
	double spare = fmax(room - plot_text_width(look, text), 0);
	struct scene_spot spots[12];
	for (size_t i = 0; i < 12; i++) {
		size_t step = i / 2;
		spots[i] = (struct scene_spot){right - (double)step * spare / 5,
					       i % 2 ? y + 14 : y - gap, 0, SCENE_END};
	}
	return plot_label(plot, look, text, spots, 12);
}

static const char *ridge_text(struct chart_plot *plot, const struct chart_roof_sets *sets,
			      const struct chart_roof_set *set, const struct chart_roof *roof)
{
	struct strbuf sb = {0};
	if (sets->count > 1 && *set->device)
		strbuf_addf(&sb, "%s ", set->device);
	strbuf_addstr(&sb, vocabulary_format("ridge "));
	quantity_add(&sb, roof->flops / set->bandwidth, UNIT_FLOP_PER_BYTE);
	if (names_cores(set) && roof->cores >= 1) {
		strbuf_addstr(&sb, " (");
		add_cores(&sb, roof->cores);
		strbuf_addch(&sb, ')');
	}
	return strbuf_into(&sb, plot->arena);
}

/* Labels a ridge point at the foot of its drop line, on the outer side first, so that two ridges
 * do not compete for one side. */
static void label_ridge(struct chart_plot *plot, const struct chart_roof_sets *sets,
			const struct chart_roof_set *set, const struct chart_roof *roof)
{
	double ridge = roof->flops / set->bandwidth;
	if (!is_drawn(plot, sets, set, roof) || !marks_ridge(set, roof) || ridge < plot->x.low)
		return;
	double x = plot_at(&plot->x, ridge);
	bool leftward = roof != &set->roofs[0];
	struct scene_spot spots[12];
	for (size_t i = 0; i < 12; i++) {
		size_t step = i / 2;
		bool left = leftward != (i % 2 == 1);
		spots[i] = (struct scene_spot){left ? x - gap : x + gap,
					       plot->area.bottom - 8 - (double)step * 15, 0,
					       left ? SCENE_END : SCENE_START};
	}
	plot_label(plot, PLOT_SMALL | PLOT_MUTED, ridge_text(plot, sets, set, roof), spots, 12);
}

void roofline_roofs_label(struct chart_plot *plot, struct chart_roof_sets *sets)
{
	static const double shares[] = {0.3, 0.4, 0.2, 0.5, 0.6, 0.7, 0.8, 0};
	struct strbuf missing = {0};
	for (size_t i = 0; i < sets->count; i++) {
		const struct chart_roof_set *set = &sets->items[i];
		for (size_t k = 0; k < set->count; k++) {
			const struct chart_roof *roof = &set->roofs[k];
			if (!is_drawn(plot, sets, set, roof) || label_roof(plot, sets, set, roof))
				continue;
			strbuf_addstr(&missing,
				      missing.len ? "; "
						  : vocabulary_format("Roofs without a label: "));
			strbuf_addstr(&missing, roof_text(plot, sets, set, roof));
		}
	}
	for (size_t i = 0; i < sets->count; i++) {
		const struct chart_roof_set *set = &sets->items[i];
		struct scene_point ends[2];
		if (slope_of(plot, set, ends))
			roofline_slope_label(plot, PLOT_LABEL | PLOT_BOLD,
					     slope_text(plot, sets, set), ends, shares);
		for (size_t k = 0; k < set->count; k++)
			label_ridge(plot, sets, set, &set->roofs[k]);
	}
	if (missing.len)
		strbuf_addstr(&missing, ". ");
	sets->missing = strbuf_into(&missing, plot->arena);
}

/* Adds "; <source>" unless the text already has it. */
static void add_source(struct strbuf *out, const char *source)
{
	if (!*source || strstr(strbuf_text(out), source))
		return;
	strbuf_addstr(out, out->len ? "; " : vocabulary_format("Roofs: "));
	strbuf_addstr(out, source);
}

const char *roofline_roofs_note(struct arena *arena, const struct chart_roof_sets *sets)
{
	struct strbuf sources = {0};
	for (size_t i = 0; i < sets->count; i++) {
		add_source(&sources, sets->items[i].bandwidth_source);
		for (size_t k = 0; k < sets->items[i].count; k++)
			add_source(&sources, sets->items[i].roofs[k].source);
	}
	if (sources.len)
		strbuf_addstr(&sources, ". ");
	strbuf_addstr(&sources, sets->missing);
	if (sets->count > 1)
		strbuf_addstr(&sources, vocabulary_format("Several devices: only the rooflines "
							  "used by these runs are drawn."));
	return strbuf_into(&sources, arena);
}
