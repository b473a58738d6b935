/* SQLite's failures as one sentence each: the file, what went wrong, what to do about it. */
#ifndef DB_SQLITE_RESULT_CODE_H
#define DB_SQLITE_RESULT_CODE_H

#include "base/error.h"

struct sqlite3;

/* Sets the error of a SQLite result code; `handle` (may be NULL) adds what the system said. */
int fault_set(struct error *err, const char *path, struct sqlite3 *handle, int status);

#endif
