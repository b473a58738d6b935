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
/* The version of an open file; 0 if it is empty. ERR_STORE for a database of another program, for a
 * store with a newer version, and for one whose objects are not those of its version. */
int schema_check(struct sql *sql, int *version, struct error *err);
/* What a migration does that SQL cannot; called in its transaction when the tables are there. */
struct migration_rest {
	int (*run)(void *context, int from, struct error *err);
	void *context;
};
/* Runs the missing migrations. The same transaction reads the version, so that two programs cannot
 * both migrate. After a failure the file is unchanged. */
int schema_migrate(struct sql *sql, struct migration_rest rest, struct error *err);

/* Runs the schema files after version `from` up to version `to`. */
int schema_run(struct sql *sql, int from, int to, struct error *err);
/* ERR_STORE, with the name of the object, unless the tables, indexes and so on of the file are
 * exactly those of the version. */
int schema_compare(struct sql *sql, int version, struct error *err);
/* The checksum by which schema_compare() knows the newest version, and that of the file. */
int schema_seal(struct sql *sql, int64_t *known, int64_t *computed, struct error *err);
