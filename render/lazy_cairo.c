/* The table of Cairo. */
#include "render/lazy_cairo.h"

struct lazy_cairo lazy_cairo;

int lazy_cairo_open(struct error *err)
{
	static struct lazy_library library = {
		.soname = LAZY_SONAME,
		.package = LAZY_PACKAGE,
		.without = "charts can only be SVG",
		.names = LAZY_CAIRO(LAZY_NAME),
		.table = &lazy_cairo,
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	return lazy_open(&library, err);
}
