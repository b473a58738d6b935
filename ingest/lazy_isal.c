/* The table of ISA-L. */
#include "ingest/lazy_isal.h"

struct lazy_isal lazy_isal;

int lazy_isal_open(struct error *err)
{
	static struct lazy_library library = {
		.soname = LAZY_SONAME,
		.package = LAZY_PACKAGE,
		.without = "no .gz file can be read",
		.names = LAZY_ISAL(LAZY_NAME),
		.table = &lazy_isal,
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	return lazy_open(&library, err);
}
