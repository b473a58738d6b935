/* The function table of libgit2. */
#include "vcs/libgit2/library.h"

LAZY_LIBRARY(lazy_libgit2, LAZY_LIBGIT2, "only the git program can answer")
