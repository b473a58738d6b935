/*
 * A scene as SVG text: presentation attributes only; no style sheet, script or external reference;
 * real text in the reader's sans-serif font. The same scene gives the same bytes everywhere:
 * numbers are written independently of the C library's locale.
 */
#include "render/scene/scene.h"

#include "render/scene/palette.h"

/* Adds a number with at most two decimals. Nonfinite or absurdly large numbers become 0. */
static void add_number(struct strbuf *out, double number)
{
	char digits[32];
	size_t at = sizeof digits;
	if (!(fabs(number) < 1e9))
		number = 0;
	int64_t hundredths = llround(number * 100);
	uint64_t rest = hundredths < 0 ? (uint64_t)-hundredths : (uint64_t)hundredths;
	unsigned fraction = (unsigned)(rest % 100);
	rest /= 100;
	if (fraction) {
		if (fraction % 10)
			digits[--at] = (char)('0' + fraction % 10);
		digits[--at] = (char)('0' + fraction / 10);
		digits[--at] = '.';
	}
	do {
		digits[--at] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (hundredths < 0)
		digits[--at] = '-';
	strbuf_add(out, digits + at, sizeof digits - at);
}

/* ' name="number"' */
static void add_attr(struct strbuf *out, const char *name, double number)
{
	strbuf_addch(out, ' ');
	strbuf_addstr(out, name);
	strbuf_addstr(out, "=\"");
	add_number(out, number);
	strbuf_addch(out, '"');
}

static void add_colour(struct strbuf *out, const char *name, uint32_t colour)
{
	static const char hex[] = "0123456789abcdef";
	strbuf_addch(out, ' ');
	strbuf_addstr(out, name);
	if (colour == SCENE_NONE) {
		strbuf_addstr(out, "=\"none\"");
		return;
	}
	char digits[6];
	for (size_t i = 0; i < 6; i++)
		digits[i] = hex[colour >> (20 - 4 * i) & 0xf];
	strbuf_addstr(out, "=\"#");
	strbuf_add(out, digits, sizeof digits);
	strbuf_addch(out, '"');
}

/* For element content and quoted attributes; texts of a scene are already clean UTF-8. */
static void add_xml_text(struct strbuf *out, const char *text)
{
	struct strbuf escaped = {0};
	for (; *text; text++)
		if (*text == '<')
			strbuf_addstr(&escaped, "&lt;");
		else if (*text == '>')
			strbuf_addstr(&escaped, "&gt;");
		else if (*text == '&')
			strbuf_addstr(&escaped, "&amp;");
		else if (*text == '"')
			strbuf_addstr(&escaped, "&quot;");
		else if (*text == '\'')
			strbuf_addstr(&escaped, "&#39;");
		else
			strbuf_addch(&escaped, *text);
	scene_directed(out, strbuf_text(&escaped), "&#8206;");
	strbuf_free(&escaped);
}

static void add_pair(struct strbuf *out, double x, double y)
{
	add_number(out, x);
	strbuf_addch(out, ',');
	add_number(out, y);
}

static void add_points(struct strbuf *out, const struct scene_point *points, size_t count, double x,
		       double y)
{
	strbuf_addstr(out, " points=\"");
	for (size_t i = 0; i < count; i++) {
		if (i)
			strbuf_addch(out, ' ');
		add_pair(out, x + points[i].x, y + points[i].y);
	}
	strbuf_addch(out, '"');
}

static void add_style(struct strbuf *out, const struct scene_style *style)
{
	add_colour(out, "fill", style->fill);
	if (style->stroke != SCENE_NONE) {
		double lengths[2];
		add_colour(out, "stroke", style->stroke);
		if (style->width != 1)
			add_attr(out, "stroke-width", style->width);
		if (scene_dashes(style->dash, style->width, lengths)) {
			strbuf_addstr(out, " stroke-dasharray=\"");
			add_pair(out, lengths[0], lengths[1]);
			strbuf_addch(out, '"');
		}
	}
	if (style->opacity < 1)
		add_attr(out, "opacity", style->opacity);
}

static void add_role(struct strbuf *out, const struct scene_item *item)
{
	if (item->role)
		strbuf_addf(out, " class=\"%s\"", item->role);
	if (!isnan(item->place))
		add_attr(out, "data-place", item->place);
}

static void add_tooltip(struct strbuf *out, const struct scene_item *item)
{
	strbuf_addstr(out, "<title>");
	add_xml_text(out, item->tooltip);
	strbuf_addstr(out, "</title>");
}

/* Closes the element, with its tooltip inside if it has one. */
static void add_end(struct strbuf *out, const struct scene_item *item, const char *element)
{
	if (!item->tooltip) {
		strbuf_addstr(out, "/>\n");
		return;
	}
	strbuf_addch(out, '>');
	add_tooltip(out, item);
	strbuf_addf(out, "</%s>\n", element);
}

static void svg_line(struct strbuf *out, const struct scene_item *item)
{
	strbuf_addstr(out, "<line");
	add_attr(out, "x1", item->x);
	add_attr(out, "y1", item->y);
	add_attr(out, "x2", item->x + item->w);
	add_attr(out, "y2", item->y + item->h);
	add_style(out, &item->style);
	add_end(out, item, "line");
}

/* Adds a path whose horizontal and vertical steps take one number each, which shortens curves with
 * hundreds of bins. */
static void svg_path(struct strbuf *out, const struct scene_item *item)
{
	strbuf_addstr(out, "<path d=\"");
	for (size_t i = 0; i < item->point_count; i++) {
		const struct scene_point *p = &item->points[i];
		if (i && p->y == p[-1].y) {
			strbuf_addch(out, 'H');
			add_number(out, p->x);
		} else if (i && p->x == p[-1].x) {
			strbuf_addch(out, 'V');
			add_number(out, p->y);
		} else {
			strbuf_addch(out, i ? 'L' : 'M');
			add_pair(out, p->x, p->y);
		}
	}
	strbuf_addstr(out, item->kind == SCENE_POLYGON ? "z\"" : "\"");
	add_style(out, &item->style);
	add_end(out, item, "path");
}

static void svg_rect(struct strbuf *out, const struct scene_item *item)
{
	strbuf_addstr(out, "<rect");
	add_attr(out, "x", item->x);
	add_attr(out, "y", item->y);
	add_attr(out, "width", item->w);
	add_attr(out, "height", item->h);
	if (item->radius > 0)
		add_attr(out, "rx", item->radius);
	add_style(out, &item->style);
	add_role(out, item);
	add_end(out, item, "rect");
}

static void svg_marker(struct strbuf *out, const struct scene_item *item)
{
	struct scene_point corners[12];
	size_t count = scene_marker_outline(item->marker, item->radius, corners);
	const char *element = count ? "polygon" : "circle";
	strbuf_addch(out, '<');
	strbuf_addstr(out, element);
	if (count) {
		add_points(out, corners, count, item->x, item->y);
	} else {
		add_attr(out, "cx", item->x);
		add_attr(out, "cy", item->y);
		add_attr(out, "r", item->radius);
	}
	add_style(out, &item->style);
	add_role(out, item);
	add_end(out, item, element);
}

static void svg_text(struct strbuf *out, const struct scene_item *item)
{
	static const char *const anchors[] = {
		[SCENE_START] = "", [SCENE_MIDDLE] = "middle", [SCENE_END] = "end"};
	strbuf_addstr(out, "<text");
	add_attr(out, "x", item->x);
	add_attr(out, "y", item->y);
	add_attr(out, "font-size", item->size);
	if (item->bold)
		strbuf_addstr(out, " font-weight=\"600\"");
	if (item->anchor != SCENE_START)
		strbuf_addf(out, " text-anchor=\"%s\"", anchors[item->anchor]);
	if (item->angle != 0) {
		strbuf_addstr(out, " transform=\"rotate(");
		add_number(out, item->angle);
		strbuf_addch(out, ' ');
		add_number(out, item->x);
		strbuf_addch(out, ' ');
		add_number(out, item->y);
		strbuf_addstr(out, ")\"");
	}
	add_style(out, &item->style);
	if (item->halo != SCENE_NONE) {
		add_colour(out, "stroke", item->halo);
		strbuf_addstr(out, " stroke-width=\"3\" stroke-linejoin=\"round\""
				   " paint-order=\"stroke\"");
	}
	strbuf_addch(out, '>');
	if (item->tooltip)
		add_tooltip(out, item);
	add_xml_text(out, item->text);
	strbuf_addstr(out, "</text>\n");
}

static bool has_links(const struct scene *scene)
{
	for (size_t i = 0; i < scene->count; i++)
		if (scene->items[i].href)
			return true;
	return false;
}

/* Uses no ids: a page can contain several pictures. An image must not contain links: a group may.
 */
static void add_head(struct strbuf *out, const struct scene *scene)
{
	strbuf_addstr(out, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
	add_attr(out, "width", scene->width);
	add_attr(out, "height", scene->height);
	strbuf_addstr(out, " viewBox=\"0 0 ");
	add_number(out, scene->width);
	strbuf_addch(out, ' ');
	add_number(out, scene->height);
	strbuf_addf(out, "\" role=\"%s\" aria-label=\"", has_links(scene) ? "group" : "img");
	add_xml_text(out, scene->title);
	strbuf_addstr(out, "\" font-family=\"-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue',"
			   " Arial, 'Liberation Sans', sans-serif\">\n<title>");
	add_xml_text(out, scene->title);
	strbuf_addstr(out, "</title>\n<desc>");
	add_xml_text(out, scene->desc);
	strbuf_addstr(out, "</desc>\n<rect width=\"100%\" height=\"100%\"");
	add_colour(out, "fill", scene->background);
	strbuf_addstr(out, "/>\n");
}

void scene_svg(const struct scene *scene, struct strbuf *out)
{
	static void (*const writers[])(struct strbuf *, const struct scene_item *) = {
		[SCENE_LINE] = svg_line, [SCENE_POLYLINE] = svg_path, [SCENE_POLYGON] = svg_path,
		[SCENE_RECT] = svg_rect, [SCENE_MARKER] = svg_marker, [SCENE_TEXT] = svg_text,
	};
	add_head(out, scene);
	for (size_t i = 0; i < scene->count; i++) {
		const struct scene_item *item = &scene->items[i];
		if (item->href) {
			strbuf_addstr(out, "<a tabindex=\"-1\" href=\"");
			add_xml_text(out, item->href);
			strbuf_addstr(out, "\">");
		}
		writers[item->kind](out, item);
		if (item->href) {
			out->len--; /* the line's end */
			strbuf_addstr(out, "</a>\n");
		}
	}
	strbuf_addstr(out, "</svg>\n");
}

const char *scene_page_svg(struct arena *arena, const struct scene *scene)
{
	struct strbuf drawn = {0}, page = {0};
	scene_svg(scene, &drawn);
	palette_add_svg(&page, strbuf_text(&drawn));
	strbuf_free(&drawn);
	return strbuf_into(&page, arena);
}
