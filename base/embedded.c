/* Finds files that are compiled into the program. */
#include "base/embedded.h"

#include <assert.h>
#include <string.h>

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

const struct embedded_file *embedded_find(const struct embedded_file *table, const char *name)
{
	const struct embedded_file *found = NULL;
	for (; table->path; table++) {
		if (strcmp(last_part(table->path), name) != 0)
			continue;
		assert(!found);
		found = table;
	}
	return found;
}
