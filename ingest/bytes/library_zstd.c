/* The function table of libzstd. */
#include "ingest/bytes/library_zstd.h"

LAZY_LIBRARY(lazy_zstd, LAZY_ZSTD, ".zst files cannot be read")
