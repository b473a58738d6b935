/* The table of cmark-gfm. */
#include "render/lazy_cmark.h"

LAZY_LIBRARY(lazy_cmark, LAZY_CMARK, "no Markdown can be read")
