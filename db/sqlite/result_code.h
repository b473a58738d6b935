/* Turns SQLite's result codes into messages: the file, what went wrong, what to do about it. */
#ifndef DB_SQLITE_RESULT_CODE_H
#define DB_SQLITE_RESULT_CODE_H

#include "base/error.h"

struct sqlite3;

/* Sets *err from a result code other than SQLITE_OK, extended or primary, and returns -1. `handle`
 * is the connection that failed; it adds the message of the operating system. It may be NULL. */
int fault_set(struct error *err, const char *path, struct sqlite3 *handle, int status);

#endif
