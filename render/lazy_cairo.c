/* The table of Cairo. */
#include "render/lazy_cairo.h"

LAZY_LIBRARY(lazy_cairo, LAZY_CAIRO, "charts can only be SVG")
