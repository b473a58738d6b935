/* Which of 64 masks are not 0, and which have their highest bit set, for json_blocks.h. */
#ifndef INGEST_JSON_BLOCKS_IN_USE_H
#define INGEST_JSON_BLOCKS_IN_USE_H

#include <stdint.h>

static inline uint64_t masks_in_use(const uint64_t *masks)
{
	uint64_t used = 0;
	for (int i = 0; i < 64; i++)
		used |= (uint64_t)(masks[i] != 0) << i;
	return used;
}

static inline uint64_t masks_signs(const uint64_t *masks)
{
	uint64_t signs = 0;
	for (int i = 0; i < 64; i++)
		signs |= masks[i] >> 63 << i;
	return signs;
}

#endif
