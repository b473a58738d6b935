/* Memory outside of arenas: for data of many megabytes that is freed long before its arena. */
#pragma once

#include <stddef.h>

/* count * size zeroed bytes, which the caller ends with free(). Never NULL: if memory runs out, the
 * process aborts. */
void *memory_allocate(size_t count, size_t size);
/* `size` bytes that are not zeroed, otherwise the same. */
void *memory_buffer(size_t size);
