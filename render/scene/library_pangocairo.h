/*
 * The functions of Pango and Cairo that are used. The libraries are loaded on first use
 * (base/system/library.h): they depend on GLib, fontconfig and X11, and only PNG and PDF need
 * them. pangocairo depends on Pango, GObject, Cairo and, through Cairo, libpng: their functions
 * are found through it.
 */
#pragma once

#include <cairo-pdf.h>
#include <cairo.h>
#include <pango/pangocairo.h>
#include <png.h>

#include "base/base.h"
#include "base/system/system.h"

#define LAZY_PANGOCAIRO(X)                                                                         \
	X(cairo_arc)                                                                               \
	X(cairo_close_path)                                                                        \
	X(cairo_create)                                                                            \
	X(cairo_destroy)                                                                           \
	X(cairo_fill_preserve)                                                                     \
	X(cairo_font_options_create)                                                               \
	X(cairo_font_options_destroy)                                                              \
	X(cairo_font_options_set_antialias)                                                        \
	X(cairo_font_options_set_hint_metrics)                                                     \
	X(cairo_font_options_set_hint_style)                                                       \
	X(cairo_image_surface_create_for_data)                                                     \
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
	X(cairo_set_dash)                                                                          \
	X(cairo_set_line_join)                                                                     \
	X(cairo_set_line_width)                                                                    \
	X(cairo_set_source_rgba)                                                                   \
	X(cairo_status)                                                                            \
	X(cairo_status_to_string)                                                                  \
	X(cairo_stroke)                                                                            \
	X(cairo_stroke_preserve)                                                                   \
	X(cairo_surface_destroy)                                                                   \
	X(cairo_surface_finish)                                                                    \
	X(cairo_surface_status)                                                                    \
	X(cairo_translate)                                                                         \
	X(pango_cairo_context_set_font_options)                                                    \
	X(pango_cairo_font_map_get_default)                                                        \
	X(pango_cairo_layout_line_path)                                                            \
	X(pango_cairo_show_layout_line)                                                            \
	X(pango_context_load_font)                                                                 \
	X(pango_context_set_base_dir)                                                              \
	X(pango_context_set_language)                                                              \
	X(pango_context_set_round_glyph_positions)                                                 \
	X(pango_font_description_free)                                                             \
	X(pango_font_description_new)                                                              \
	X(pango_font_description_set_absolute_size)                                                \
	X(pango_font_description_set_family_static)                                                \
	X(pango_font_description_set_weight)                                                       \
	X(pango_font_map_create_context)                                                           \
	X(pango_language_from_string)                                                              \
	X(pango_layout_get_context)                                                                \
	X(pango_layout_get_line_readonly)                                                          \
	X(pango_layout_line_get_extents)                                                           \
	X(pango_layout_new)                                                                        \
	X(pango_layout_set_auto_dir)                                                               \
	X(pango_layout_set_font_description)                                                       \
	X(pango_layout_set_single_paragraph_mode)                                                  \
	X(pango_layout_set_text)                                                                   \
	X(g_object_unref)                                                                          \
	X(png_image_write_to_memory)

extern struct lazy_pangocairo {
	LAZY_PANGOCAIRO(LAZY_POINTER)
} lazy_pangocairo;

#define cairo_arc lazy_pangocairo.cairo_arc
#define cairo_close_path lazy_pangocairo.cairo_close_path
#define cairo_create lazy_pangocairo.cairo_create
#define cairo_destroy lazy_pangocairo.cairo_destroy
#define cairo_fill_preserve lazy_pangocairo.cairo_fill_preserve
#define cairo_font_options_create lazy_pangocairo.cairo_font_options_create
#define cairo_font_options_destroy lazy_pangocairo.cairo_font_options_destroy
#define cairo_font_options_set_antialias lazy_pangocairo.cairo_font_options_set_antialias
#define cairo_font_options_set_hint_metrics lazy_pangocairo.cairo_font_options_set_hint_metrics
#define cairo_font_options_set_hint_style lazy_pangocairo.cairo_font_options_set_hint_style
#define cairo_image_surface_create_for_data lazy_pangocairo.cairo_image_surface_create_for_data
#define cairo_line_to lazy_pangocairo.cairo_line_to
#define cairo_move_to lazy_pangocairo.cairo_move_to
#define cairo_new_path lazy_pangocairo.cairo_new_path
#define cairo_paint lazy_pangocairo.cairo_paint
#define cairo_pdf_surface_create_for_stream lazy_pangocairo.cairo_pdf_surface_create_for_stream
#define cairo_pdf_surface_set_metadata lazy_pangocairo.cairo_pdf_surface_set_metadata
#define cairo_rectangle lazy_pangocairo.cairo_rectangle
#define cairo_rel_line_to lazy_pangocairo.cairo_rel_line_to
#define cairo_restore lazy_pangocairo.cairo_restore
#define cairo_rotate lazy_pangocairo.cairo_rotate
#define cairo_save lazy_pangocairo.cairo_save
#define cairo_scale lazy_pangocairo.cairo_scale
#define cairo_set_dash lazy_pangocairo.cairo_set_dash
#define cairo_set_line_join lazy_pangocairo.cairo_set_line_join
#define cairo_set_line_width lazy_pangocairo.cairo_set_line_width
#define cairo_set_source_rgba lazy_pangocairo.cairo_set_source_rgba
#define cairo_status lazy_pangocairo.cairo_status
#define cairo_status_to_string lazy_pangocairo.cairo_status_to_string
#define cairo_stroke lazy_pangocairo.cairo_stroke
#define cairo_stroke_preserve lazy_pangocairo.cairo_stroke_preserve
#define cairo_surface_destroy lazy_pangocairo.cairo_surface_destroy
#define cairo_surface_finish lazy_pangocairo.cairo_surface_finish
#define cairo_surface_status lazy_pangocairo.cairo_surface_status
#define cairo_translate lazy_pangocairo.cairo_translate
#define pango_cairo_context_set_font_options lazy_pangocairo.pango_cairo_context_set_font_options
#define pango_cairo_font_map_get_default lazy_pangocairo.pango_cairo_font_map_get_default
#define pango_cairo_layout_line_path lazy_pangocairo.pango_cairo_layout_line_path
#define pango_cairo_show_layout_line lazy_pangocairo.pango_cairo_show_layout_line
#define pango_context_load_font lazy_pangocairo.pango_context_load_font
#define pango_context_set_base_dir lazy_pangocairo.pango_context_set_base_dir
#define pango_context_set_language lazy_pangocairo.pango_context_set_language
#define pango_context_set_round_glyph_positions                                                    \
	lazy_pangocairo.pango_context_set_round_glyph_positions
#define pango_font_description_free lazy_pangocairo.pango_font_description_free
#define pango_font_description_new lazy_pangocairo.pango_font_description_new
#define pango_font_description_set_absolute_size                                                   \
	lazy_pangocairo.pango_font_description_set_absolute_size
#define pango_font_description_set_family_static                                                   \
	lazy_pangocairo.pango_font_description_set_family_static
#define pango_font_description_set_weight lazy_pangocairo.pango_font_description_set_weight
#define pango_font_map_create_context lazy_pangocairo.pango_font_map_create_context
#define pango_language_from_string lazy_pangocairo.pango_language_from_string
#define pango_layout_get_context lazy_pangocairo.pango_layout_get_context
#define pango_layout_get_line_readonly lazy_pangocairo.pango_layout_get_line_readonly
#define pango_layout_line_get_extents lazy_pangocairo.pango_layout_line_get_extents
#define pango_layout_new lazy_pangocairo.pango_layout_new
#define pango_layout_set_auto_dir lazy_pangocairo.pango_layout_set_auto_dir
#define pango_layout_set_font_description lazy_pangocairo.pango_layout_set_font_description
#define pango_layout_set_single_paragraph_mode                                                     \
	lazy_pangocairo.pango_layout_set_single_paragraph_mode
#define pango_layout_set_text lazy_pangocairo.pango_layout_set_text
#define g_object_unref lazy_pangocairo.g_object_unref
#define png_image_write_to_memory lazy_pangocairo.png_image_write_to_memory

int lazy_pangocairo_open(struct error *err);
