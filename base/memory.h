/* Memory outside of arenas: for data of many megabytes that is freed long before its arena. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* count * size zeroed bytes, which the caller ends with free(). Never NULL: if memory runs out, the
 * process aborts. */
void *memory_allocate(size_t count, size_t size);

#endif
