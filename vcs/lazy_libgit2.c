/* The table of libgit2. */
#include "vcs/lazy_libgit2.h"

struct lazy_libgit2 lazy_libgit2;

/* When libgit2 starts, it reads all certificates of the system, for transports that nothing here
 * uses: nine tenths of its start. Where its TLS library is Mbed TLS (Debian), this function of the
 * program comes before that of the library, as CMakeLists.txt exports it, and there are none. */
int mbedtls_x509_crt_parse_file(void *chain, const char *path);

int mbedtls_x509_crt_parse_file(void *chain, const char *path)
{
	enum { MBEDTLS_ERR_X509_FILE_IO_ERROR = -0x2900 };
	(void)chain;
	(void)path;
	return MBEDTLS_ERR_X509_FILE_IO_ERROR;
}

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
