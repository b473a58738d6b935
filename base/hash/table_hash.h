/* Fast hashes for tables in memory. For names of content see sha256.h. */
#pragma once

#include "base/base.h"

/* FNV-1a. The high bits are better distributed than the low ones. */
uint64_t table_hash_of(struct span bytes);
/* For tables with millions of searches: reads eight bytes at a time, all bits are well distributed.
 * The value depends on the machine's byte order, so it must not be stored. */
uint64_t table_hash_quickly(struct span bytes);
