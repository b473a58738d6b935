/* Which file systems can hold a write-ahead log. */
#ifndef DB_SQLITE_FILESYSTEM_H
#define DB_SQLITE_FILESYSTEM_H

#include <stdbool.h>

/* False when the file lies on a network file system, whose mapped memory other machines do not
 * see; true when that cannot be told. */
bool filesystem_is_local(const char *path);

#endif
