/* Building the display list. */
#include "render/scene/scene.h"

struct scene *scene_new(struct arena *arena, double width, double height, uint32_t background)
{
	struct scene *scene = arena_new(arena, struct scene);
	scene->arena = arena;
	scene->width = width;
	scene->height = height;
	scene->background = background;
	scene->title = scene->desc = "";
	return scene;
}

void scene_describe(struct scene *scene, const char *title, const char *desc)
{
	scene->title = scene_clean(scene->arena, title);
	scene->desc = scene_clean(scene->arena, desc);
}

static struct scene_item *add(struct scene *scene, struct scene_item item)
{
	struct scene_item *added = arena_add(scene->arena, scene);
	item.halo = SCENE_NONE;
	item.place = NAN;
	if (item.style.opacity == 0)
		item.style.opacity = 1;
	*added = item;
	return added;
}

struct scene_item *scene_line(struct scene *scene, double x1, double y1, double x2, double y2,
			      struct scene_style style)
{
	return add(scene, (struct scene_item){.kind = SCENE_LINE,
					      .style = style,
					      .x = x1,
					      .y = y1,
					      .w = x2 - x1,
					      .h = y2 - y1});
}

static struct scene_item *add_points(struct scene *scene, enum scene_kind kind,
				     const struct scene_point *points, size_t count,
				     struct scene_style style)
{
	struct scene_point *copy = arena_array(scene->arena, count + 1, sizeof *copy);
	if (count)
		memcpy(copy, points, count * sizeof *copy);
	return add(scene,
		   (struct scene_item){
			   .kind = kind, .style = style, .points = copy, .point_count = count});
}

struct scene_item *scene_polyline(struct scene *scene, const struct scene_point *points,
				  size_t count, struct scene_style style)
{
	return add_points(scene, SCENE_POLYLINE, points, count, style);
}

struct scene_item *scene_polygon(struct scene *scene, const struct scene_point *points,
				 size_t count, struct scene_style style)
{
	return add_points(scene, SCENE_POLYGON, points, count, style);
}

struct scene_item *scene_rect(struct scene *scene, double x, double y, double w, double h,
			      struct scene_style style)
{
	return add(scene,
		   (struct scene_item){
			   .kind = SCENE_RECT, .style = style, .x = x, .y = y, .w = w, .h = h});
}

struct scene_item *scene_mark(struct scene *scene, enum scene_marker marker, double x, double y,
			      double radius, struct scene_style style)
{
	return add(scene, (struct scene_item){.kind = SCENE_MARKER,
					      .style = style,
					      .marker = marker,
					      .x = x,
					      .y = y,
					      .radius = radius});
}

void scene_arrow(struct scene *scene, struct scene_point from, struct scene_point to,
		 uint32_t colour)
{
	double dx = to.x - from.x, dy = to.y - from.y, length = hypot(dx, dy);
	const double head = 8, half = 3.2;
	if (length < head)
		return;
	dx /= length;
	dy /= length;
	struct scene_point neck = {to.x - head * dx, to.y - head * dy};
	struct scene_point tip[] = {to,
				    {neck.x - half * dy, neck.y + half * dx},
				    {neck.x + half * dy, neck.y - half * dx}};
	scene_line(scene, from.x, from.y, neck.x, neck.y, scene_stroke(colour, 1.5))->avoid = true;
	scene_polygon(scene, tip, 3, scene_fill(colour, 1))->avoid = true;
}

struct scene_item *scene_text(struct scene *scene, double x, double y, struct scene_type type,
			      const char *text)
{
	const char *clean = scene_clean(scene->arena, text);
	return add(scene, (struct scene_item){
				  .kind = SCENE_TEXT,
				  .style = scene_fill(type.colour, 1),
				  .x = x,
				  .y = y,
				  .text = clean,
				  .size = type.size,
				  .bold = type.bold,
				  .anchor = type.anchor,
				  .text_width = scene_text_width(clean, type.size, type.bold)});
}

void scene_truncate(struct scene *scene, size_t count)
{
	if (count < scene->count)
		scene->count = count;
}

struct scene_item *scene_link(struct scene *scene, struct scene_item *item, const char *href)
{
	item->href = href ? arena_strdup(scene->arena, href) : NULL;
	return item;
}

struct scene_item *scene_tooltip(struct scene *scene, struct scene_item *item, const char *format,
				 ...)
{
	struct strbuf text = {0};
	va_list args;
	va_start(args, format);
	strbuf_vaddf(&text, format, args);
	va_end(args);
	item->tooltip = scene_clean(scene->arena, strbuf_text(&text));
	strbuf_free(&text);
	return item;
}

size_t scene_marker_outline(enum scene_marker marker, double radius, struct scene_point *corners)
{
	/* The areas of the markers are similar to that of the circle, so that all series look
	 * equally important. */
	static const struct scene_point square[] = {
		{-.89, -.89}, {.89, -.89}, {.89, .89}, {-.89, .89}};
	static const struct scene_point up[] = {{0, -1.2}, {1.15, .8}, {-1.15, .8}};
	static const struct scene_point diamond[] = {{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}};
	static const struct scene_point down[] = {{0, 1.2}, {-1.15, -.8}, {1.15, -.8}};
	static const struct scene_point cross[] = {
		{-.4, -1.1}, {.4, -1.1}, {.4, -.4}, {1.1, -.4}, {1.1, .4},   {.4, .4},
		{.4, 1.1},   {-.4, 1.1}, {-.4, .4}, {-1.1, .4}, {-1.1, -.4}, {-.4, -.4}};
	static const struct {
		const struct scene_point *corners;
		size_t count;
	} shapes[SCENE_MARKER_LIMIT] = {
		[SCENE_CIRCLE] = {NULL, 0},        [SCENE_SQUARE] = {square, 4},
		[SCENE_TRIANGLE] = {up, 3},        [SCENE_DIAMOND] = {diamond, 4},
		[SCENE_TRIANGLE_DOWN] = {down, 3}, [SCENE_CROSS] = {cross, 12},
	};
	assert(marker < SCENE_MARKER_LIMIT);
	for (size_t i = 0; i < shapes[marker].count; i++) {
		corners[i].x = shapes[marker].corners[i].x * radius;
		corners[i].y = shapes[marker].corners[i].y * radius;
	}
	return shapes[marker].count;
}

size_t scene_dashes(enum scene_dash dash, double width, double lengths[2])
{
	/* Lengths suit strokes up to 1.5 wide; wider strokes scale them. */
	static const double table[][2] = {[SCENE_DASHED] = {5, 3.5}, [SCENE_DOTTED] = {1.5, 3}};
	if (dash == SCENE_SOLID)
		return 0;
	double scale = width > 1.5 ? width / 1.5 : 1;
	lengths[0] = table[dash][0] * scale;
	lengths[1] = table[dash][1] * scale;
	return 2;
}
