/* Waits for the locks of other processes as long as these make progress. */
#pragma once

#include "base/base.h"

#include <sys/stat.h>

struct sqlite3;

enum { SQL_WAIT_FILES = 3 }; /* the database, its log and its journal */

/* One wait after another; times are in milliseconds and count pauses only. Set `path`, `file` and
 * `patience`, the rest is zero. */
struct sql_wait {
	const char *path;                  /* the database, as it is named to the user */
	const char *file;                  /* the same without links */
	int patience;                      /* how long to wait while no file changes */
	int waited;                        /* since this wait began */
	int idle;                          /* since a file was last seen to change */
	struct stat files[SQL_WAIT_FILES]; /* as they were last seen; zero: missing */
};

/* From now on the connection waits by these rules. The wait must outlive the connection. */
void sql_wait_attach(struct sql_wait *wait, struct sqlite3 *handle);
