/*
 * Placing labels. Everything drawn before a label is an obstacle, and a placed label never moves.
 * Charts therefore draw areas and lines first, then marks, then labels, the most important first.
 *
 * A label tries its spots in their order. A spot is impossible if the text leaves the bounds or
 * overlaps a text, a marker, or an area with `avoid`. Otherwise it costs its position in the list
 * plus a hundred per crossed line with `avoid`; the cheapest spot wins.
 */
#include "render/scene/scene.h"

static struct scene_bounds bounds_of(const struct scene_point *points, size_t count)
{
	struct scene_bounds box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
	for (size_t i = 0; i < count; i++) {
		box.left = fmin(box.left, points[i].x);
		box.right = fmax(box.right, points[i].x);
		box.top = fmin(box.top, points[i].y);
		box.bottom = fmax(box.bottom, points[i].y);
	}
	return box;
}

static bool boxes_meet(const struct scene_bounds *a, const struct scene_bounds *b)
{
	return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

/* Whether the projections of both quads onto the normal of one side of `a` overlap. */
static bool shadows_meet(const struct scene_quad *a, const struct scene_quad *b, size_t side)
{
	struct scene_point p = a->corner[side], q = a->corner[side + 1];
	double nx = q.y - p.y, ny = p.x - q.x;
	double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
	for (size_t i = 0; i < 4; i++) {
		double on[2] = {a->corner[i].x * nx + a->corner[i].y * ny,
				b->corner[i].x * nx + b->corner[i].y * ny};
		for (size_t k = 0; k < 2; k++) {
			low[k] = fmin(low[k], on[k]);
			high[k] = fmax(high[k], on[k]);
		}
	}
	return low[0] < high[1] && low[1] < high[0];
}

/* Separating axis theorem: two convex boxes are disjoint if and only if their projections onto the
 * normal of a side of either are. */
bool scene_quads_meet(const struct scene_quad *a, const struct scene_quad *b)
{
	return shadows_meet(a, b, 0) && shadows_meet(a, b, 1) && shadows_meet(b, a, 0) &&
	       shadows_meet(b, a, 1);
}

static struct scene_quad quad_of(double left, double top, double right, double bottom)
{
	return (struct scene_quad){{{left, top}, {right, top}, {right, bottom}, {left, bottom}}};
}

/* A line as a box of height 1. */
static struct scene_quad quad_of_line(struct scene_point p, struct scene_point q)
{
	double dx = q.x - p.x, dy = q.y - p.y, length = hypot(dx, dy);
	double nx = length > 0 ? -dy / length * 0.5 : 0.5,
	       ny = length > 0 ? dx / length * 0.5 : 0.5;
	return (struct scene_quad){{{p.x - nx, p.y - ny},
				    {q.x - nx, q.y - ny},
				    {q.x + nx, q.y + ny},
				    {p.x + nx, p.y + ny}}};
}

/* Grows the box, so that texts keep a distance, larger in the direction of reading. */
static void grow(struct scene_quad *quad)
{
	const double along = 4, across = 1;
	struct scene_point *c = quad->corner;
	double dx = c[1].x - c[0].x, dy = c[1].y - c[0].y, length = hypot(dx, dy);
	if (length == 0)
		return;
	dx /= length;
	dy /= length;
	static const double right[] = {-1, 1, 1, -1}, down[] = {-1, -1, 1, 1};
	for (size_t i = 0; i < 4; i++) {
		c[i].x += right[i] * along * dx - down[i] * across * dy;
		c[i].y += right[i] * along * dy + down[i] * across * dx;
	}
}

static bool meets(const struct scene_quad *quad, const struct scene_bounds *box,
		  const struct scene_quad *other)
{
	struct scene_bounds around = bounds_of(other->corner, 4);
	return boxes_meet(box, &around) && scene_quads_meet(quad, other);
}

/* The bounding box of an area. */
static struct scene_quad quad_around(const struct scene_item *item)
{
	struct scene_bounds box = {item->x, item->y, item->x + item->w, item->y + item->h};
	if (item->point_count)
		box = bounds_of(item->points, item->point_count);
	return quad_of(box.left, box.top, box.right, box.bottom);
}

/* 0: free, 1: an undesirable crossing, 2: forbidden. */
static int conflict(const struct scene_item *item, const struct scene_quad *quad,
		    const struct scene_bounds *box)
{
	struct scene_quad other;
	double r;
	switch (item->kind) {
	case SCENE_TEXT:
		other = scene_text_box(item);
		grow(&other);
		return meets(quad, box, &other) ? 2 : 0;
	case SCENE_MARKER:
		r = item->radius * SCENE_MARKER_REACH;
		other = quad_of(item->x - r, item->y - r, item->x + r, item->y + r);
		return meets(quad, box, &other) ? 2 : 0;
	case SCENE_LINE:
		other = quad_of_line((struct scene_point){item->x, item->y},
				     (struct scene_point){item->x + item->w, item->y + item->h});
		return item->avoid && meets(quad, box, &other) ? 1 : 0;
	case SCENE_RECT:
	case SCENE_POLYGON:
		other = quad_around(item);
		return item->avoid && meets(quad, box, &other) ? 2 : 0;
	default:
		return 0;
	}
}

/* The number of crossed lines; -1 if the text cannot be placed here. */
static int crossings(const struct scene *scene, const struct scene_bounds *bounds,
		     const struct scene_item *text)
{
	struct scene_quad quad = scene_text_box(text);
	struct scene_bounds box = bounds_of(quad.corner, 4);
	if (box.left < bounds->left || box.right > bounds->right || box.top < bounds->top ||
	    box.bottom > bounds->bottom)
		return -1;
	int cost = 0;
	for (size_t i = 0; i + 1 < scene->count; i++) {
		int found = conflict(&scene->items[i], &quad, &box);
		if (found == 2)
			return -1;
		cost += found;
	}
	return cost;
}

static void move(struct scene_item *text, const struct scene_spot *spot)
{
	text->x = spot->x;
	text->y = spot->y;
	text->angle = spot->angle;
	text->anchor = spot->anchor;
}

bool scene_place(struct scene *scene, const struct scene_bounds *bounds,
		 const struct scene_spot *spots, size_t count)
{
	/* one crossed line weighs more than all positions in the list of spots */
	const size_t crossing = 100;
	assert(bounds->left <= bounds->right && bounds->top <= bounds->bottom);
	assert(scene->count > 0 && scene->items[scene->count - 1].kind == SCENE_TEXT);
	struct scene_item *text = &scene->items[scene->count - 1];
	size_t lowest_cost = SIZE_MAX, best = 0;
	for (size_t i = 0; i < count; i++) {
		move(text, &spots[i]);
		int crossed = crossings(scene, bounds, text);
		if (crossed < 0 || (size_t)crossed * crossing + i >= lowest_cost)
			continue;
		lowest_cost = (size_t)crossed * crossing + i;
		best = i;
		if (crossed == 0)
			break;
	}
	if (lowest_cost == SIZE_MAX) {
		scene_truncate(scene, scene->count - 1);
		return false;
	}
	move(text, &spots[best]);
	return true;
}
