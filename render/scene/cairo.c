/*
 * A scene as PNG and PDF: Cairo draws, Pango sets the texts in the fonts of the machine. The same
 * scene gives the same bytes wherever the same fonts and versions of the libraries are installed.
 */
#include "render/scene/scene.h"

#include <endian.h>
#include <sys/mman.h>

#include "base/base.h"
#include "render/scene/library_pangocairo.h"

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

static void draw_path(cairo_t *cr, const struct scene_item *item)
{
	trace_points(cr, item->points, item->point_count, 0, 0);
	if (item->kind == SCENE_POLYGON)
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

/* --- texts --- */

struct canvas {
	cairo_t *cr;
	PangoLayout *layout;
	PangoFontDescription *fonts[2]; /* regular, bold */
};

/* In order of preference. A character that none of these fonts has comes from any installed font
 * that has it. */
static const char families[] = "Liberation Sans, Arial, Helvetica, DejaVu Sans, Noto Sans, "
			       "Noto Sans CJK SC, sans-serif";
/* Texts are set in this size (px) and scaled, so that each weight is looked up once. */
static const double type_size = 32;

static PangoFontDescription *font_of(bool bold)
{
	PangoFontDescription *font = pango_font_description_new();
	pango_font_description_set_family_static(font, families);
	pango_font_description_set_weight(font, bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
	pango_font_description_set_absolute_size(font, type_size * PANGO_SCALE);
	return font;
}

/* A context whose texts are independent of locale, scale and screen (no hinting). */
static PangoContext *context_new(void)
{
	PangoContext *context = pango_font_map_create_context(pango_cairo_font_map_get_default());
	cairo_font_options_t *options = cairo_font_options_create();
	cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
	cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	pango_cairo_context_set_font_options(context, options);
	cairo_font_options_destroy(options);
	pango_context_set_language(context, pango_language_from_string("en"));
	pango_context_set_base_dir(context, PANGO_DIRECTION_LTR);
	pango_context_set_round_glyph_positions(context, FALSE);
	return context;
}

static void canvas_init(struct canvas *canvas, cairo_surface_t *surface, double scale)
{
	PangoContext *context = context_new();
	canvas->cr = cairo_create(surface);
	cairo_scale(canvas->cr, scale, scale);
	canvas->layout = pango_layout_new(context);
	pango_layout_set_single_paragraph_mode(canvas->layout, TRUE);
	pango_layout_set_auto_dir(canvas->layout, FALSE);
	g_object_unref(context);
	for (size_t i = 0; i < 2; i++)
		canvas->fonts[i] = font_of(i == 1);
}

static void canvas_free(struct canvas *canvas)
{
	for (size_t i = 0; i < 2; i++)
		pango_font_description_free(canvas->fonts[i]);
	g_object_unref(canvas->layout);
	cairo_destroy(canvas->cr);
}

static bool has_font(const struct canvas *canvas)
{
	PangoContext *context = pango_layout_get_context(canvas->layout);
	PangoFont *font = pango_context_load_font(context, canvas->fonts[0]);
	if (font)
		g_object_unref(font);
	return font != NULL;
}

/* Draws the halo around the glyphs of a line, like `paint-order: stroke` in SVG. */
static void draw_halo(cairo_t *cr, PangoLayoutLine *line, uint32_t colour, double width)
{
	set_colour(cr, colour, 1);
	cairo_set_line_width(cr, width);
	cairo_set_dash(cr, NULL, 0, 0);
	pango_cairo_layout_line_path(cr, line);
	cairo_stroke(cr);
}

static void draw_text(const struct canvas *canvas, const struct scene_item *item)
{
	static const double shift[] = {[SCENE_START] = 0, [SCENE_MIDDLE] = 0.5, [SCENE_END] = 1};
	cairo_t *cr = canvas->cr;
	double scale = item->size / type_size;
	PangoRectangle box;
	pango_layout_set_font_description(canvas->layout, canvas->fonts[item->bold]);
	struct strbuf text = {0};
	scene_directed(&text, item->text, "\xe2\x80\x8e");
	pango_layout_set_text(canvas->layout, strbuf_text(&text), -1);
	strbuf_free(&text);
	PangoLayoutLine *line = pango_layout_get_line_readonly(canvas->layout, 0);
	pango_layout_line_get_extents(line, NULL, &box);
	double advance = (double)box.width / PANGO_SCALE * scale;
	/* The layout reserved a box for this text; condense the text if the font is wider. */
	double condensed =
		advance > item->text_width && item->text_width > 0 ? item->text_width / advance : 1;
	cairo_save(cr);
	cairo_translate(cr, item->x, item->y);
	cairo_rotate(cr, item->angle * M_PI / 180);
	cairo_translate(cr, -shift[item->anchor] * advance * condensed, 0);
	cairo_scale(cr, scale * condensed, scale);
	cairo_move_to(cr, 0, 0);
	if (item->halo != SCENE_NONE)
		draw_halo(cr, line, item->halo, 3 / scale);
	cairo_move_to(cr, 0, 0);
	set_colour(cr, item->style.fill, item->style.opacity);
	pango_cairo_show_layout_line(cr, line);
	cairo_restore(cr);
	cairo_new_path(cr);
}

/* --- pictures --- */

static void draw_items(const struct canvas *canvas, const struct scene *scene)
{
	static void (*const painters[])(cairo_t *, const struct scene_item *) = {
		[SCENE_LINE] = draw_line, [SCENE_POLYLINE] = draw_path, [SCENE_POLYGON] = draw_path,
		[SCENE_RECT] = draw_rect, [SCENE_MARKER] = draw_marker,
	};
	cairo_set_line_join(canvas->cr, CAIRO_LINE_JOIN_ROUND);
	set_colour(canvas->cr, scene->background, 1);
	cairo_paint(canvas->cr);
	for (size_t i = 0; i < scene->count; i++) {
		const struct scene_item *item = &scene->items[i];
		if (item->kind == SCENE_TEXT)
			draw_text(canvas, item);
		else
			painters[item->kind](canvas->cr, item);
	}
}

/* Cairo keeps a context's first error, so it is checked once, after drawing. */
static int result(cairo_status_t status, const char *format, struct error *err)
{
	if (status == CAIRO_STATUS_SUCCESS)
		return 0;
	return error_set(err, ERR_SYSTEM, "cannot render the chart as %s: %s", format,
			 cairo_status_to_string(status));
}

static int draw(cairo_surface_t *surface, const struct scene *scene, double scale,
		const char *format, struct error *err)
{
	struct canvas canvas;
	int rc;
	canvas_init(&canvas, surface, scale);
	if (has_font(&canvas)) {
		draw_items(&canvas, scene);
		rc = result(cairo_status(canvas.cr), format, err);
	} else {
		rc = error_set(err, ERR_SYSTEM,
			       "no font is installed, which %s needs (Debian package "
			       "fonts-dejavu-core); SVG does not",
			       format);
	}
	canvas_free(&canvas);
	return rc;
}

/* Whether Cairo can draw an image with a side of this length, px. */
static bool has_pixels(double length)
{
	enum { LONGEST = 32767 };
	return length > 0 && length <= LONGEST;
}

/* Packs opaque pixels to three bytes each, in place, as libpng reads them. */
static void pack_pixels(unsigned char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t pixel;
		memcpy(&pixel, bytes + 4 * i, sizeof pixel);
		/* Big-endian 00RRGGBB << 8 stores R, G, B, 0. The next pixel overwrites the 0; the
		 * last 0 stays within the pixel just read. */
		pixel = htobe32(pixel << 8);
		memcpy(bytes + 3 * i, &pixel, sizeof pixel);
	}
}

/* Writes the PNG. Drawings are flat: unfiltered rows and a fast level take a quarter of the time
 * of Cairo's own PNG writer, for files a tenth larger. */
static int add_png(unsigned char *pixels, int width, int height, struct strbuf *out,
		   struct error *err)
{
	png_image image = {.version = PNG_IMAGE_VERSION,
			   .width = (uint32_t)width,
			   .height = (uint32_t)height,
			   .format = PNG_FORMAT_RGB,
			   .flags = PNG_IMAGE_FLAG_FAST};
	png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
	void *file = malloc(size);
	if (!file)
		abort();
	pack_pixels(pixels, (size_t)width * (size_t)height);
	int written = png_image_write_to_memory(&image, file, &size, 0, pixels, 0, NULL);
	if (written)
		strbuf_add(out, file, size);
	free(file);
	return written ? 0
		       : error_set(err, ERR_SYSTEM, "the picture cannot be drawn as PNG: %s",
				   image.message);
}

/* Allocates on huge pages where available: page faults of small pages would take as long as the
 * drawing. */
static unsigned char *pixels_new(size_t size)
{
	enum { LARGE_PAGE = 2 << 20 };
	size_t whole = (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
	unsigned char *pixels = aligned_alloc(LARGE_PAGE, whole);
	if (!pixels)
		abort();
#ifdef MADV_HUGEPAGE
	madvise(pixels, whole, MADV_HUGEPAGE);
#endif
	return pixels;
}

int scene_png(const struct scene *scene, double scale, struct strbuf *out, struct error *err)
{
	if (!has_pixels(scene->width * scale) || !has_pixels(scene->height * scale))
		return error_set(err, ERR_USAGE, "a PNG of %.0f x %.0f pixels is too large",
				 scene->width * scale, scene->height * scale);
	if (lazy_pangocairo_open(err) < 0)
		return -1;
	int width = (int)ceil(scene->width * scale), height = (int)ceil(scene->height * scale);
	int stride = width * (int)sizeof(uint32_t);
	unsigned char *pixels = pixels_new((size_t)stride * (size_t)height);
	cairo_surface_t *surface = cairo_image_surface_create_for_data(pixels, CAIRO_FORMAT_RGB24,
								       width, height, stride);
	int rc = draw(surface, scene, scale, "PNG", err);
	cairo_surface_destroy(surface);
	if (rc == 0)
		rc = add_png(pixels, width, height, out, err);
	free(pixels);
	return rc;
}

static cairo_status_t append(void *closure, const unsigned char *bytes, unsigned len)
{
	strbuf_add(closure, bytes, len);
	return CAIRO_STATUS_SUCCESS;
}

int scene_pdf(const struct scene *scene, struct strbuf *out, struct error *err)
{
	/* points per CSS pixel */
	const double points = 0.75;
	size_t before = out->len;
	if (lazy_pangocairo_open(err) < 0)
		return -1;
	cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(
		append, out, scene->width * points, scene->height * points);
	cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, scene->title);
	cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT, scene->desc);
	/* an empty date; by default Cairo stores the time of writing */
	cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
	int rc = draw(surface, scene, points, "PDF", err);
	cairo_surface_finish(surface);
	if (rc == 0)
		rc = result(cairo_surface_status(surface), "PDF", err);
	cairo_surface_destroy(surface);
	if (rc < 0 && out->len > before)
		strbuf_truncate(out, before);
	return rc;
}
