/*
 * The schema of a store and its versions.
 *
 * Version N is the result of running db/schema/0001_*.sql to db/schema/NNNN_*.sql in order. Schema
 * files are only appended, never edited. A store has its version in PRAGMA user_version and
 * STORE_APPLICATION_ID in PRAGMA application_id.
 *
 * Never add tables or rows of a particular kind.
 */
#pragma once

#include "base/base.h"
#include "db/sqlite/sqlite.h"

enum { STORE_APPLICATION_ID = 0x726f6f66 }; /* "roof" */

/* The newest version that this program knows: the number of files in db/schema. */
int schema_version(void);
/* The version of an open file; 0 if it is empty. ERR_STORE for a database of another program and
 * for a store with a newer version. */
int schema_check(struct sql *sql, int *version, struct error *err);
/* Runs the missing migrations. The same transaction reads the version, so that two programs cannot
 * both migrate. After a failure the file is unchanged. */
int schema_migrate(struct sql *sql, struct error *err);
