/* The function table of libpq. */
#include "db/postgres/library.h"

LAZY_LIBRARY(lazy_libpq, LAZY_LIBPQ, "stores on a PostgreSQL server cannot be used")
