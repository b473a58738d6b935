/* The table of Pango and Cairo. */
#include "render/scene/library_pangocairo.h"

LAZY_LIBRARY(lazy_pangocairo, LAZY_PANGOCAIRO, "charts can only be SVG")
