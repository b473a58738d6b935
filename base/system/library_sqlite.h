/*
 * The functions of SQLite that the program uses; the library is loaded on first use
 * (base/system/library.h). Two layers use it: db for the store, ingest for databases of profilers.
 *
 * Never add policy: what to read, run or write is the caller's decision.
 */
#pragma once

#include <sqlite3.h>

#include "base/base.h"
#include "base/system/library.h"

#define LAZY_SQLITE(X)                                                                             \
	X(sqlite3_backup_finish)                                                                   \
	X(sqlite3_backup_init)                                                                     \
	X(sqlite3_backup_step)                                                                     \
	X(sqlite3_bind_blob64)                                                                     \
	X(sqlite3_bind_double)                                                                     \
	X(sqlite3_bind_int64)                                                                      \
	X(sqlite3_bind_text)                                                                       \
	X(sqlite3_bind_text64)                                                                     \
	X(sqlite3_bind_zeroblob)                                                                   \
	X(sqlite3_busy_handler)                                                                    \
	X(sqlite3_changes64)                                                                       \
	X(sqlite3_clear_bindings)                                                                  \
	X(sqlite3_close)                                                                           \
	X(sqlite3_column_blob)                                                                     \
	X(sqlite3_column_bytes)                                                                    \
	X(sqlite3_column_count)                                                                    \
	X(sqlite3_column_double)                                                                   \
	X(sqlite3_column_int64)                                                                    \
	X(sqlite3_column_name)                                                                     \
	X(sqlite3_column_text)                                                                     \
	X(sqlite3_column_type)                                                                     \
	X(sqlite3_db_config)                                                                       \
	X(sqlite3_db_filename)                                                                     \
	X(sqlite3_db_readonly)                                                                     \
	X(sqlite3_deserialize)                                                                     \
	X(sqlite3_errcode)                                                                         \
	X(sqlite3_errmsg)                                                                          \
	X(sqlite3_errstr)                                                                          \
	X(sqlite3_exec)                                                                            \
	X(sqlite3_extended_result_codes)                                                           \
	X(sqlite3_finalize)                                                                        \
	X(sqlite3_get_autocommit)                                                                  \
	X(sqlite3_last_insert_rowid)                                                               \
	X(sqlite3_limit)                                                                           \
	X(sqlite3_open_v2)                                                                         \
	X(sqlite3_prepare_v2)                                                                      \
	X(sqlite3_prepare_v3)                                                                      \
	X(sqlite3_progress_handler)                                                                \
	X(sqlite3_reset)                                                                           \
	X(sqlite3_step)                                                                            \
	X(sqlite3_system_errno)

extern struct lazy_sqlite {
	LAZY_SQLITE(LAZY_POINTER)
} lazy_sqlite;

#define sqlite3_backup_finish lazy_sqlite.sqlite3_backup_finish
#define sqlite3_backup_init lazy_sqlite.sqlite3_backup_init
#define sqlite3_backup_step lazy_sqlite.sqlite3_backup_step
#define sqlite3_bind_blob64 lazy_sqlite.sqlite3_bind_blob64
#define sqlite3_bind_double lazy_sqlite.sqlite3_bind_double
#define sqlite3_bind_int64 lazy_sqlite.sqlite3_bind_int64
#define sqlite3_bind_text lazy_sqlite.sqlite3_bind_text
#define sqlite3_bind_text64 lazy_sqlite.sqlite3_bind_text64
#define sqlite3_bind_zeroblob lazy_sqlite.sqlite3_bind_zeroblob
#define sqlite3_busy_handler lazy_sqlite.sqlite3_busy_handler
#define sqlite3_changes64 lazy_sqlite.sqlite3_changes64
#define sqlite3_clear_bindings lazy_sqlite.sqlite3_clear_bindings
#define sqlite3_close lazy_sqlite.sqlite3_close
#define sqlite3_column_blob lazy_sqlite.sqlite3_column_blob
#define sqlite3_column_bytes lazy_sqlite.sqlite3_column_bytes
#define sqlite3_column_count lazy_sqlite.sqlite3_column_count
#define sqlite3_column_double lazy_sqlite.sqlite3_column_double
#define sqlite3_column_int64 lazy_sqlite.sqlite3_column_int64
#define sqlite3_column_name lazy_sqlite.sqlite3_column_name
#define sqlite3_column_text lazy_sqlite.sqlite3_column_text
#define sqlite3_column_type lazy_sqlite.sqlite3_column_type
#define sqlite3_db_config lazy_sqlite.sqlite3_db_config
#define sqlite3_db_filename lazy_sqlite.sqlite3_db_filename
#define sqlite3_db_readonly lazy_sqlite.sqlite3_db_readonly
#define sqlite3_deserialize lazy_sqlite.sqlite3_deserialize
#define sqlite3_errcode lazy_sqlite.sqlite3_errcode
#define sqlite3_errmsg lazy_sqlite.sqlite3_errmsg
#define sqlite3_errstr lazy_sqlite.sqlite3_errstr
#define sqlite3_exec lazy_sqlite.sqlite3_exec
#define sqlite3_extended_result_codes lazy_sqlite.sqlite3_extended_result_codes
#define sqlite3_finalize lazy_sqlite.sqlite3_finalize
#define sqlite3_get_autocommit lazy_sqlite.sqlite3_get_autocommit
#define sqlite3_last_insert_rowid lazy_sqlite.sqlite3_last_insert_rowid
#define sqlite3_limit lazy_sqlite.sqlite3_limit
#define sqlite3_open_v2 lazy_sqlite.sqlite3_open_v2
#define sqlite3_prepare_v2 lazy_sqlite.sqlite3_prepare_v2
#define sqlite3_prepare_v3 lazy_sqlite.sqlite3_prepare_v3
#define sqlite3_progress_handler lazy_sqlite.sqlite3_progress_handler
#define sqlite3_reset lazy_sqlite.sqlite3_reset
#define sqlite3_step lazy_sqlite.sqlite3_step
#define sqlite3_system_errno lazy_sqlite.sqlite3_system_errno

int lazy_sqlite_open(struct error *err);
