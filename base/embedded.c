/* Look-up of compiled-in files. */
#include "base/embedded.h"

#include <string.h>

const struct embedded_file *embedded_find(const struct embedded_file *table, const char *path)
{
	for (; table->path; table++)
		if (strcmp(table->path, path) == 0)
			return table;
	return NULL;
}
