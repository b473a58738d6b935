/* Checks the schema version of a store and raises it to the newest. */
#include "db/sqlite/migrate.h"

#include "base/base.h"

static const char schema_folder[] = "db/schema/";

int schema_version(void)
{
	int version = 0;
	for (const struct embedded_file *file = db_files; file->path; file++)
		version += span_starts(span_of(file->path), schema_folder);
	return version;
}

static int refuse_stranger(struct sql *sql, int64_t application, struct error *err)
{
	if (application)
		return error_set(err, ERR_STORE,
				 "%s: the file is a database of another program (application id "
				 "0x%08x), not a rooflog store; give another path with --store",
				 sql_path(sql), (unsigned)application);
	return error_set(err, ERR_STORE,
			 "%s: the file is a database of another program, not a rooflog store; give "
			 "another path with --store",
			 sql_path(sql));
}

static int check(struct sql *sql, int *version, struct error *err)
{
	int64_t application = 0, number = 0, tables = 0;
	if (sql_number(sql, "PRAGMA application_id", &application, err) < 0 ||
	    sql_number(sql, "PRAGMA user_version", &number, err) < 0)
		return -1;
	if (application != STORE_APPLICATION_ID) {
		struct query query = query_start(sql, "store/tables_of_others");
		if (query_find(&query, &tables, err) < 0)
			return -1;
		if (application || number || tables)
			return refuse_stranger(sql, application, err);
	}
	if (number > schema_version())
		return error_set(
			err, ERR_STORE,
			"%s: the store was written by a newer rooflog: its schema is "
			"version %lld, this program knows versions up to %d; update rooflog",
			sql_path(sql), (long long)number, schema_version());
	if (number < 0)
		return refuse_stranger(sql, application, err);
	if (schema_compare(sql, (int)number, err) < 0)
		return -1;
	*version = (int)number;
	return 0;
}

/* The application id, the version and the tables are read under one lock, because another program
 * may be creating the store at this moment. */
int schema_check(struct sql *sql, int *version, struct error *err)
{
	struct error ignored;
	if (sql_execute(sql, "SAVEPOINT marks", err) < 0)
		return -1;
	int failed = check(sql, version, err);
	sql_execute(sql, "RELEASE marks", &ignored);
	return failed;
}

/* db_files is sorted by path, so the schema files appear in the order of their numbers. */
int schema_run(struct sql *sql, int from, int to, struct error *err)
{
	int number = 0;
	for (const struct embedded_file *file = db_files; file->path; file++) {
		if (!span_starts(span_of(file->path), schema_folder) || ++number <= from ||
		    number > to)
			continue;
		if (sql_execute(sql, file->text, err) < 0)
			return error_prefix(err, "migration to version %d", number);
	}
	return 0;
}

static int mark(struct sql *sql, struct error *err)
{
	char text[96];
	snprintf(text, sizeof text, "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 STORE_APPLICATION_ID, schema_version());
	return sql_execute(sql, text, err);
}

static int migrate(struct sql *sql, struct migration_rest rest, struct error *err)
{
	int version = 0;
	if (schema_check(sql, &version, err) < 0)
		return -1;
	if (version == schema_version())
		return 0;
	if (schema_run(sql, version, schema_version(), err) < 0 ||
	    rest.run(rest.context, version, err) < 0)
		return -1;
	return mark(sql, err);
}

int schema_migrate(struct sql *sql, struct migration_rest rest, struct error *err)
{
	struct error ignored;
	if (sql_execute(sql, "BEGIN IMMEDIATE", err) < 0)
		return -1;
	if (migrate(sql, rest, err) == 0 && sql_execute(sql, "COMMIT", err) == 0)
		return 0;
	sql_execute(sql, "ROLLBACK", &ignored);
	return -1;
}
