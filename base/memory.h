/* Memory outside arenas, for what grows to megabytes and ends before its arena does. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* Zeroed, for free(); never NULL: without memory the program ends. */
void *memory_allocate(size_t count, size_t size);

#endif
