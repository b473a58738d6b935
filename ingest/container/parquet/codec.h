/* The compressions of pages. */
#pragma once

#include "base/base.h"

enum { PARQUET_UNCOMPRESSED = 0 };

/* Unpacks bytes that are `size` bytes without compression; `bytes` has room for one more. -1 and
 * *err if they are damaged, are another number of bytes, or the codec is not supported. */
int parquet_unpack(int codec, struct span packed, char *bytes, size_t size, struct error *err);
