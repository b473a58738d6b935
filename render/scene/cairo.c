/*
 * A scene as PNG and PDF through Cairo. Texts use Cairo's built-in font: it needs
 * no fonts on the machine and gives the same pixels everywhere, but knows ASCII
 * only, so that other characters are spelled out or become "?".
 */
#include "render/scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text/utf8.h"
#include "render/scene/library_cairo.h"

static void set_colour(cairo_t *cr, uint32_t colour, double opacity)
{
	cairo_set_source_rgba(cr, (colour >> 16 & 0xff) / 255.0, (colour >> 8 & 0xff) / 255.0,
			      (colour & 0xff) / 255.0, opacity);
}

/* Fills and strokes the current path. */
static void paint(cairo_t *cr, const struct scene_style *style)
{
	double lengths[2];
	if (style->fill != SCENE_NONE) {
		set_colour(cr, style->fill, style->opacity);
		cairo_fill_preserve(cr);
	}
	if (style->stroke != SCENE_NONE) {
		set_colour(cr, style->stroke, style->opacity);
		cairo_set_line_width(cr, style->width);
		cairo_set_dash(cr, lengths, (int)scene_dashes(style->dash, style->width, lengths),
			       0);
		cairo_stroke_preserve(cr);
	}
	cairo_new_path(cr);
}

static void trace_points(cairo_t *cr, const struct scene_point *points, size_t count, double x,
			 double y)
{
	for (size_t i = 0; i < count; i++)
		cairo_line_to(cr, x + points[i].x, y + points[i].y);
}

static void draw_line(cairo_t *cr, const struct scene_item *item)
{
	cairo_move_to(cr, item->x, item->y);
	cairo_rel_line_to(cr, item->w, item->h);
	paint(cr, &item->style);
}

static void draw_polyline(cairo_t *cr, const struct scene_item *item)
{
	trace_points(cr, item->points, item->point_count, 0, 0);
	paint(cr, &item->style);
}

static void draw_polygon(cairo_t *cr, const struct scene_item *item)
{
	trace_points(cr, item->points, item->point_count, 0, 0);
	cairo_close_path(cr);
	paint(cr, &item->style);
}

static void draw_rect(cairo_t *cr, const struct scene_item *item)
{
	double r = fmin(item->radius, fmin(item->w, item->h) / 2);
	double right = item->x + item->w, bottom = item->y + item->h;
	if (r > 0) {
		cairo_arc(cr, right - r, item->y + r, r, -M_PI / 2, 0);
		cairo_arc(cr, right - r, bottom - r, r, 0, M_PI / 2);
		cairo_arc(cr, item->x + r, bottom - r, r, M_PI / 2, M_PI);
		cairo_arc(cr, item->x + r, item->y + r, r, M_PI, 3 * M_PI / 2);
		cairo_close_path(cr);
	} else {
		cairo_rectangle(cr, item->x, item->y, item->w, item->h);
	}
	paint(cr, &item->style);
}

static void draw_marker(cairo_t *cr, const struct scene_item *item)
{
	struct scene_point corners[12];
	size_t count = scene_marker_outline(item->marker, item->radius, corners);
	if (count)
		trace_points(cr, corners, count, item->x, item->y);
	else
		cairo_arc(cr, item->x, item->y, item->radius, 0, 2 * M_PI);
	cairo_close_path(cr);
	paint(cr, &item->style);
}

static const char *ascii_of(uint32_t code)
{
	static const struct {
		uint32_t code;
		const char *text;
	} table[] = {{0xa0, " "},    {0xb1, "+-"},   {0xb5, "u"},    {0xb7, "-"},
		     {0xd7, "x"},    {0x3bc, "u"},   {0x2010, "-"},  {0x2011, "-"},
		     {0x2012, "-"},  {0x2013, "-"},  {0x2014, "-"},  {0x2018, "'"},
		     {0x2019, "'"},  {0x201c, "\""}, {0x201d, "\""}, {0x2026, "..."},
		     {0x2190, "<-"}, {0x2192, "->"}, {0x2212, "-"},  {0x2264, "<="},
		     {0x2265, ">="}};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (table[i].code == code)
			return table[i].text;
	return "?";
}

static void add_ascii(struct strbuf *out, const char *text)
{
	struct span rest = span_of(text);
	while (rest.len) {
		uint32_t code;
		size_t len = utf8_next(rest, &code);
		if (len == 1 && code < 127)
			strbuf_addch(out, (char)code);
		else if (len == 0 || utf8_columns((struct span){rest.ptr, len}) > 0)
			strbuf_addstr(out, len ? ascii_of(code) : "?");
		rest.ptr += len ? len : 1;
		rest.len -= len ? len : 1;
	}
}

static void draw_text(cairo_t *cr, const struct scene_item *item)
{
	static const double shift[] = {[SCENE_START] = 0, [SCENE_MIDDLE] = 0.5, [SCENE_END] = 1};
	struct strbuf text = {0};
	cairo_text_extents_t extents;
	add_ascii(&text, item->text);
	cairo_save(cr);
	cairo_select_font_face(cr, "@cairo:", CAIRO_FONT_SLANT_NORMAL,
			       item->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(cr, item->size);
	cairo_text_extents(cr, strbuf_text(&text), &extents);
	cairo_translate(cr, item->x, item->y);
	cairo_rotate(cr, item->angle * M_PI / 180);
	/* The box that placed this label is a promise: condense what would not fit. */
	if (extents.x_advance > item->text_width && item->text_width > 0)
		cairo_scale(cr, item->text_width / extents.x_advance, 1);
	cairo_translate(cr, -shift[item->anchor] * extents.x_advance, 0);
	if (item->halo != SCENE_NONE) {
		/* Stroking the outlines of a stroke font takes long; a plate does the same. */
		set_colour(cr, item->halo, 0.85);
		cairo_rectangle(cr, -2, -0.75 * item->size, extents.x_advance + 4, item->size);
		cairo_fill(cr);
	}
	set_colour(cr, item->style.fill, item->style.opacity);
	cairo_move_to(cr, 0, 0);
	cairo_show_text(cr, strbuf_text(&text));
	cairo_restore(cr);
	cairo_new_path(cr); /* a text leaves its end behind as the current point */
	strbuf_free(&text);
}

static void draw(cairo_t *cr, const struct scene *scene)
{
	static void (*const painters[])(cairo_t *, const struct scene_item *) = {
		[SCENE_LINE] = draw_line,       [SCENE_POLYLINE] = draw_polyline,
		[SCENE_POLYGON] = draw_polygon, [SCENE_RECT] = draw_rect,
		[SCENE_MARKER] = draw_marker,   [SCENE_TEXT] = draw_text,
	};
	cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
	set_colour(cr, scene->background, 1);
	cairo_paint(cr);
	for (size_t i = 0; i < scene->count; i++)
		painters[scene->items[i].kind](cr, &scene->items[i]);
}

static cairo_status_t append(void *closure, const unsigned char *bytes, unsigned len)
{
	strbuf_add(closure, bytes, len);
	return CAIRO_STATUS_SUCCESS;
}

/* Cairo keeps the first error of a context: asked once, when everything is drawn. */
static int result(cairo_status_t status, struct strbuf *out, size_t before, const char *format,
		  struct error *err)
{
	if (status == CAIRO_STATUS_SUCCESS)
		return 0;
	if (out->len > before)
		strbuf_truncate(out, before);
	return error_set(err, ERR_SYSTEM, "the picture cannot be drawn as %s: %s", format,
			 cairo_status_to_string(status));
}

/* Of a side; false for what Cairo cannot draw. */
static bool has_pixels(double length)
{
	enum { MOST = 32767 };
	return length > 0 && length <= MOST;
}

/* Opaque pixels as libpng takes them, three bytes each, in the surface's own memory. */
static void pack_pixels(cairo_surface_t *surface, size_t count)
{
	unsigned char *bytes = cairo_image_surface_get_data(surface);
	for (size_t i = 0; i < count; i++) {
		uint32_t pixel;
		memcpy(&pixel, bytes + i * sizeof pixel, sizeof pixel);
		bytes[3 * i] = pixel >> 16 & 0xff;
		bytes[3 * i + 1] = pixel >> 8 & 0xff;
		bytes[3 * i + 2] = pixel & 0xff;
	}
}

/* Drawings are flat: rows without filters and a fast level are a quarter of the time of Cairo's own
 * PNG writer, and the files a tenth larger. */
static int add_png(cairo_surface_t *surface, struct strbuf *out, struct error *err)
{
	png_image image = {.version = PNG_IMAGE_VERSION,
			   .width = (uint32_t)cairo_image_surface_get_width(surface),
			   .height = (uint32_t)cairo_image_surface_get_height(surface),
			   .format = PNG_FORMAT_RGB,
			   .flags = PNG_IMAGE_FLAG_FAST};
	png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
	void *file = malloc(size);
	if (!file)
		abort();
	pack_pixels(surface, (size_t)image.width * image.height);
	int written = png_image_write_to_memory(&image, file, &size, 0,
						cairo_image_surface_get_data(surface), 0, NULL);
	if (written)
		strbuf_add(out, file, size);
	free(file);
	return written ? 0
		       : error_set(err, ERR_SYSTEM, "the picture cannot be drawn as PNG: %s",
				   image.message);
}

int scene_png(const struct scene *scene, double scale, struct strbuf *out, struct error *err)
{
	double width = scene->width * scale, height = scene->height * scale;
	if (!has_pixels(width) || !has_pixels(height))
		return error_set(err, ERR_USAGE,
				 "a picture of %.0f x %.0f pixels cannot be drawn as PNG", width,
				 height);
	if (lazy_cairo_open(err) < 0)
		return -1;
	cairo_surface_t *surface =
		cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(width), (int)ceil(height));
	cairo_t *cr = cairo_create(surface);
	cairo_scale(cr, scale, scale);
	draw(cr, scene);
	int rc = result(cairo_status(cr), out, out->len, "PNG", err);
	cairo_destroy(cr);
	cairo_surface_flush(surface);
	if (rc == 0)
		rc = add_png(surface, out, err);
	cairo_surface_destroy(surface);
	return rc;
}

int scene_pdf(const struct scene *scene, struct strbuf *out, struct error *err)
{
	/* A CSS pixel is 3/4 of a point. */
	const double points = 0.75;
	size_t before = out->len;
	if (lazy_cairo_open(err) < 0)
		return -1;
	cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(
		append, out, scene->width * points, scene->height * points);
	cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, scene->title);
	cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT, scene->desc);
	/* Without a date of its own the file would carry the time of its writing. */
	cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
	cairo_t *cr = cairo_create(surface);
	cairo_scale(cr, points, points);
	draw(cr, scene);
	cairo_status_t status = cairo_status(cr);
	cairo_destroy(cr);
	cairo_surface_finish(surface);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_status(surface);
	cairo_surface_destroy(surface);
	return result(status, out, before, "PDF", err);
}
