/* Foreign databases: what is asked of them, how they are opened, and how hostile ones end. */
#include "ingest/container/sqlite_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>
#include <zlib.h>

#include "ingest/reader.h"
#include "tests/unit/ingest_fixture.h"

/* The bytes of a database that the script makes, as a file. */
static char path[] = "/tmp/check_sqlite_file-XXXXXX";

static void make(const char *script)
{
	sqlite3 *db;
	if (strstr(path, "XXXXXX"))
		close(mkstemp(path));
	unlink(path);
	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_msg(sqlite3_exec(db, script, NULL, NULL, NULL) == SQLITE_OK, "%s: %s", script,
		      sqlite3_errmsg(db));
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}

static struct span bytes_of(struct arena *arena)
{
	struct error err;
	struct span bytes;
	struct input *input = input_open(path, &err);
	ck_assert_ptr_nonnull(input);
	ck_assert_int_eq(input_read_all(arena, input, 1 << 24, &bytes, &err), 0);
	input_close(input);
	return bytes;
}

struct sum {
	double numbers;
	char texts[256];
	int rows;
};

static int add(void *context, struct sqlite_row *row, struct error *err)
{
	struct sum *sum = context;
	struct span text = sqlite_file_row_text(row, 1);
	(void)err;
	if (!isnan(sqlite_file_row_number(row, 0)))
		sum->numbers += sqlite_file_row_number(row, 0);
	strncat(sum->texts, text.ptr, text.len);
	sum->rows++;
	return 0;
}

static void check_content(struct arena *arena, struct input *input)
{
	struct error err;
	struct sum sum = {0};
	struct sqlite_file *file = sqlite_file_open(arena, input, &err);
	ck_assert_msg(file != NULL, "%s", err.text);
	ck_assert_int_eq(sqlite_file_query(file, "SELECT a, b FROM t ORDER BY a", add, &sum, &err),
			 0);
	ck_assert_int_eq(sum.rows, 3);
	ck_assert(sum.numbers == 3.5);
	ck_assert_str_eq(sum.texts, "xyz");
	ck_assert_str_eq(sqlite_file_table(file, "t", false), "t");
	ck_assert_str_eq(sqlite_file_table(file, "long_", true), "long_name_7");
	ck_assert_ptr_null(sqlite_file_table(file, "long_", false));
	ck_assert_ptr_null(sqlite_file_table(file, "v", true));
	ck_assert_ptr_null(sqlite_file_table(file, "f", false));
	ck_assert(sqlite_file_has_column(file, "t", "b"));
	ck_assert(!sqlite_file_has_column(file, "t", "c"));
	struct strbuf sql = {0};
	sqlite_file_columns(file, &sql, "t", (const char *const[]){"b", "c", "a", NULL});
	ck_assert_str_eq(sql.buf, "t.\"b\", NULL, t.\"a\"");
	strbuf_free(&sql);
	ck_assert_int_eq(sqlite_file_close(file, 0, &err), 0);
	input_close(input);
}

static const char content[] = "CREATE TABLE t (a, b);"
			      "INSERT INTO t VALUES (1, 'x'), (2.5, 'yz'), (NULL, NULL);"
			      "CREATE TABLE long_name_7 (a);"
			      "CREATE VIRTUAL TABLE f USING fts5 (a);"
			      "CREATE VIEW v AS SELECT * FROM t;";

START_TEST(files_and_memory_give_the_same)
{
	struct arena arena = {0};
	struct error err;
	make(content);
	check_content(&arena, input_open(path, &err));
	check_content(&arena, input_of_bytes(bytes_of(&arena)));
	make("PRAGMA journal_mode = wal;");
	make(content);
	struct span bytes = bytes_of(&arena);
	char *wal = arena_strndup(&arena, bytes.ptr, bytes.len);
	wal[18] = wal[19] = 2;
	check_content(&arena, input_of_bytes((struct span){wal, bytes.len}));
	gzFile packed = gzopen(path, "wb");
	ck_assert_int_eq(gzwrite(packed, bytes.ptr, (unsigned)bytes.len), (int)bytes.len);
	gzclose(packed);
	check_content(&arena, input_open(path, &err));
	unlink(path);
	arena_free(&arena);
}
END_TEST

START_TEST(odd_paths)
{
	static const char odd[] = "/tmp/check sqlite#file?mode=rwc%41.db";
	struct arena arena = {0};
	struct error err;
	make(content);
	ck_assert_int_eq(rename(path, odd), 0);
	check_content(&arena, input_open(odd, &err));
	check_content(&arena, input_open(arena_printf(&arena, "//%s", odd), &err));
	unlink(odd);
	arena_free(&arena);
}
END_TEST

/* A query over what the file made must fail with the message, soon. */
static const struct {
	const char *script, *sql, *message;
} refusals[] = {
	{content, "SELECT a, b FROM v", "the database cannot be read: access to view"},
	{content, "INSERT INTO t VALUES (1, 2)", "attempt to write a readonly database"},
	{content, "SELECT a, \"nothing\" FROM t", "no such column: nothing"},
	{content, "ATTACH 'x' AS y", "too many attached databases"},
	{content, "SELECT load_extension('x')", "not authorized"},
	{"CREATE TABLE t (a, b); WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
	 "LIMIT "
	 "3000) INSERT INTO t SELECT i, i FROM n;",
	 "SELECT count(*), 'x' FROM t, t AS u, t AS w", "a query takes more than 400000000 steps"},
};

START_TEST(hostile_queries_end)
{
	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct sum sum = {0};
		make(refusals[i].script);
		struct input *input = input_open(path, &err);
		struct sqlite_file *file = sqlite_file_open(&arena, input, &err);
		ck_assert_msg(file != NULL, "%s", err.text);
		ck_assert_int_lt(sqlite_file_query(file, refusals[i].sql, add, &sum, &err), 0);
		ck_assert_msg(strstr(err.text, refusals[i].message) != NULL, "%s: %s",
			      refusals[i].sql, err.text);
		ck_assert_int_eq(sqlite_file_close(file, -1, &err), -1);
		input_close(input);
		arena_free(&arena);
	}
	unlink(path);
}
END_TEST

START_TEST(no_database)
{
	static const char *const texts[] = {"", "SQLite format 3", "hello"};
	static const char *const words[] = {"CREATE", NULL};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct arena arena = {0};
		struct error err = {0};
		char page[4096] = {0};
		struct input *input = input_of_bytes((struct span){page, i ? sizeof page : 9});
		memcpy(page, texts[i], strlen(texts[i]));
		page[i ? 100 : 0] = 'x';
		ck_assert_ptr_null(sqlite_file_open(&arena, input, &err));
		ck_assert_msg(strstr(err.text, "the database cannot be read") != NULL, "%s",
			      err.text);
		ck_assert(!sqlite_file_looks_like((struct span){page, sizeof page}, words));
		input_close(input);
		arena_free(&arena);
	}
}
END_TEST

/* --- Nsight Systems --- */

/* A process that sees only the second GPU calls it 0: its global pid has 7 in the middle. */
START_TEST(nsys_devices)
{
	make("CREATE TABLE TARGET_INFO_GPU (id, name, memoryBandwidth);"
	     "INSERT INTO TARGET_INFO_GPU VALUES (0, 'Tesla T4', 320e9), (1, 'NVIDIA L4', 300e9);"
	     "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId, cudaId, pid);"
	     "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 6), (1, 1, 6), (1, 0, 7);"
	     "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value);"
	     "INSERT INTO StringIds VALUES (1, 'a'), (2, 'b'), (3, 'c');"
	     "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\", deviceId, globalPid, "
	     "shortName);"
	     "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (0, 30, 0, 281474976710656 + (7 << "
	     "24), "
	     "1), (0, 20, 0, 281474976710656 + (6 << 24), 2), (0, 10, 1, NULL, 3);");
	struct error err;
	struct ingest_outcome out = ingest_input(&nsys_sqlite_reader, input_open(path, &err));
	ck_assert_msg(out.rc == 0, "%s", out.err.text);
	ck_assert_uint_eq(out.result.runs.count, 3);
	ck_assert_str_eq(out.result.runs.items[0]->device, "NVIDIA L4");
	ck_assert_str_eq(out.result.runs.items[1]->device, "Tesla T4");
	ck_assert_str_eq(out.result.runs.items[2]->device, "NVIDIA L4");
	ck_assert(out.result.runs.items[0]->given[METRIC_PEAK_BANDWIDTH].number == 300e9);
	arena_free(&out.arena);
	unlink(path);
}
END_TEST

/* Only the first 1,024 rows of the table are read, so that a foreign one costs no memory. */
START_TEST(nsys_versions)
{
	make("CREATE TABLE META_DATA_EXPORT (name, value);"
	     "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_VERSION', '2024.5');"
	     "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1023)"
	     "INSERT INTO META_DATA_EXPORT SELECT 'foreign', i FROM n;"
	     "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.15');"
	     "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value);"
	     "INSERT INTO StringIds VALUES (1, 'a');"
	     "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\", deviceId, shortName);"
	     "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (0, 30, 0, 1);");
	struct error err;
	struct ingest_outcome out = ingest_input(&nsys_sqlite_reader, input_open(path, &err));
	ck_assert_msg(out.rc == 0, "%s", out.err.text);
	ck_assert_str_eq(run_attribute(out.result.runs.items[0], "nsys_version"), "2024.5");
	ck_assert_ptr_null(run_attribute(out.result.runs.items[0], "nsys_schema_version"));
	arena_free(&out.arena);
	unlink(path);
}
END_TEST

UNIT_MAIN("sqlite_file", files_and_memory_give_the_same, odd_paths, hostile_queries_end,
	  no_database, nsys_devices, nsys_versions)
