/* The table of cmark-gfm. */
#include "render/lazy_cmark.h"

struct lazy_cmark lazy_cmark;

int lazy_cmark_open(struct error *err)
{
	static struct lazy_library library = {
		.soname = LAZY_SONAME,
		.package = LAZY_PACKAGE,
		.without = "no Markdown can be read",
		.names = LAZY_CMARK(LAZY_NAME),
		.table = &lazy_cmark,
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	return lazy_open(&library, err);
}
