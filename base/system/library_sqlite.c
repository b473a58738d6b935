/* The function table of SQLite. */
#include "base/system/library_sqlite.h"

LAZY_LIBRARY(lazy_sqlite, LAZY_SQLITE, "neither a store nor a profiler's database can be read")
