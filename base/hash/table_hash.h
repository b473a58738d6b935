/* Hashes for tables in memory: quick, and no secret (see sha256.h). */
#pragma once

#include <stdint.h>

#include "base/base.h"

/* FNV-1a; the high bits are the better ones. */
uint64_t hash_of(struct span bytes);
/* For tables that are asked millions of times: eight bytes at a time, good in all bits, another
 * value on machines of another byte order. */
uint64_t hash_quickly(struct span bytes);
