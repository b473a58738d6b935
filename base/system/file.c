/* Reads whole files with a limit, and makes, moves and deletes files. */
#include "base/system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/system/path.h"

static int read_all(int fd, const char *path, size_t limit, struct strbuf *sb, struct error *err)
{
	char chunk[16384];
	for (;;) {
		ssize_t n = read(fd, chunk, sizeof chunk);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(err, "cannot read %s", path);
		if (n == 0)
			return 0;
		if (sb->len + (size_t)n > limit)
			return error_set(err, ERR_FORMAT,
					 "%s is larger than %zu bytes, the limit for such a file",
					 path, limit);
		strbuf_add(sb, chunk, (size_t)n);
	}
}

/* --- what can be read --- */

/* A pipe without a name in a directory: the caller opened it, and a program at its other end
 * writes. */
static bool is_callers_pipe(int fd)
{
	enum { PIPE_FILE_SYSTEM = 0x50495045 };
	struct statfs status;
	return fstatfs(fd, &status) == 0 && status.f_type == PIPE_FILE_SYSTEM;
}

/* What cannot be read; NULL if it can. */
static const char *fault_of(int fd, const struct stat *st)
{
	switch (st->st_mode & S_IFMT) {
	case S_IFREG:
		return NULL;
	case S_IFIFO:
		return is_callers_pipe(fd) ? NULL : "a named pipe";
	case S_IFCHR:
		return st->st_rdev == makedev(1, 3) ? NULL : "a device"; /* /dev/null */
	case S_IFDIR:
		return "a directory";
	case S_IFSOCK:
		return "a socket";
	default:
		return "a device";
	}
}

/* Opens what can be read without waiting. It is looked at before it is opened for reading, because
 * opening alone can wait (a pipe) or act (a device). */
static int open_file(int directory, const char *name, int flags, const char *path,
		     struct error *err)
{
	struct stat st, now;
	int look = openat(directory, name, O_PATH | O_CLOEXEC | flags);
	if (look < 0 || fstat(look, &st) < 0) {
		error_errno(err, "cannot open %s", path);
		if (look >= 0)
			close(look);
		return -1;
	}
	const char *fault = fault_of(look, &st);
	close(look);
	if (fault)
		return error_set(err, ERR_SYSTEM, "cannot read %s: it is %s, not a file", path,
				 fault);
	int waits = S_ISFIFO(st.st_mode) ? 0 : O_NONBLOCK;
	int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOCTTY | waits | flags);
	if (fd < 0)
		return error_errno(err, "cannot open %s", path);
	if (fstat(fd, &now) == 0 && now.st_ino == st.st_ino && now.st_dev == st.st_dev)
		return fd;
	close(fd);
	return error_set(err, ERR_SYSTEM, "cannot read %s: it was replaced meanwhile", path);
}

static int open_protected(const char *path, struct error *err)
{
	struct path at;
	if (path_open("open", path, &at, err) < 0)
		return -1;
	int fd = open_file(at.directory, at.name, path_flags(&at), path, err);
	path_close(&at);
	return fd;
}

/* Reads an open file and closes it; nothing if fd < 0. */
static int read_file(struct arena *arena, int fd, const char *path, size_t limit,
		     struct span *bytes, struct error *err)
{
	struct strbuf sb = {0};
	assert(bytes && limit > 0);
	if (fd < 0)
		return -1;
	int rc = read_all(fd, path, limit, &sb, err);
	if (fd != STDIN_FILENO)
		close(fd);
	if (rc == 0) {
		bytes->len = sb.len;
		bytes->ptr = strbuf_into(&sb, arena);
	}
	strbuf_free(&sb);
	return rc;
}

static bool is_standard_input(const char *path)
{
	return strcmp(path, "-") == 0;
}

int file_read(struct arena *arena, const char *path, size_t limit, struct span *bytes,
	      struct error *err)
{
	int fd = is_standard_input(path) ? STDIN_FILENO : open_protected(path, err);
	return read_file(arena, fd, path, limit, bytes, err);
}

int file_read_linked(struct arena *arena, const char *path, size_t limit, struct span *bytes,
		     struct error *err)
{
	int fd = is_standard_input(path) ? STDIN_FILENO : open_file(AT_FDCWD, path, 0, path, err);
	return read_file(arena, fd, path, limit, bytes, err);
}

int file_check(const char *path, struct error *err)
{
	int fd = open_file(AT_FDCWD, path, 0, path, err);
	if (fd >= 0)
		close(fd);
	return fd < 0 ? -1 : 0;
}

/* --- what is where --- */

int file_target(struct arena *arena, const char *path, const char **target, struct error *err)
{
	struct stat old;
	struct path at;
	if (path_open("write", path, &at, err) < 0)
		return -1;
	int rc = 0;
	if (fstatat(at.directory, at.name, &old, at.is_protected ? AT_SYMLINK_NOFOLLOW : 0) == 0 &&
	    !S_ISREG(old.st_mode))
		*target = NULL;
	else if (faccessat(at.directory, ".", W_OK | X_OK, 0) < 0)
		rc = error_errno(err, "cannot write %s", path);
	else
		*target = arena_strdup(arena, at.text);
	path_close(&at);
	return rc;
}

bool file_exists(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0;
}

bool file_is_directory(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int file_make_directory(const char *path, struct error *err)
{
	struct path at;
	struct strbuf slashed = {0};
	strbuf_addf(&slashed, "%s/", *path ? path : ".");
	int rc = path_open_making("create the directory", strbuf_text(&slashed), &at, err);
	strbuf_free(&slashed);
	if (rc == 0)
		path_close(&at);
	return rc;
}

void file_remove(const char *path)
{
	struct path at;
	struct error ignored;
	if (path_open_itself("delete", path, &at, &ignored) < 0)
		return;
	unlinkat(at.directory, at.name, 0);
	path_close(&at);
}

int file_move(const char *from, const char *to, struct error *err)
{
	struct path source, target;
	if (path_open_itself("move", from, &source, err) < 0)
		return -1;
	int rc = path_open_itself("write", to, &target, err);
	if (rc == 0) {
		rc = renameat(source.directory, source.name, target.directory, target.name);
		if (rc < 0)
			error_errno(err, "cannot write %s", to);
		path_close(&target);
	}
	path_close(&source);
	return rc;
}
