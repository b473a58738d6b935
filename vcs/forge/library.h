/* The functions of libcurl in use. The library is loaded on first use (base/system/library.h). */
#pragma once

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
/* Macros that only count arguments. */
#undef curl_easy_getinfo
#undef curl_easy_setopt

#include "base/base.h"
#include "base/system/system.h"

#define LAZY_CURL(X)                                                                               \
	X(curl_easy_cleanup)                                                                       \
	X(curl_easy_getinfo)                                                                       \
	X(curl_easy_init)                                                                          \
	X(curl_easy_perform)                                                                       \
	X(curl_easy_setopt)                                                                        \
	X(curl_easy_strerror)                                                                      \
	X(curl_global_init)                                                                        \
	X(curl_slist_append)                                                                       \
	X(curl_slist_free_all)

extern struct lazy_curl {
	LAZY_CURL(LAZY_POINTER)
} lazy_curl;

#define curl_easy_cleanup lazy_curl.curl_easy_cleanup
#define curl_easy_getinfo lazy_curl.curl_easy_getinfo
#define curl_easy_init lazy_curl.curl_easy_init
#define curl_easy_perform lazy_curl.curl_easy_perform
#define curl_easy_setopt lazy_curl.curl_easy_setopt
#define curl_easy_strerror lazy_curl.curl_easy_strerror
#define curl_global_init lazy_curl.curl_global_init
#define curl_slist_append lazy_curl.curl_slist_append
#define curl_slist_free_all lazy_curl.curl_slist_free_all

int lazy_curl_open(struct error *err);
