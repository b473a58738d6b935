/* store: files that are refused, crashes, full disks, missing permissions, other processes. */
#include "unit/store_fixture.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/system/file.h"
#include "db/sqlite/migrate.h"
#include "db/sqlite/sqlite.h"
#include "db/store/internal.h"

static void write_text(const char *path, const char *text)
{
	struct error err = {0};
	MUST(file_write(path, span_of(text), &err));
}

/* Makes a database by statements, without the store. */
static void write_database(const char *path, const char *text)
{
	struct error err = {0};
	struct sql *sql;
	MUST(sql_open(path, SQL_CREATE, &sql, &err));
	MUST(sql_execute(sql, text, &err));
	sql_close(sql);
}

static bool is_there(const struct repository_path *place, const char *suffix)
{
	char path[128];
	snprintf(path, sizeof path, "%s%s", place->path, suffix);
	return access(path, F_OK) == 0;
}

static int64_t runs_in(const struct repository_path *place)
{
	struct error err = {0};
	struct store_counts counts;
	struct arena arena = {0};
	const char *report;
	struct store *store = open_store(place, STORE_READ);
	MUST(store_counts(store, &counts, &err));
	MUST(store_check(store, &arena, &report, &err));
	ck_assert_str_eq(report, "ok");
	store_close(store);
	arena_free(&arena);
	return counts.runs;
}

static void add_numbered(struct store *store, int first, int count)
{
	struct arena arena = {0};
	for (int i = first; i < first + count; i++)
		ck_assert(add_run(store, simple_run(&arena, "k", 1, i)));
	arena_free(&arena);
}

/* A store with one commit and ten runs. */
static void make_store(const struct repository_path *place)
{
	struct store *store = open_store(place, STORE_CREATE);
	add_commit(store, 1);
	add_numbered(store, 0, 10);
	store_close(store);
}

START_TEST(a_store_is_made_and_is_one_file)
{
	static const bool exists[] = {false, true};
	for (size_t i = 0; i < COUNT_OF_ROWS(exists); i++) {
		struct repository_path place;
		place_make(&place);
		if (exists[i])
			write_text(place.path, "");
		make_store(&place);
		ck_assert(!is_there(&place, "-wal"));
		ck_assert(!is_there(&place, "-shm"));
		struct store *store = open_store(&place, STORE_WRITE);
		ck_assert_int_eq(store_version(store), schema_version());
		ck_assert(sql_answers(store->sql, "PRAGMA journal_mode", "wal"));
		ck_assert(sql_answers(store->sql, "PRAGMA foreign_keys", "1"));
		ck_assert(sql_answers(store->sql, "PRAGMA synchronous", "3")); /* EXTRA */
		store_close(store);
		store = open_store(&place, STORE_READ);
		ck_assert_int_eq(store_version(store), schema_version());
		store_close(store);
		ck_assert(!is_there(&place, "-wal"));
		ck_assert(!is_there(&place, "-shm"));
		ck_assert_int_eq(runs_in(&place), 10);
		place_remove(&place);
	}
}
END_TEST

START_TEST(strange_files_are_refused_and_left_alone)
{
	static const struct {
		const char *database, *text; /* statements, or the bytes of the file */
		enum store_mode mode;
		const char *words[2];
	} rows[] = {
		{NULL, NULL, STORE_READ, {"no store here", "rooflog init"}},
		{NULL, NULL, STORE_WRITE, {"no store here", "rooflog init"}},
		{NULL, "", STORE_READ, {"schema version 0", "`rooflog init`"}},
		{NULL,
		 "{\"not\": \"a database\"}, but long enough to have a header, and then some "
		 "more text so that a whole page header of one hundred bytes could be read",
		 STORE_CREATE,
		 {"not a rooflog store", "--store"}},
		{NULL, "short", STORE_READ, {"not a rooflog store", "--store"}},
		{"CREATE TABLE t (a)", NULL, STORE_CREATE, {"of another program", "--store"}},
		{"CREATE TABLE t (a); PRAGMA application_id = 7",
		 NULL,
		 STORE_CREATE,
		 {"application id 0x00000007", "--store"}},
		{"PRAGMA user_version = 1", NULL, STORE_WRITE, {"of another program", "--store"}},
		{"PRAGMA application_id = 1919905638; PRAGMA user_version = 99; CREATE TABLE t (a)",
		 NULL,
		 STORE_WRITE,
		 {"schema is version 99", "versions up to 8; update rooflog"}},
		{"PRAGMA application_id = 1919905638; PRAGMA user_version = 99; CREATE TABLE t (a)",
		 NULL,
		 STORE_READ,
		 {"schema is version 99", "versions up to 8; update rooflog"}},
	};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct span before = {0}, after = {0};
		struct store *store = NULL;
		struct repository_path place;
		bool made = rows[i].database || rows[i].text;
		place_make(&place);
		if (rows[i].database)
			write_database(place.path, rows[i].database);
		else if (made)
			write_text(place.path, rows[i].text);
		if (made)
			MUST(file_read(&arena, place.path, 1 << 20, &before, &err));
		ck_assert_int_eq(store_open(place.path, rows[i].mode, &store, &err), -1);
		ck_assert_ptr_null(store);
		ck_assert_msg(strstr(err.text, place.path) && strstr(err.text, rows[i].words[0]) &&
				      strstr(err.text, rows[i].words[1]),
			      "row %zu: %s", i, err.text);
		ck_assert_int_eq(err.kind, ERR_STORE);
		if (made)
			MUST(file_read(&arena, place.path, 1 << 20, &after, &err));
		ck_assert(span_eq(before, after));
		ck_assert(made || !is_there(&place, ""));
		place_remove(&place);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(strange_paths_are_only_paths)
{
	static const char *const rows[] = {"a?b#c%20d.db", ":memory:", "file:x.db?mode=ro",
					   " µ.db"};
	char before[256];
	ck_assert_ptr_nonnull(getcwd(before, sizeof before));
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct error err = {0};
		struct store *store;
		struct repository_path place;
		place_make(&place);
		ck_assert_int_eq(chdir(place.folder), 0);
		MUST(store_open(rows[i], STORE_CREATE, &store, &err));
		store_close(store);
		ck_assert(access(rows[i], F_OK) == 0);
		unlink(rows[i]);
		ck_assert_int_eq(store_open(".", STORE_CREATE, &store, &err), -1);
		ck_assert_ptr_nonnull(strstr(err.text, "not a file"));
		ck_assert_int_eq(store_open("no/such/folder.db", STORE_CREATE, &store, &err), -1);
		ck_assert_ptr_nonnull(strstr(err.text, "check that the directory exists"));
		ck_assert_int_eq(chdir(before), 0);
		place_remove(&place);
	}
}
END_TEST

START_TEST(slashes_may_be_doubled)
{
	struct repository_path place, doubled;
	place_make(&place);
	snprintf(doubled.path, sizeof doubled.path, "/%.90s", place.path);
	make_store(&doubled);
	ck_assert_int_eq(runs_in(&place), 10);
	ck_assert_int_eq(runs_in(&doubled), 10);
	place_remove(&place);
}
END_TEST

START_TEST(what_is_not_committed_is_gone)
{
	struct error err = {0};
	struct repository_path place;
	place_make(&place);
	make_store(&place);
	struct store *store = open_store(&place, STORE_WRITE);
	MUST(store_begin(store, &err));
	add_numbered(store, 100, 5);
	store_rollback(store);
	MUST(store_begin(store, &err));
	add_numbered(store, 200, 5);
	store_close(store);
	ck_assert_int_eq(runs_in(&place), 10);
	place_remove(&place);
}
END_TEST

/* The metric rows of a transaction that was rolled back must not be used afterwards. */
START_TEST(metric_rows_are_looked_up_again_after_a_rollback)
{
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	place_make(&place);
	make_store(&place);
	struct store *store = open_store(&place, STORE_WRITE);
	struct run *run = simple_run(&arena, "k", 1, 100);
	run_set(run, METRIC_MATMUL_COUNT, 7, PROVENANCE_MEASURED);
	MUST(store_begin(store, &err));
	add_run(store, run);
	store_rollback(store);
	run_set(run, METRIC_WEIGHT_BYTES, 8, PROVENANCE_MEASURED);
	run->given[METRIC_MATMUL_COUNT] = (struct value){NAN, PROVENANCE_UNKNOWN};
	add_run(store, run);
	struct store_run_list runs = read_runs(store, &arena, (struct run_query){.limit = 1});
	same_run(run, runs.items[0].run);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

static void wait_for(pid_t child, int signal_expected)
{
	int status;
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	if (signal_expected)
		ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == signal_expected);
	else
		ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

START_TEST(a_killed_writer_leaves_the_old_or_the_new_state)
{
	static const struct {
		bool commits;
		const char *pragma; /* the second makes SQLite write before the commit */
		int64_t runs;
	} rows[] = {
		{false, "", 10},
		{false, "PRAGMA cache_size = 1; PRAGMA cache_spill = 1", 10},
		{true, "", 510},
	};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct repository_path place;
		place_make(&place);
		make_store(&place);
		pid_t child = fork();
		if (child == 0) {
			struct error err;
			struct store *store = open_store(&place, STORE_WRITE);
			sql_execute(store->sql, rows[i].pragma, &err);
			store_begin(store, &err);
			add_numbered(store, 1000, 500);
			if (rows[i].commits)
				store_commit(store, &err);
			kill(getpid(), SIGKILL);
		}
		wait_for(child, SIGKILL);
		ck_assert_int_eq(runs_in(&place), rows[i].runs);
		ck_assert(!is_there(&place, "-wal"));
		place_remove(&place);
	}
}
END_TEST

/* Thirty runs, each in a transaction of its own. */
static int write_thirty(struct store *store, int first, struct error *err)
{
	for (int i = 0; i < 30; i++) {
		if (store_begin(store, err) < 0)
			return -1;
		add_commit(store, 1);
		add_numbered(store, first + i, 1);
		if (store_commit(store, err) < 0)
			return -1;
	}
	return 0;
}

static pid_t start_writer(const struct repository_path *place, int first)
{
	struct error err = {0};
	struct store *store = NULL;
	pid_t child = fork();
	if (child)
		return child;
	int failed = store_open(place->path, STORE_CREATE, &store, &err) < 0 ||
		     write_thirty(store, first, &err) < 0;
	if (failed)
		fprintf(stderr, "%s\n", err.text);
	store_close(store);
	_exit(failed);
}

START_TEST(writers_wait_for_each_other)
{
	static const bool exists[] = {true, false};
	for (size_t i = 0; i < COUNT_OF_ROWS(exists); i++) {
		struct repository_path place;
		pid_t writers[4];
		place_make(&place);
		if (exists[i])
			make_store(&place);
		for (int at = 0; at < 4; at++)
			writers[at] = start_writer(&place, 1000 * (at + 1));
		for (int at = 0; at < 4; at++)
			wait_for(writers[at], 0);
		ck_assert_int_eq(runs_in(&place), exists[i] ? 130 : 120);
		ck_assert(!is_there(&place, "-wal"));
		place_remove(&place);
	}
}
END_TEST

START_TEST(a_reader_holds_what_it_saw)
{
	struct error err = {0};
	struct repository_path place;
	struct store_counts counts;
	place_make(&place);
	make_store(&place);
	struct store *writer = open_store(&place, STORE_WRITE);
	struct store *reader = open_store(&place, STORE_READ);
	MUST(store_hold(reader, &err));
	for (int round = 0; round < 2; round++) {
		MUST(store_counts(reader, &counts, &err));
		ck_assert_int_eq(counts.runs, 10);
		MUST(store_begin(writer, &err));
		add_numbered(writer, 100 + 10 * round, 5);
		MUST(store_commit(writer, &err));
	}
	store_close(writer);
	MUST(store_counts(reader, &counts, &err));
	ck_assert_int_eq(counts.runs, 10);
	store_close(reader);
	reader = open_store(&place, STORE_READ);
	MUST(store_counts(reader, &counts, &err));
	ck_assert_int_eq(counts.runs, 20);
	store_close(reader);
	ck_assert(!is_there(&place, "-wal"));
	place_remove(&place);
}
END_TEST

START_TEST(a_reader_sees_one_state_beside_a_writer)
{
	struct error err = {0};
	struct repository_path place;
	struct store_counts counts;
	place_make(&place);
	make_store(&place);
	struct store *writer = open_store(&place, STORE_WRITE);
	MUST(store_begin(writer, &err));
	add_numbered(writer, 100, 5);
	struct store *reader = open_store(&place, STORE_READ);
	MUST(store_counts(reader, &counts, &err));
	ck_assert_int_eq(counts.runs, 10);
	MUST(store_commit(writer, &err));
	MUST(store_counts(reader, &counts, &err));
	ck_assert_int_eq(counts.runs, 15);
	ck_assert_int_eq(store_begin(reader, &err) == 0 &&
				 store_set_baseline(reader, "x", OID("01"), 0, false, &err) == 0,
			 0);
	store_close(writer);
	store_close(reader);
	ck_assert(!is_there(&place, "-wal"));
	place_remove(&place);
}
END_TEST

START_TEST(a_long_writer_is_named_in_the_message)
{
	struct error err = {0};
	struct repository_path place;
	place_make(&place);
	make_store(&place);
	struct store *first = open_store(&place, STORE_WRITE);
	struct store *second = open_store(&place, STORE_WRITE);
	MUST(store_begin(first, &err));
	sql_wait(second->sql, 10);
	ck_assert_int_eq(store_begin(second, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "another process keeps the store locked"));
	store_close(second);
	store_close(first);
	place_remove(&place);
}
END_TEST

/* A transaction that takes 75 times 20 ms. Every row reaches the log when `spills`, none before the
 * commit otherwise. */
static pid_t start_slow_writer(const struct repository_path *place, bool spills)
{
	struct error err = {0};
	int begun[2];
	char byte = 0;
	ck_assert_int_eq(pipe(begun), 0);
	pid_t child = fork();
	if (child) {
		close(begun[1]);
		ck_assert_int_eq(read(begun[0], &byte, 1), 1);
		close(begun[0]);
		return child;
	}
	struct store *store = open_store(place, STORE_WRITE);
	if (spills)
		MUST(sql_execute(store->sql, "PRAGMA cache_size = 1; PRAGMA cache_spill = 1",
				 &err));
	MUST(store_begin(store, &err));
	ck_assert_int_eq(write(begun[1], &byte, 1), 1);
	for (int i = 0; i < 75; i++) {
		add_numbered(store, 1000 + i, 1);
		usleep(20000);
	}
	MUST(store_commit(store, &err));
	store_close(store);
	_exit(0);
}

/* The writer takes 1.5 s: longer than two of the patiences, and longer than ten times the third. */
START_TEST(who_makes_progress_is_waited_for)
{
	static const struct {
		bool spills;
		int patience;
		bool waits;
		bool linked; /* the store is opened by the name of a link */
	} rows[] = {{true, 700, true, false},
		    {true, 700, true, true},
		    {false, 700, false, false},
		    {true, 30, false, false},
		    {false, 5000, true, true}};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct error err = {0};
		struct repository_path place;
		place_make(&place);
		make_store(&place);
		pid_t child = start_slow_writer(&place, rows[i].spills);
		struct repository_path link = place;
		if (rows[i].linked) {
			snprintf(link.path, sizeof link.path, "%s/link", link.folder);
			ck_assert_int_eq(symlink(place.path, link.path), 0);
		}
		struct store *store = open_store(&link, STORE_WRITE);
		sql_wait(store->sql, rows[i].patience);
		int rc = store_begin(store, &err);
		ck_assert_msg((rc == 0) == rows[i].waits, "row %zu: %s", i, err.text);
		store_close(store);
		wait_for(child, 0);
		if (rows[i].linked)
			unlink(link.path);
		ck_assert_int_eq(runs_in(&place), 85);
		place_remove(&place);
	}
}
END_TEST

/* Adds runs until it fails, in a child whose files cannot grow. */
static void fill_up(const struct repository_path *place, const char *pragma, bool limit_files)
{
	struct arena arena = {0};
	struct error err = {0};
	struct rlimit limit = {400 * 1024, 400 * 1024};
	char id[65];
	enum store_added added;
	struct store *store = open_store(place, STORE_WRITE);
	signal(SIGXFSZ, SIG_IGN);
	if (limit_files)
		setrlimit(RLIMIT_FSIZE, &limit);
	int failed = sql_execute(store->sql, pragma, &err) || store_begin(store, &err);
	for (int i = 0; !failed && i < 20000; i++)
		failed = store_add_run(store, simple_run(&arena, "k", 1, 1000 + i), id, &added,
				       &err);
	if (!failed)
		failed = store_commit(store, &err);
	bool reported =
		failed && err.kind == ERR_SYSTEM && strstr(err.text, "the store is unchanged");
	if (!reported)
		fprintf(stderr, "%s\n", err.text);
	store_close(store);
	arena_free(&arena);
	_exit(reported ? 0 : 1);
}

START_TEST(a_full_disk_leaves_the_old_state)
{
	static const struct {
		const char *pragma;
		bool limit_files;
	} rows[] = {{"PRAGMA max_page_count = 60", false}, {"PRAGMA cache_size = 1", true}};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct repository_path place;
		place_make(&place);
		make_store(&place);
		pid_t child = fork();
		if (child == 0)
			fill_up(&place, rows[i].pragma, rows[i].limit_files);
		wait_for(child, 0);
		ck_assert_int_eq(runs_in(&place), 10);
		place_remove(&place);
	}
}
END_TEST

/* Permissions do not restrict root, so the child becomes another user. */
static int without_privileges(void)
{
	return getuid() == 0 ? setuid(65534) : 0;
}

static int read_or_write(const struct repository_path *place, enum store_mode mode,
			 const char *words)
{
	struct arena arena = {0};
	struct error err = {0};
	struct store_run_list runs = {0};
	struct store *store = NULL;
	if (without_privileges() != 0)
		return 1;
	int failed = store_open(place->path, mode, &store, &err);
	if (!failed)
		failed = store_runs(store, &arena, &(struct run_query){0}, &runs, &err);
	store_close(store);
	arena_free(&arena);
	if (words ? failed && strstr(err.text, words) : !failed && runs.count == 10)
		return 0;
	fprintf(stderr, "%s\n", err.text);
	return 2;
}

static mode_t access_of_others(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 ? st.st_mode & S_IXOTH : 0;
}

START_TEST(permissions_are_respected)
{
	static const struct {
		mode_t folder, file;
		enum store_mode mode;
		const char *words; /* NULL: it works */
		bool logged;       /* a killed writer left a log */
	} rows[] = {
		{0555, 0444, STORE_READ, NULL, false},
		{0555, 0644, STORE_READ, NULL, false},
		{0555, 0444, STORE_WRITE, "no permission to write", false},
		{0555, 0000, STORE_READ, "permission to access it and the file", false},
		{0555, 0444, STORE_READ, "unfinished log", true},
	};
	/* In some containers only root may enter the root directory: other users reach nothing. */
	if (access_of_others("/") == 0) {
		puts("skipped: only root may enter /");
		return;
	}
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct repository_path place;
		char log[128];
		place_make(&place);
		make_store(&place);
		snprintf(log, sizeof log, "%s-wal", place.path);
		if (rows[i].logged)
			write_text(log, "something that is a log");
		ck_assert_int_eq(chmod(place.path, rows[i].file), 0);
		ck_assert_int_eq(chmod(place.folder, rows[i].folder), 0);
		pid_t child = fork();
		if (child == 0)
			_exit(read_or_write(&place, rows[i].mode, rows[i].words));
		wait_for(child, 0);
		ck_assert_int_eq(chmod(place.folder, 0755), 0);
		place_remove(&place);
	}
}
END_TEST

UNIT_MAIN("store faults", a_store_is_made_and_is_one_file, strange_files_are_refused_and_left_alone,
	  strange_paths_are_only_paths, slashes_may_be_doubled, what_is_not_committed_is_gone,
	  metric_rows_are_looked_up_again_after_a_rollback,
	  a_killed_writer_leaves_the_old_or_the_new_state, writers_wait_for_each_other,
	  a_reader_sees_one_state_beside_a_writer, a_reader_holds_what_it_saw,
	  a_long_writer_is_named_in_the_message, who_makes_progress_is_waited_for,
	  a_full_disk_leaves_the_old_state, permissions_are_respected)
