/* The memory of the results of one file. */
#include "ingest/collect/result_memory.h"

int result_memory_check(const struct arena *arena, size_t before, size_t results, struct error *err)
{
	if (arena->used - before <= result_memory_limit)
		return 0;
	return error_set(err, ERR_FORMAT,
			 "%zu results with different parameters need more than %d MiB of memory: "
			 "split the file",
			 results, result_memory_limit >> 20);
}
