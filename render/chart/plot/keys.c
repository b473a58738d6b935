/* Legends of what a picture does not name itself, and the marks of what it folds. */
#include "render/chart/plot/plot.h"

static const double sample_width = 22, sample_height = 9, gap = 6, distance = 16, row = 19;

void plot_fold(struct chart_plot *plot, double x, double top, double bottom)
{
	enum { POINTS = 64 };
	const double half = 2, pitch = 4;
	struct scene_point points[POINTS];
	size_t count = 0;
	for (double y = top; count + 1 < POINTS && y < bottom; y += pitch, count++)
		points[count] = (struct scene_point){x + (count % 2 ? half : -half), y};
	points[count] = (struct scene_point){x + (count % 2 ? half : -half), bottom};
	scene_polyline(plot->scene, points, count + 1, scene_stroke(plot->palette->frame, 1));
}

static void draw_line(struct chart_plot *plot, const struct plot_key *key, double x, double y)
{
	struct scene_style style = scene_stroke(key->colour, 2);
	style.dash = key->sample == PLOT_SAMPLE_DASHES ? SCENE_DASHED
		     : key->sample == PLOT_SAMPLE_DOTS ? SCENE_DOTTED
						       : SCENE_SOLID;
	scene_line(plot->scene, x, y, x + sample_width, y, style);
}

/* Draws the sample at the left, centered around y. */
static void draw_sample(struct chart_plot *plot, const struct plot_key *key, double x, double y)
{
	struct scene *scene = plot->scene;
	const double radius = 4.5;
	struct scene_style hollow = {
		.fill = plot->palette->background, .stroke = key->colour, .width = 1.75};
	switch (key->sample) {
	case PLOT_SAMPLE_AREA:
		scene_rect(scene, x, y - sample_height / 2, sample_width, sample_height,
			   scene_fill(key->colour, 1))
			->radius = 2;
		break;
	case PLOT_SAMPLE_TICK:
		scene_line(scene, x + sample_width / 2, y - 6, x + sample_width / 2, y + 6,
			   scene_stroke(key->colour, 2));
		break;
	case PLOT_SAMPLE_ARROW:
		scene_arrow(scene, (struct scene_point){x + radius, y},
			    (struct scene_point){x + sample_width, y}, key->colour);
		scene_mark(scene, SCENE_CIRCLE, x + radius, y, radius, hollow);
		break;
	case PLOT_SAMPLE_FOLD:
		plot_fold(plot, x + sample_width / 2 - 5, y - 6, y + 6);
		plot_fold(plot, x + sample_width / 2 + 5, y - 6, y + 6);
		break;
	default:
		draw_line(plot, key, x, y);
	}
}

void plot_keys(struct chart_plot *plot, const struct plot_key *keys, size_t count)
{
	unsigned look = PLOT_LABEL | PLOT_MUTED;
	double x = plot->left;
	if (!count)
		return;
	for (size_t i = 0; i < count; i++) {
		double width = sample_width + gap + plot_text_width(look, keys[i].text);
		if (x > plot->left && x + width > plot->right) {
			x = plot->left;
			plot->below += row;
		}
		double middle = plot->below + row / 2;
		draw_sample(plot, &keys[i], x, middle);
		plot_text(plot, x + sample_width + gap, middle + 4, look,
			  plot_shorten(plot, look, keys[i].text,
				       plot->right - x - sample_width - gap));
		x += width + distance;
	}
	plot->below += row + 4;
}
