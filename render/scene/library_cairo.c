/* The table of Cairo. */
#include "render/scene/library_cairo.h"

LAZY_LIBRARY(lazy_cairo, LAZY_CAIRO, "charts can only be SVG")
