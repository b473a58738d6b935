/* The table of libgit2. */
#include "vcs/libgit2/library.h"

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

LAZY_LIBRARY(lazy_libgit2, LAZY_LIBGIT2, "only the git program can answer")
