/* The function table of ISA-L. */
#include "ingest/bytes/library_isal.h"

LAZY_LIBRARY(lazy_isal, LAZY_ISAL, ".gz files cannot be read")
