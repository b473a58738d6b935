/* Turns SQLite's result codes into messages: the file, what went wrong, what to do about it. */
#pragma once

#include "base/base.h"

struct sqlite3;

/* Sets *err from a result code other than SQLITE_OK, extended or primary, and returns -1. `handle`
 * is the connection that failed; it adds the message of the operating system. It may be NULL. */
int result_code_set(struct error *err, const char *path, struct sqlite3 *handle, int status);

/* What to do about a damaged store. */
const char *result_code_advice(void);
