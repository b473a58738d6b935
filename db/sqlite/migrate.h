/*
 * The schema of a store and its versions. Version N is db/schema/NNNN_*.sql run
 * after all files before it; the files are appended and never edited. A store
 * carries its version in user_version and says that it is ours in application_id.
 */
#ifndef DB_SQLITE_MIGRATE_H
#define DB_SQLITE_MIGRATE_H

#include "base/error.h"
#include "db/sqlite/sqlite.h"

enum { STORE_APPLICATION_ID = 0x726f6f66 }; /* "roof" */

/* The newest version this program knows. */
int schema_version(void);
/* The version of an open file; 0 for an empty one. Refuses a file of somebody else and a store
 * of a newer program. */
int schema_check(struct sql *sql, int *version, struct error *err);
/* Runs the missing migrations in one transaction that also reads the version. */
int schema_migrate(struct sql *sql, struct error *err);

#endif
