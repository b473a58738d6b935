/* Replaces files atomically, with rename(). Returns of -1 come with errno. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/file.h"
#include "base/system/path.h"
#include "base/system/temporary.h"

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

static mode_t new_mode(void)
{
	mode_t mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

static int fill(int fd, mode_t mode, struct span bytes, bool lasting)
{
	if (write_all(fd, bytes) < 0 || fchmod(fd, mode) < 0)
		return -1;
	return lasting ? fsync(fd) : 0;
}

/* The lock of the temporary file is held until it has its final name. A full disk that only close()
 * reports is found by closing a copy of the descriptor. */
static int replace(const struct path *at, mode_t mode, struct span bytes, bool lasting)
{
	struct temporary made;
	if (temporary_make(at->directory, at->name, TEMPORARY_FILE, NULL, &made) < 0)
		return -1;
	int rc = fill(made.fd, mode, bytes, lasting);
	if (rc == 0) {
		int copy = dup(made.fd);
		rc = copy < 0 ? -1 : close(copy);
	}
	if (rc == 0)
		rc = renameat(at->directory, made.name, at->directory, at->name);
	int saved = errno;
	if (rc < 0)
		unlinkat(at->directory, made.name, 0);
	else if (lasting)
		path_sync(at->directory);
	errno = saved;
	return close_after(made.fd, rc);
}

static int write_into(const struct path *at, struct span bytes)
{
	int fd = openat(at->directory, at->name, O_WRONLY | O_CLOEXEC | O_NOCTTY | path_flags(at));
	return fd < 0 ? -1 : close_after(fd, write_all(fd, bytes));
}

static int write_or_replace(const char *path, struct span bytes, bool lasting, struct error *err)
{
	struct stat old;
	struct path at;
	if (path_open("write", path, &at, err) < 0)
		return -1;
	bool exists = fstatat(at.directory, at.name, &old,
			      at.is_protected ? AT_SYMLINK_NOFOLLOW : 0) == 0;
	int rc = exists && !S_ISREG(old.st_mode)
			 ? write_into(&at, bytes)
			 : replace(&at, exists ? old.st_mode & 07777 : new_mode(), bytes, lasting);
	if (rc < 0)
		error_errno(err, "cannot write %s", path);
	path_close(&at);
	return rc;
}

int file_write(const char *path, struct span bytes, struct error *err)
{
	return write_or_replace(path, bytes, true, err);
}

int file_write_derived(const char *path, struct span bytes, struct error *err)
{
	return write_or_replace(path, bytes, false, err);
}
