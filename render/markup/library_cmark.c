/* The table of cmark-gfm. */
#include "render/markup/library_cmark.h"

LAZY_LIBRARY(lazy_cmark, LAZY_CMARK, "no Markdown can be read")
