/* Files that the build compiled in: SQL statements, templates. */
#pragma once

#include <stddef.h>

struct embedded_file {
	const char *path; /* from the source root: "db/queries/run/runs.sql"; NULL ends a table */
	const char *text; /* NUL-terminated */
	size_t len;
};

/* The entry of a NULL-ended table whose path ends in this name, in whatever folder it lies; NULL
 * when there is none. No two entries may have the name that is asked for. */
const struct embedded_file *embedded_find(const struct embedded_file *table, const char *name);
