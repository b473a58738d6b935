/* The function table of SQLite. */
#include "base/system/library_sqlite.h"

LAZY_LIBRARY(lazy_sqlite, LAZY_SQLITE, "stores and profiler databases cannot be read")
