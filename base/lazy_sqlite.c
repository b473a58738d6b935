/* The table of SQLite. */
#include "base/lazy_sqlite.h"

struct lazy_sqlite lazy_sqlite;

int lazy_sqlite_open(struct error *err)
{
	static struct lazy_library library = {
		.soname = LAZY_SONAME,
		.package = LAZY_PACKAGE,
		.without = "neither a store nor a profiler's database can be read",
		.names = LAZY_SQLITE(LAZY_NAME),
		.table = &lazy_sqlite,
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	return lazy_open(&library, err);
}
