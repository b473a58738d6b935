/* The function table of libcurl. */
#include "vcs/forge/library.h"

LAZY_LIBRARY(lazy_curl, LAZY_CURL, "comments and notifications cannot be sent")
