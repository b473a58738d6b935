/*
 * Makes one call of a program fail. To be preloaded.
 *
 *     FAIL_CALLS  which calls are counted: "sql" (of SQLite: to open, prepare, step, execute and copy)
 *                 or "read" (of bytes of a file whose path contains FAIL_PATH)
 *     FAIL_AT     the number of the call that fails with an I/O error, from 1
 *     FAIL_LOG    gets a line for each counted call: a statement, or a path
 *
 * The program loads SQLite when it needs it and asks dlsym() for its functions, so dlsym() gives it
 * those of this file. The standard input of the program is never counted.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { OK = 0, IO_ERROR = 10 /* SQLITE_IOERR */ };

static atomic_long count;

static int counts(const char *calls)
{
	const char *wanted = getenv("FAIL_CALLS");
	return wanted && strcmp(wanted, calls) == 0;
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

ssize_t read(int fd, void *buffer, size_t size)
{
	if (is_counted(fd) && fails("read")) {
		errno = EIO;
		return -1;
	}
	return syscall(SYS_read, fd, buffer, size);
}

ssize_t pread(int fd, void *buffer, size_t size, off_t at)
{
	if (is_counted(fd) && fails("pread")) {
		errno = EIO;
		return -1;
	}
	return syscall(SYS_pread64, fd, buffer, size, at);
}

ssize_t pread64(int fd, void *buffer, size_t size, off_t at) __attribute__((alias("pread")));

/* SQLite */

struct sqlite3;
struct sqlite3_stmt;
static void *real_open, *real_prepare2, *real_prepare3, *real_step, *real_reset, *real_exec,
	*real_backup, *real_code, *real_text;
static struct sqlite3_stmt *failed; /* whose step failed, until it is reset */
static int last_failed;		    /* what SQLite says of the last call */

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

static int exec(struct sqlite3 *handle, const char *text, int (*each)(void *, int, char **, char **),
		void *context, char **message)
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
};

void *dlsym(void *library, const char *name)
{
	static void *(*find)(void *, const char *);
	if (!find)
		find = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
	for (size_t i = 0; counts("sql") && i < sizeof replaced / sizeof *replaced; i++)
		if (strcmp(name, replaced[i].name) == 0) {
			*replaced[i].real = find(library, name);
			real_text = find(library, "sqlite3_sql");
			return replaced[i].ours;
		}
	return find(library, name);
}
