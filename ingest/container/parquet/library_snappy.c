/* The function table of libsnappy. */
#include "ingest/container/parquet/library_snappy.h"

LAZY_LIBRARY(lazy_snappy, LAZY_SNAPPY, "Parquet files with Snappy cannot be read")
