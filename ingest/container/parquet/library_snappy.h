/* The functions of libsnappy in use. The library is loaded on first use (base/system/library.h). */
#pragma once

#include <snappy-c.h>

#include "base/base.h"
#include "base/system/system.h"

#define LAZY_SNAPPY(X)                                                                             \
	X(snappy_uncompress)                                                                       \
	X(snappy_uncompressed_length)

extern struct lazy_snappy {
	LAZY_SNAPPY(LAZY_POINTER)
} lazy_snappy;

#define snappy_uncompress lazy_snappy.snappy_uncompress
#define snappy_uncompressed_length lazy_snappy.snappy_uncompressed_length

int lazy_snappy_open(struct error *err);
