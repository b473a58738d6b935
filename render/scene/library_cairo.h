/*
 * The functions of Cairo that are used, in a library that is opened late (base/system/library.h):
 * it comes with fontconfig and X11, and only PNG and PDF need it. Cairo depends on libpng, whose
 * functions are found through it.
 */
#ifndef RENDER_SCENE_LIBRARY_CAIRO_H
#define RENDER_SCENE_LIBRARY_CAIRO_H

#include <cairo-pdf.h>
#include <cairo.h>
#include <png.h>

#include "base/error.h"
#include "base/system/library.h"

#define LAZY_CAIRO(X)                                                                              \
	X(cairo_arc)                                                                               \
	X(cairo_close_path)                                                                        \
	X(cairo_create)                                                                            \
	X(cairo_destroy)                                                                           \
	X(cairo_fill)                                                                              \
	X(cairo_fill_preserve)                                                                     \
	X(cairo_image_surface_create)                                                              \
	X(cairo_image_surface_get_data)                                                            \
	X(cairo_image_surface_get_height)                                                          \
	X(cairo_image_surface_get_width)                                                           \
	X(cairo_line_to)                                                                           \
	X(cairo_move_to)                                                                           \
	X(cairo_new_path)                                                                          \
	X(cairo_paint)                                                                             \
	X(cairo_pdf_surface_create_for_stream)                                                     \
	X(cairo_pdf_surface_set_metadata)                                                          \
	X(cairo_rectangle)                                                                         \
	X(cairo_rel_line_to)                                                                       \
	X(cairo_restore)                                                                           \
	X(cairo_rotate)                                                                            \
	X(cairo_save)                                                                              \
	X(cairo_scale)                                                                             \
	X(cairo_select_font_face)                                                                  \
	X(cairo_set_dash)                                                                          \
	X(cairo_set_font_size)                                                                     \
	X(cairo_set_line_join)                                                                     \
	X(cairo_set_line_width)                                                                    \
	X(cairo_set_source_rgba)                                                                   \
	X(cairo_show_text)                                                                         \
	X(cairo_status)                                                                            \
	X(cairo_status_to_string)                                                                  \
	X(cairo_stroke_preserve)                                                                   \
	X(cairo_surface_destroy)                                                                   \
	X(cairo_surface_finish)                                                                    \
	X(cairo_surface_flush)                                                                     \
	X(cairo_surface_status)                                                                    \
	X(cairo_text_extents)                                                                      \
	X(cairo_translate)                                                                         \
	X(png_image_write_to_memory)

extern struct lazy_cairo {
	LAZY_CAIRO(LAZY_POINTER)
} lazy_cairo;

#define cairo_arc lazy_cairo.cairo_arc
#define cairo_close_path lazy_cairo.cairo_close_path
#define cairo_create lazy_cairo.cairo_create
#define cairo_destroy lazy_cairo.cairo_destroy
#define cairo_fill lazy_cairo.cairo_fill
#define cairo_fill_preserve lazy_cairo.cairo_fill_preserve
#define cairo_image_surface_create lazy_cairo.cairo_image_surface_create
#define cairo_image_surface_get_data lazy_cairo.cairo_image_surface_get_data
#define cairo_image_surface_get_height lazy_cairo.cairo_image_surface_get_height
#define cairo_image_surface_get_width lazy_cairo.cairo_image_surface_get_width
#define cairo_line_to lazy_cairo.cairo_line_to
#define cairo_move_to lazy_cairo.cairo_move_to
#define cairo_new_path lazy_cairo.cairo_new_path
#define cairo_paint lazy_cairo.cairo_paint
#define cairo_pdf_surface_create_for_stream lazy_cairo.cairo_pdf_surface_create_for_stream
#define cairo_pdf_surface_set_metadata lazy_cairo.cairo_pdf_surface_set_metadata
#define cairo_rectangle lazy_cairo.cairo_rectangle
#define cairo_rel_line_to lazy_cairo.cairo_rel_line_to
#define cairo_restore lazy_cairo.cairo_restore
#define cairo_rotate lazy_cairo.cairo_rotate
#define cairo_save lazy_cairo.cairo_save
#define cairo_scale lazy_cairo.cairo_scale
#define cairo_select_font_face lazy_cairo.cairo_select_font_face
#define cairo_set_dash lazy_cairo.cairo_set_dash
#define cairo_set_font_size lazy_cairo.cairo_set_font_size
#define cairo_set_line_join lazy_cairo.cairo_set_line_join
#define cairo_set_line_width lazy_cairo.cairo_set_line_width
#define cairo_set_source_rgba lazy_cairo.cairo_set_source_rgba
#define cairo_show_text lazy_cairo.cairo_show_text
#define cairo_status lazy_cairo.cairo_status
#define cairo_status_to_string lazy_cairo.cairo_status_to_string
#define cairo_stroke_preserve lazy_cairo.cairo_stroke_preserve
#define cairo_surface_destroy lazy_cairo.cairo_surface_destroy
#define cairo_surface_finish lazy_cairo.cairo_surface_finish
#define cairo_surface_flush lazy_cairo.cairo_surface_flush
#define cairo_surface_status lazy_cairo.cairo_surface_status
#define cairo_text_extents lazy_cairo.cairo_text_extents
#define cairo_translate lazy_cairo.cairo_translate
#define png_image_write_to_memory lazy_cairo.png_image_write_to_memory

int lazy_cairo_open(struct error *err);

#endif
