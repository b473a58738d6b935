/* The functions of cmark-gfm that are used. The library is loaded on first use
 * (base/system/library.h). */
#pragma once

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include "base/base.h"
#include "base/system/system.h"

#define LAZY_CMARK(X)                                                                              \
	X(cmark_find_syntax_extension)                                                             \
	X(cmark_gfm_core_extensions_ensure_registered)                                             \
	X(cmark_iter_free)                                                                         \
	X(cmark_iter_get_event_type)                                                               \
	X(cmark_iter_get_node)                                                                     \
	X(cmark_iter_new)                                                                          \
	X(cmark_iter_next)                                                                         \
	X(cmark_node_free)                                                                         \
	X(cmark_node_get_end_line)                                                                 \
	X(cmark_node_get_heading_level)                                                            \
	X(cmark_node_get_literal)                                                                  \
	X(cmark_node_get_start_line)                                                               \
	X(cmark_node_get_type)                                                                     \
	X(cmark_node_get_type_string)                                                              \
	X(cmark_node_parent)                                                                       \
	X(cmark_parser_attach_syntax_extension)                                                    \
	X(cmark_parser_feed)                                                                       \
	X(cmark_parser_finish)                                                                     \
	X(cmark_parser_free)                                                                       \
	X(cmark_parser_get_syntax_extensions)                                                      \
	X(cmark_parser_new)                                                                        \
	X(cmark_render_html)

extern struct lazy_cmark {
	LAZY_CMARK(LAZY_POINTER)
} lazy_cmark;

#define cmark_find_syntax_extension lazy_cmark.cmark_find_syntax_extension
#define cmark_gfm_core_extensions_ensure_registered                                                \
	lazy_cmark.cmark_gfm_core_extensions_ensure_registered
#define cmark_iter_free lazy_cmark.cmark_iter_free
#define cmark_iter_get_event_type lazy_cmark.cmark_iter_get_event_type
#define cmark_iter_get_node lazy_cmark.cmark_iter_get_node
#define cmark_iter_new lazy_cmark.cmark_iter_new
#define cmark_iter_next lazy_cmark.cmark_iter_next
#define cmark_node_free lazy_cmark.cmark_node_free
#define cmark_node_get_end_line lazy_cmark.cmark_node_get_end_line
#define cmark_node_get_heading_level lazy_cmark.cmark_node_get_heading_level
#define cmark_node_get_literal lazy_cmark.cmark_node_get_literal
#define cmark_node_get_start_line lazy_cmark.cmark_node_get_start_line
#define cmark_node_get_type lazy_cmark.cmark_node_get_type
#define cmark_node_get_type_string lazy_cmark.cmark_node_get_type_string
#define cmark_node_parent lazy_cmark.cmark_node_parent
#define cmark_parser_attach_syntax_extension lazy_cmark.cmark_parser_attach_syntax_extension
#define cmark_parser_feed lazy_cmark.cmark_parser_feed
#define cmark_parser_finish lazy_cmark.cmark_parser_finish
#define cmark_parser_free lazy_cmark.cmark_parser_free
#define cmark_parser_get_syntax_extensions lazy_cmark.cmark_parser_get_syntax_extensions
#define cmark_parser_new lazy_cmark.cmark_parser_new
#define cmark_render_html lazy_cmark.cmark_render_html

int lazy_cmark_open(struct error *err);
