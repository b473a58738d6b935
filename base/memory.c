/* calloc() and malloc() that abort the process if memory runs out, as arenas do. */
#include "base/memory.h"

#include <stdlib.h>

void *memory_allocate(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);
	if (!memory)
		abort();
	return memory;
}

void *memory_buffer(size_t size)
{
	void *memory = malloc(size ? size : 1);
	if (!memory)
		abort();
	return memory;
}
