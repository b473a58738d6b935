/*
 * A scene is a picture as a display list: items in drawing order, in units of
 * one CSS pixel, y downwards. It becomes SVG text, PNG or PDF; the back ends only
 * walk the list. The colours of charts are in render/scene/palette.h.
 *
 * This room contains shapes and texts only. Runs, axes and legends belong to render/chart, file
 * names to cli. An item must look the same in every format, and SVG must work without any library
 * or font.
 *
 * Everything belongs to the scene's arena. Texts are cleaned when they are added: everything in
 * them shows (base/text/shown.h). The width of a text is that of the widest common sans-serif font,
 * from a table, so that placing labels is plain geometry and independent of installed fonts.
 */
#pragma once

#include "base/base.h"

#define SCENE_NONE 0xff000000u  /* no fill, no stroke, no halo */
#define SCENE_MARKER_REACH 1.25 /* distance of its farthest corner / radius */

enum scene_kind { SCENE_LINE, SCENE_POLYLINE, SCENE_POLYGON, SCENE_RECT, SCENE_MARKER, SCENE_TEXT };
enum scene_dash { SCENE_SOLID, SCENE_DASHED, SCENE_DOTTED };
enum scene_anchor { SCENE_START, SCENE_MIDDLE, SCENE_END };
enum scene_marker {
	SCENE_CIRCLE,
	SCENE_SQUARE,
	SCENE_TRIANGLE,
	SCENE_DIAMOND,
	SCENE_TRIANGLE_DOWN,
	SCENE_CROSS,
	SCENE_MARKER_LIMIT
};

struct scene_style {
	uint32_t fill;   /* colour or SCENE_NONE */
	uint32_t stroke; /* colour or SCENE_NONE */
	double width;    /* of the stroke */
	double opacity;  /* 0 means 1: a zeroed style is opaque */
	enum scene_dash dash;
};

/* A line without a fill. */
static inline struct scene_style scene_stroke(uint32_t colour, double width)
{
	return (struct scene_style){.fill = SCENE_NONE, .stroke = colour, .width = width};
}

/* A fill without a border. */
static inline struct scene_style scene_fill(uint32_t colour, double opacity)
{
	return (struct scene_style){.fill = colour, .stroke = SCENE_NONE, .opacity = opacity};
}

struct scene_point {
	double x, y;
};

/* A box, possibly rotated: corners in order around it. */
struct scene_quad {
	struct scene_point corner[4];
};

struct scene_item {
	enum scene_kind kind;
	struct scene_style style;
	const char *tooltip; /* or NULL */
	const char *href;    /* where a click leads, in SVG; or NULL */
	const char *role;    /* for scripts: the class of the element in SVG; or NULL */
	double place;        /* for scripts: data-place, the index of a commit; NAN: none */
	bool avoid;          /* labels rarely cross this line, and never overlap this box */
	double x, y;         /* line: start; rect: corner; marker: center; text: baseline */
	double w, h;         /* line: its end relative to x, y; rect: its size */
	double radius;       /* of a rect's corners; half the size of a marker */
	const struct scene_point *points; /* polyline, polygon */
	size_t point_count;
	enum scene_marker marker;
	const char *text;
	double size;  /* of the text, px, at least 9 */
	double angle; /* degrees, clockwise, around x, y */
	bool bold;
	enum scene_anchor anchor;
	uint32_t halo;     /* background color drawn around the glyphs, or SCENE_NONE */
	double text_width; /* px, in the widest font */
	double below;      /* px of its box below the text, for a second line */
};

struct scene_bounds {
	double left, top, right, bottom;
};

struct scene {
	struct arena *arena;
	double width, height;
	uint32_t background;
	bool empty;        /* it shows axes only: pages leave it out */
	const char *title; /* for readers who cannot see the picture */
	const char *desc;
	/* The area of the axes; with several panels, the box around all. No mark lies outside it,
	 * which the tests of the charts verify. It is not drawn. All 0: unset. */
	struct scene_bounds frame;
	struct scene_item *items;
	size_t count, capacity;
};

struct scene *scene_new(struct arena *arena, double width, double height, uint32_t background);
void scene_describe(struct scene *scene, const char *title, const char *desc);

/* Each returns the new item, valid until the next item is added. */
struct scene_item *scene_line(struct scene *scene, double x1, double y1, double x2, double y2,
			      struct scene_style style);
/* The points are copied. */
struct scene_item *scene_polyline(struct scene *scene, const struct scene_point *points,
				  size_t count, struct scene_style style);
struct scene_item *scene_polygon(struct scene *scene, const struct scene_point *points,
				 size_t count, struct scene_style style);
struct scene_item *scene_rect(struct scene *scene, double x, double y, double w, double h,
			      struct scene_style style);
struct scene_item *scene_mark(struct scene *scene, enum scene_marker marker, double x, double y,
			      double radius, struct scene_style style);
/* Adds a line between two points with a filled head at its end. */
void scene_arrow(struct scene *scene, struct scene_point from, struct scene_point to,
		 uint32_t colour);
struct scene_type {
	double size; /* px, at least 9 */
	uint32_t colour;
	bool bold;
	enum scene_anchor anchor;
};
/* Adds an upright text. */
struct scene_item *scene_text(struct scene *scene, double x, double y, struct scene_type type,
			      const char *text);
/* Removes the items from index `count` on. */
void scene_truncate(struct scene *scene, size_t count);
/* Sets the tooltip of the item and returns the item. */
struct scene_item *scene_tooltip(struct scene *scene, struct scene_item *item, const char *format,
				 ...) __attribute__((format(printf, 3, 4)));

/* Makes the item a link, unless href is NULL; returns the item. Keys do not stop at it, because a
 * picture has hundreds: a page must offer them another way. */
struct scene_item *scene_link(struct scene *scene, struct scene_item *item, const char *href);

/* Sets what a script finds the item by; `role` is a constant text of letters, or NULL. */
static inline void scene_role(struct scene_item *item, const char *role, double place)
{
	item->role = role;
	item->place = place;
}

/* Computes the outline of a marker around 0, 0; `corners` has room for 12. Returns the number of
 * corners; 0 means a circle. Shared by the back ends. */
size_t scene_marker_outline(enum scene_marker marker, double radius, struct scene_point *corners);
/* Computes the lengths of strokes and gaps; returns how many, 0 for a solid line. */
size_t scene_dashes(enum scene_dash dash, double width, double lengths[2]);

/* text.c: texts and their boxes. */
double scene_text_width(const char *text, double size, bool bold);
/* Cleaned as described at the top. */
const char *scene_clean(struct arena *arena, const char *text);
/* Adds a cleaned text for a back end: `mark`, a left-to-right mark, ends each right-to-left run.
 * Otherwise a number after an Arabic name would join the run and appear to its left. */
void scene_directed(struct strbuf *out, const char *text, const char *mark);
/* Cleaned, and shortened in the middle with an ellipsis to at most `width`. */
const char *scene_shorten(struct arena *arena, const char *text, double size, bool bold,
			  double width);
/* The box of a text item, including ascent and descent. */
struct scene_quad scene_text_box(const struct scene_item *item);

/* place.c: where labels go. */
bool scene_quads_meet(const struct scene_quad *a, const struct scene_quad *b);

struct scene_spot {
	double x, y, angle;
	enum scene_anchor anchor;
};
/* Moves the text item, the last of the scene, to one of the spots (best first) where it lies
 * inside the bounds and overlaps neither a text nor a marker. Early spots are weighed against few
 * crossed lines. Removes the item and returns false without such a spot. */
bool scene_place(struct scene *scene, const struct scene_bounds *bounds,
		 const struct scene_spot *spots, size_t count);

/* svg.c: SVG text with <title> and <desc>; deterministic. */
void scene_svg(const struct scene *scene, struct strbuf *out);
/* Like scene_svg() for a page whose style sheet contains palette_add_css(), light and dark. The
 * scene must use the light palette. */
const char *scene_page_svg(struct arena *arena, const struct scene *scene);
/* cairo.c: adds PNG at `scale` device pixels per unit, or PDF, to `out`, which is unchanged on
 * failure: ERR_USAGE for a size that cannot be drawn, ERR_SYSTEM if a library or all fonts are
 * missing. */
int scene_png(const struct scene *scene, double scale, struct strbuf *out, struct error *err);
int scene_pdf(const struct scene *scene, struct strbuf *out, struct error *err);
