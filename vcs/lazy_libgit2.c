/* The table of libgit2. */
#include "vcs/lazy_libgit2.h"

struct lazy_libgit2 lazy_libgit2;

int lazy_libgit2_open(struct error *err)
{
	static struct lazy_library library = {
		.soname = LAZY_SONAME,
		.package = LAZY_PACKAGE,
		.without = "only the git program can answer",
		.names = LAZY_LIBGIT2(LAZY_NAME),
		.table = &lazy_libgit2,
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	return lazy_open(&library, err);
}
