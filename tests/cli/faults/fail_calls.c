/*
 * Makes one call of a program fail. To be preloaded.
 *
 *     FAIL_CALLS  which calls are counted: "sql" (of SQLite: to open, prepare, step, execute and
 * copy), "git" (of libgit2) or "read" (of bytes of a file whose path contains FAIL_PATH; such a
 * file is read in small pieces and cannot be mapped into memory) FAIL_AT     the number of the call
 * that fails with an I/O error, from 1 FAIL_LOG    gets a line for each counted call: a statement,
 * or a path
 *
 * The program loads SQLite and libgit2 when it needs them and asks dlsym() for their functions, so
 * dlsym() gives it those of this file. The standard input of the program is never counted.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PIECE = 4096, IO_ERROR = 10 /* SQLITE_IOERR */ };

static atomic_long count;

/* For strcmp(), which a sanitizer replaces: it asks dlsym() before its own is ready. */
static int same(const char *a, const char *b)
{
	for (; *a && *a == *b; a++, b++)
		;
	return *a == *b;
}

static int counts(const char *calls)
{
	const char *wanted = getenv("FAIL_CALLS");
	return wanted && same(wanted, calls);
}

/* Counts a call; whether it is the one that fails. The log is written as one line at once. */
static int fails(const char *what)
{
	const char *at = getenv("FAIL_AT"), *log = getenv("FAIL_LOG");
	long number = atomic_fetch_add(&count, 1) + 1;
	if (log) {
		char line[512];
		int len = snprintf(line, sizeof line - 1, "%s", what);
		len = len < (int)sizeof line - 1 ? len : (int)sizeof line - 2;
		for (int i = 0; i < len; i++)
			line[i] = line[i] == '\n' || line[i] == '\t' ? ' ' : line[i];
		line[len++] = '\n';
		int out = (int)syscall(SYS_openat, AT_FDCWD, log,
				       O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
		if (out < 0 || syscall(SYS_write, out, line, len) != len)
			abort();
		syscall(SYS_close, out);
	}
	return at && atol(at) == number;
}

/* Files */

static int is_counted(int fd)
{
	char link[32], path[PATH_MAX];
	const char *part = getenv("FAIL_PATH");
	if (fd == 0 || !part || !counts("read"))
		return 0;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t len = readlink(link, path, sizeof path - 1);
	if (len <= 0)
		return 0;
	path[len] = '\0';
	return strstr(path, part) != NULL;
}

static ssize_t own_read(int fd, void *buffer, size_t size)
{
	if (is_counted(fd) && fails("read")) {
		errno = EIO;
		return -1;
	}
	return syscall(SYS_read, fd, buffer, size > PIECE && is_counted(fd) ? PIECE : size);
}

static ssize_t own_pread(int fd, void *buffer, size_t size, off_t at)
{
	if (is_counted(fd) && fails("pread")) {
		errno = EIO;
		return -1;
	}
	return syscall(SYS_pread64, fd, buffer, size, at);
}

static void *own_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	if (fd >= 0 && is_counted(fd)) {
		errno = ENODEV;
		return MAP_FAILED;
	}
	return (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset);
}

ssize_t read(int fd, void *buffer, size_t size) __attribute__((alias("own_read")));
ssize_t pread(int fd, void *buffer, size_t size, off_t at) __attribute__((alias("own_pread")));
ssize_t pread64(int fd, void *buffer, size_t size, off_t at) __attribute__((alias("own_pread")));
void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
	__attribute__((alias("own_mmap")));
void *mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset)
	__attribute__((alias("own_mmap")));

/* SQLite */

struct sqlite3;
struct sqlite3_stmt;
static void *real_open, *real_prepare2, *real_prepare3, *real_step, *real_reset, *real_exec,
	*real_backup, *real_code, *real_text;
static struct sqlite3_stmt *failed; /* whose step failed, until it is reset */
static int last_failed;             /* what SQLite says of the last call */

static int refuse(void)
{
	last_failed = 1;
	return IO_ERROR;
}

static int open_v2(const char *name, struct sqlite3 **handle, int flags, const char *vfs)
{
	int (*call)(const char *, struct sqlite3 **, int, const char *) = real_open;
	if (fails("open")) {
		*handle = NULL;
		return IO_ERROR;
	}
	return call(name, handle, flags, vfs);
}

static int prepare_v2(struct sqlite3 *handle, const char *text, int len, struct sqlite3_stmt **made,
		      const char **tail)
{
	int (*call)(struct sqlite3 *, const char *, int, struct sqlite3_stmt **, const char **) =
		real_prepare2;
	last_failed = 0;
	if (fails(text)) {
		*made = NULL;
		return refuse();
	}
	return call(handle, text, len, made, tail);
}

static int prepare_v3(struct sqlite3 *handle, const char *text, int len, unsigned flags,
		      struct sqlite3_stmt **made, const char **tail)
{
	int (*call)(struct sqlite3 *, const char *, int, unsigned, struct sqlite3_stmt **,
		    const char **) = real_prepare3;
	last_failed = 0;
	if (fails(text)) {
		*made = NULL;
		return refuse();
	}
	return call(handle, text, len, flags, made, tail);
}

static int step(struct sqlite3_stmt *statement)
{
	int (*call)(struct sqlite3_stmt *) = real_step;
	const char *(*text)(struct sqlite3_stmt *) = real_text;
	last_failed = 0;
	if (fails(text(statement))) {
		failed = statement;
		return refuse();
	}
	return call(statement);
}

static int reset(struct sqlite3_stmt *statement)
{
	int (*call)(struct sqlite3_stmt *) = real_reset;
	int status = call(statement);
	if (statement != failed)
		return status;
	failed = NULL;
	return IO_ERROR;
}

static int exec(struct sqlite3 *handle, const char *text,
		int (*each)(void *, int, char **, char **), void *context, char **message)
{
	int (*call)(struct sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *,
		    char **) = real_exec;
	last_failed = 0;
	return fails(text) ? refuse() : call(handle, text, each, context, message);
}

static int backup_step(void *backup, int pages)
{
	int (*call)(void *, int) = real_backup;
	return fails("backup") ? IO_ERROR : call(backup, pages);
}

static int errcode(struct sqlite3 *handle)
{
	int (*call)(struct sqlite3 *) = real_code;
	return last_failed ? IO_ERROR : call(handle);
}

/* libgit2: functions that return a negative number when they fail. Eight arguments are more than
 * any has, and those that are too many do no harm. */

#define GIT_CALLS(X)                                                                               \
	X(git_commit_lookup)                                                                       \
	X(git_commit_lookup_prefix)                                                                \
	X(git_commit_parent)                                                                       \
	X(git_commit_tree)                                                                         \
	X(git_config_get_string_buf)                                                               \
	X(git_diff_foreach)                                                                        \
	X(git_diff_index_to_workdir)                                                               \
	X(git_diff_options_init)                                                                   \
	X(git_diff_patchid)                                                                        \
	X(git_diff_tree_to_index)                                                                  \
	X(git_diff_tree_to_tree)                                                                   \
	X(git_ignore_path_is_ignored)                                                              \
	X(git_index_read)                                                                          \
	X(git_libgit2_init)                                                                        \
	X(git_merge_bases)                                                                         \
	X(git_object_peel)                                                                         \
	X(git_odb_read)                                                                            \
	X(git_odb_read_header)                                                                     \
	X(git_oid_fromstr)                                                                         \
	X(git_reference_lookup)                                                                    \
	X(git_reference_name_to_id)                                                                \
	X(git_reference_peel)                                                                      \
	X(git_repository_config)                                                                   \
	X(git_repository_head)                                                                     \
	X(git_repository_head_unborn)                                                              \
	X(git_repository_index)                                                                    \
	X(git_repository_is_shallow)                                                               \
	X(git_repository_odb)                                                                      \
	X(git_repository_open_ext)                                                                 \
	X(git_revparse_single)                                                                     \
	X(git_revwalk_hide)                                                                        \
	X(git_revwalk_new)                                                                         \
	X(git_revwalk_next)                                                                        \
	X(git_revwalk_push)                                                                        \
	X(git_tag_foreach)                                                                         \
	X(git_tree_lookup)

#define PASS_ON(name)                                                                              \
	static void *real_##name;                                                                  \
	static long own_##name(long a, long b, long c, long d, long e, long f, long g, long h)     \
	{                                                                                          \
		long (*call)(long, long, long, long, long, long, long, long) = real_##name;        \
		return fails(#name) ? -1 : call(a, b, c, d, e, f, g, h);                           \
	}
GIT_CALLS(PASS_ON)

static const struct replaced {
	const char *name;
	void *ours;
	void **real;
} replaced[] = {
	{"sqlite3_open_v2", (void *)open_v2, &real_open},
	{"sqlite3_prepare_v2", (void *)prepare_v2, &real_prepare2},
	{"sqlite3_prepare_v3", (void *)prepare_v3, &real_prepare3},
	{"sqlite3_step", (void *)step, &real_step},
	{"sqlite3_reset", (void *)reset, &real_reset},
	{"sqlite3_exec", (void *)exec, &real_exec},
	{"sqlite3_backup_step", (void *)backup_step, &real_backup},
	{"sqlite3_errcode", (void *)errcode, &real_code},
	/* A sanitizer has functions of these names, which ask dlsym() for those that come next. */
	{"read", (void *)own_read, NULL},
	{"pread", (void *)own_pread, NULL},
	{"pread64", (void *)own_pread, NULL},
	{"mmap", (void *)own_mmap, NULL},
	{"mmap64", (void *)own_mmap, NULL},
#define REPLACED(name) {#name, (void *)own_##name, &real_##name},
	GIT_CALLS(REPLACED)};

void *dlsym(void *library, const char *name)
{
	static void *(*find)(void *, const char *);
	if (!find)
		find = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
	for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++)
		if (same(name, replaced[i].name) && !replaced[i].real)
			return replaced[i].ours;
		else if (same(name, replaced[i].name) && counts(name[0] == 'g' ? "git" : "sql")) {
			*replaced[i].real = find(library, name);
			if (counts("sql"))
				real_text = find(library, "sqlite3_sql");
			return replaced[i].ours;
		}
	return find(library, name);
}
