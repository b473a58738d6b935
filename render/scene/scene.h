/*
 * A scene is a picture as a display list: items in drawing order, in units of
 * one CSS pixel, y downwards. It becomes SVG text, PNG or PDF; the back ends only
 * walk the list. The colours of charts are in render/scene/palette.h.
 *
 * This room knows shapes and texts. What a run, an axis or a legend is stays in
 * render/chart, and a file's name in cli; no item may look different in one of the
 * formats, and nothing that an SVG needs may come from a library or a font.
 *
 * Everything belongs to the scene's arena. Texts are cleaned when they are
 * added: what is no valid UTF-8 becomes U+FFFD, control characters become
 * blanks, characters that only steer the direction or are invisible are dropped,
 * and a stretch from right to left is ended by a mark. The width of a text is
 * that of the widest common sans-serif font, from a table, so that placing labels
 * is plain geometry and does not depend on installed fonts.
 */
#ifndef RENDER_SCENE_SCENE_H
#define RENDER_SCENE_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"

#define SCENE_NONE 0xff000000u  /* no fill, no stroke, no halo */
#define SCENE_MARKER_REACH 1.25 /* of its radius: where the corners of a marker are, at most */

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
	double opacity;  /* 0 is taken as 1: a zeroed style is opaque */
	enum scene_dash dash;
};

struct scene_point {
	double x, y;
};

/* A box that may be rotated: corners in order around it. */
struct scene_quad {
	struct scene_point corner[4];
};

struct scene_item {
	enum scene_kind kind;
	struct scene_style style;
	const char *tooltip; /* or NULL */
	bool avoid;          /* labels should rather not cross this line; they never meet this
			      * box or area */
	double x, y;         /* start of a line, corner of a rect, centre, text baseline */
	double w, h;         /* other end of a line relative to x, y; size of a rect */
	double radius;       /* of a rect's corners; half the size of a marker */
	const struct scene_point *points; /* polyline, polygon */
	size_t point_count;
	enum scene_marker marker;
	const char *text;
	double size;  /* of the text, at least 9 */
	double angle; /* degrees, clockwise, around x, y */
	bool bold;
	enum scene_anchor anchor;
	uint32_t halo;     /* ground colour drawn around the glyphs, or SCENE_NONE */
	double text_width; /* in the widest font */
};

struct scene_bounds {
	double left, top, right, bottom;
};

struct scene {
	struct arena *arena;
	double width, height;
	uint32_t background;
	const char *title; /* for people who cannot see the picture */
	const char *desc;
	/* Of the axes, of several below each other around all: no mark stands beside or above it,
	 * which the tests of the charts check. Nothing draws it. All 0: there is none. */
	struct scene_bounds frame;
	struct scene_item *items;
	size_t count, capacity;
};

struct scene *scene_new(struct arena *arena, double width, double height, uint32_t background);
void scene_describe(struct scene *scene, const char *title, const char *desc);

/* Each returns the new item, valid until the next is added. */
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
/* A line from one point to the other with a filled head at its end. */
void scene_arrow(struct scene *scene, struct scene_point from, struct scene_point to,
		 uint32_t colour);
/* Start-anchored, upright and regular; change the returned item for anything else. */
struct scene_item *scene_text(struct scene *scene, double x, double y, double size, uint32_t colour,
			      const char *text);
struct scene_item *scene_bold(struct scene *scene, double x, double y, double size, uint32_t colour,
			      const char *text);
/* Forgets the items from `count` on. */
void scene_truncate(struct scene *scene, size_t count);
void scene_tooltip(struct scene *scene, struct scene_item *item, const char *text);

/* The outline of a marker around 0, 0; `corners` has room for 12. Returns how many; 0 means that
 * it is a circle. Shared by the back ends. */
size_t scene_marker_outline(enum scene_marker marker, double radius, struct scene_point *corners);
/* Lengths of strokes and gaps; returns how many, 0 for a solid line. */
size_t scene_dashes(enum scene_dash dash, double width, double lengths[2]);

/* text.c: texts and their boxes. */
double scene_text_width(const char *text, double size, bool bold);
/* Cleaned as described above. */
const char *scene_clean(struct arena *arena, const char *text);
/* Cleaned, and shortened in the middle with an ellipsis until it is at most `width` wide. */
const char *scene_shorten(struct arena *arena, const char *text, double size, bool bold,
			  double width);
/* The box of a text item, ascent and descent included. */
struct scene_quad scene_text_box(const struct scene_item *item);

/* place.c: where labels go. */
bool scene_quads_meet(const struct scene_quad *a, const struct scene_quad *b);

struct scene_spot {
	double x, y, angle;
	enum scene_anchor anchor;
};
/* Moves the text item, the last of the scene, to one of the spots (best first) where it lies inside
 * the bounds and meets no other text and no marker; an early spot and few crossed lines are weighed
 * against each other. False, with the item removed, when there is no such spot. */
bool scene_place(struct scene *scene, const struct scene_bounds *bounds,
		 const struct scene_spot *spots, size_t count);

/* svg.c: SVG text with <title> and <desc>; deterministic. */
void scene_svg(const struct scene *scene, struct strbuf *out);
/* The same for a page whose style sheet has palette_add_css(): light there and dark. Of a scene in
 * the light palette. */
const char *scene_page_svg(struct arena *arena, const struct scene *scene);
/* cairo.c: PNG at `scale` device pixels per unit, or PDF, as bytes added to `out`, which is as it
 * was on failure: ERR_USAGE for a size that cannot be drawn, ERR_SYSTEM where a library or every
 * font is missing. */
int scene_png(const struct scene *scene, double scale, struct strbuf *out, struct error *err);
int scene_pdf(const struct scene *scene, struct strbuf *out, struct error *err);

#endif
