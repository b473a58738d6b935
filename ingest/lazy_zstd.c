/* The table of libzstd. */
#include "ingest/lazy_zstd.h"

struct lazy_zstd lazy_zstd;

int lazy_zstd_open(struct error *err)
{
	static struct lazy_library library = {
		.soname = LAZY_SONAME,
		.package = LAZY_PACKAGE,
		.without = "no .zst file can be read",
		.names = LAZY_ZSTD(LAZY_NAME),
		.table = &lazy_zstd,
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	return lazy_open(&library, err);
}
