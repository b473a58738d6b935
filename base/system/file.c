/* Reads whole files with a limit, and replaces files atomically with rename(). */
#include "base/system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

static int read_all(int fd, const char *path, size_t limit, struct strbuf *sb, struct error *err)
{
	char chunk[65536];
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
					 "%s is larger than the %zu bytes expected of such a file",
					 path, limit);
		strbuf_add(sb, chunk, (size_t)n);
	}
}

int file_read(struct arena *arena, const char *path, size_t limit, struct span *bytes,
	      struct error *err)
{
	bool standard_input = strcmp(path, "-") == 0;
	assert(bytes && limit > 0);
	int fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, "cannot open %s", path);
	struct strbuf sb = {0};
	int rc = read_all(fd, path, limit, &sb, err);
	if (!standard_input)
		close(fd);
	if (rc == 0) {
		bytes->len = sb.len;
		bytes->ptr = strbuf_into(&sb, arena);
	}
	strbuf_free(&sb);
	return rc;
}

static int write_all(int fd, struct span bytes)
{
	while (bytes.len) {
		ssize_t n = write(fd, bytes.ptr, bytes.len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		bytes.ptr += n;
		bytes.len -= (size_t)n;
	}
	return 0;
}

/* The mode of the file that is replaced, or 0666 without the umask for a new one. */
static mode_t mode_for(const char *path)
{
	struct stat old;
	if (stat(path, &old) == 0)
		return old.st_mode & 07777;
	mode_t mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

/* Closes `fd`. Returns -1 if rc < 0, with its errno, or if close() fails (NFS reports a full disk
 * there). */
static int close_after(int fd, int rc)
{
	int saved = errno;
	if (close(fd) == 0 || rc < 0) {
		errno = saved;
		return rc;
	}
	return -1;
}

/* Writes the temporary file. Returns -1 with errno. */
static int fill(int fd, const char *path, struct span bytes, bool lasting)
{
	if (write_all(fd, bytes) < 0 || fchmod(fd, mode_for(path)) < 0)
		return -1;
	return lasting ? fsync(fd) : 0;
}

/* Makes the name that `path` has in its directory last. A file system that cannot sync a directory
 * keeps names in its own way. */
static void sync_name(const char *path)
{
	char directory[PATH_MAX];
	const char *slash = strrchr(path, '/');
	int n = slash ? snprintf(directory, sizeof directory, "%.*s", (int)(slash - path + 1), path)
		      : snprintf(directory, sizeof directory, ".");
	assert(n > 0 && (size_t)n < sizeof directory);
	int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

/* Returns -1 with errno. */
static int replace(const char *path, struct span bytes, bool lasting)
{
	char temporary[PATH_MAX];
	int n = snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
	if (n < 0 || (size_t)n >= sizeof temporary) {
		errno = ENAMETOOLONG;
		return -1;
	}
	int fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return -1;
	int rc = close_after(fd, fill(fd, path, bytes, lasting));
	if (rc == 0)
		rc = rename(temporary, path);
	int saved = errno;
	if (rc < 0)
		unlink(temporary);
	else if (lasting)
		sync_name(path);
	errno = saved;
	return rc;
}

static int write_into(const char *path, struct span bytes)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	return fd < 0 ? -1 : close_after(fd, write_all(fd, bytes));
}

static int write_or_replace(const char *path, struct span bytes, bool lasting, struct error *err)
{
	struct stat old;
	int rc;
	if (stat(path, &old) == 0 && !S_ISREG(old.st_mode)) {
		rc = write_into(path, bytes);
	} else {
		char *target = realpath(path, NULL);
		rc = replace(target ? target : path, bytes, lasting);
		int saved = errno;
		free(target);
		errno = saved;
	}
	return rc < 0 ? error_errno(err, "cannot write %s", path) : 0;
}

int file_write(const char *path, struct span bytes, struct error *err)
{
	return write_or_replace(path, bytes, true, err);
}

int file_write_derived(const char *path, struct span bytes, struct error *err)
{
	return write_or_replace(path, bytes, false, err);
}

/* The directory of a path with links resolved, to be freed; NULL with errno if it is not writable.
 */
static char *real_directory(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *directory =
		slash ? arena_strndup(arena, path, (size_t)(slash - path) + 1) : ".";
	char *real = realpath(directory, NULL);
	if (real && access(real, W_OK | X_OK) == 0)
		return real;
	int saved = errno;
	free(real);
	errno = saved;
	return NULL;
}

int file_target(struct arena *arena, const char *path, const char **target, struct error *err)
{
	struct stat old;
	if (stat(path, &old) == 0 && !S_ISREG(old.st_mode)) {
		*target = NULL;
		return 0;
	}
	char *file = realpath(path, NULL);
	const char *named = file ? file : path, *slash = strrchr(named, '/');
	char *directory = real_directory(arena, named);
	if (directory)
		*target = arena_printf(arena, "%s/%s", directory[1] ? directory : "",
				       slash ? slash + 1 : named);
	else
		error_errno(err, "cannot write %s", path);
	free(file);
	free(directory);
	return directory ? 0 : -1;
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
	char part[PATH_MAX];
	size_t len = strlen(path);
	if (len >= sizeof part)
		return error_set(err, ERR_SYSTEM, "cannot create %s: the path is too long", path);
	for (size_t i = 0; i <= len; i++) {
		part[i] = path[i];
		if (i == 0 || (path[i] != '/' && path[i] != '\0'))
			continue;
		part[i] = '\0';
		if (mkdir(part, 0777) == 0)
			sync_name(part);
		else if (errno != EEXIST)
			return error_errno(err, "cannot create the directory %s", part);
		part[i] = path[i];
	}
	if (!file_is_directory(path))
		return error_set(err, ERR_SYSTEM, "%s exists and is not a directory", path);
	return 0;
}
