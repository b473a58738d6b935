/* Files that are compiled into the program: SQL statements and templates. */
#ifndef BASE_EMBEDDED_H
#define BASE_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
	const char *path; /* from the source root: "db/queries/run/runs.sql"; NULL ends a table */
	const char *text; /* NUL-terminated */
	size_t len;
};

/* The entry of a table (which ends with a NULL path) whose file has this name, in any folder; NULL
 * if there is none. At most one entry may have the name. */
const struct embedded_file *embedded_find(const struct embedded_file *table, const char *name);

#endif
