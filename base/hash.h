/* A hash for tables in memory: quick, the same everywhere, and no secret (see sha256.h). */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdint.h>

#include "base/span.h"

/* FNV-1a; the high bits are the better ones. */
uint64_t hash_of(struct span bytes);

#endif
