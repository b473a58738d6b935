/*
 * Records what a program does to the folder RECORD_ROOT and all below, in order, into the file
 * RECORD_TO:
 *
 *     open INODE PATH            opened for writing, perhaps made
 *     mkdir INODE PATH
 *     write INODE OFFSET LENGTH  followed by the bytes
 *     size INODE LENGTH
 *     sync INODE                 of a file or a directory
 *     unlink PATH
 *     rename LENGTH              followed by the two paths, with a NUL between them
 *     print                      standard output was flushed
 *
 * To be preloaded. With RECORD_NETWORK every file system passes for NFS. Shared memory of SQLite
 * (-shm) is left out: SQLite makes it again.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { NFS = 0x6969 };

static void put(const char *line, const void *bytes, size_t size)
{
	static int out = -2;
	const char *path = getenv("RECORD_TO");
	struct iovec parts[] = {{(void *)line, strlen(line)}, {(void *)bytes, size}};
	if (out == -2)
		out = path ? (int)syscall(SYS_openat, AT_FDCWD, path,
					  O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)
			   : -1;
	if (out >= 0 && writev(out, parts, 2) != (ssize_t)(parts[0].iov_len + size))
		abort();
}

/* Whether the absolute path is recorded. */
static int wanted(const char *path)
{
	const char *root = getenv("RECORD_ROOT"), *shared = "-shm";
	size_t len = strlen(path), suffix = strlen(shared), above = root ? strlen(root) : 0;
	return root && strncmp(path, root, above) == 0 && strchr("/", path[above]) &&
	       !(len >= suffix && strcmp(path + len - suffix, shared) == 0);
}

/* The absolute path of a name in a directory; "" if it is not recorded. */
static const char *absolute(int directory, const char *path, char full[PATH_MAX])
{
	char link[64], base[PATH_MAX / 2];
	if (path[0] == '/') {
		snprintf(full, PATH_MAX, "%s", path);
	} else {
		if (directory == AT_FDCWD)
			snprintf(link, sizeof link, "/proc/self/cwd");
		else
			snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
		ssize_t len = readlink(link, base, sizeof base - 1);
		base[len < 0 ? 0 : len] = '\0';
		snprintf(full, PATH_MAX, "%s/%s", base, path);
	}
	return wanted(full) ? full : "";
}

/* The inode of a descriptor; 0 if it is not recorded. */
static unsigned long long inode(int fd)
{
	char link[64], path[PATH_MAX];
	struct stat st;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t len = readlink(link, path, sizeof path - 1);
	path[len < 0 ? 0 : len] = '\0';
	return wanted(path) && fstat(fd, &st) == 0 ? st.st_ino : 0;
}

static void put_open(int fd, int directory, const char *path, int flags)
{
	char full[PATH_MAX], line[PATH_MAX + 64];
	struct stat st;
	if (fd < 0 || (flags & O_ACCMODE) == O_RDONLY || !*absolute(directory, path, full) ||
	    fstat(fd, &st) < 0)
		return;
	snprintf(line, sizeof line, "open %llu %s\n", (unsigned long long)st.st_ino, full);
	put(line, NULL, 0);
	if (flags & O_TRUNC) {
		snprintf(line, sizeof line, "size %llu 0\n", (unsigned long long)st.st_ino);
		put(line, NULL, 0);
	}
}

static void put_write(int fd, const void *bytes, ssize_t size, off_t at)
{
	char line[128];
	unsigned long long node = size > 0 ? inode(fd) : 0;
	if (!node)
		return;
	snprintf(line, sizeof line, "write %llu %lld %zd\n", node, (long long)at, size);
	put(line, bytes, (size_t)size);
}

static void put_size(int fd, off_t size)
{
	char line[128];
	unsigned long long node = inode(fd);
	if (!node)
		return;
	snprintf(line, sizeof line, "size %llu %lld\n", node, (long long)size);
	put(line, NULL, 0);
}

static void put_sync(int fd)
{
	char line[64];
	unsigned long long node = inode(fd);
	if (!node)
		return;
	snprintf(line, sizeof line, "sync %llu\n", node);
	put(line, NULL, 0);
}

int openat(int directory, const char *path, int flags, ...)
{
	va_list args;
	va_start(args, flags);
	mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, mode_t) : 0;
	va_end(args);
	int fd = (int)syscall(SYS_openat, directory, path, flags, mode);
	put_open(fd, directory, path, flags);
	return fd;
}

int open(const char *path, int flags, ...)
{
	va_list args;
	va_start(args, flags);
	mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, mode_t) : 0;
	va_end(args);
	return openat(AT_FDCWD, path, flags, mode);
}

__attribute__((alias("openat"))) int openat64(int directory, const char *path, int flags, ...);
__attribute__((alias("open"))) int open64(const char *path, int flags, ...);

int mkostemp(char *path, int flags)
{
	int (*real)(char *, int) = (int (*)(char *, int))dlsym(RTLD_NEXT, "mkostemp");
	int fd = real(path, flags);
	put_open(fd, AT_FDCWD, path, O_RDWR);
	return fd;
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	off_t at = lseek(fd, 0, SEEK_CUR);
	ssize_t done = syscall(SYS_write, fd, bytes, size);
	int saved = errno;
	put_write(fd, bytes, done, at);
	errno = saved;
	return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	ssize_t done = syscall(SYS_pwrite64, fd, bytes, size, at);
	int saved = errno;
	put_write(fd, bytes, done, at);
	errno = saved;
	return done;
}

int ftruncate(int fd, off_t size)
{
	int rc = (int)syscall(SYS_ftruncate, fd, size);
	if (rc == 0)
		put_size(fd, size);
	return rc;
}

__attribute__((alias("pwrite"))) ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t at);
__attribute__((alias("ftruncate"))) int ftruncate64(int fd, off_t size);

/* Nothing is really synced: the disk of the test is the record. A descriptor that only names a file
 * is refused, as the system does. */
int fsync(int fd)
{
	int flags = fcntl(fd, F_GETFL);
	if (flags < 0 || flags & O_PATH) {
		errno = EBADF;
		return -1;
	}
	put_sync(fd);
	return 0;
}

__attribute__((alias("fsync"))) int fdatasync(int fd);

int unlinkat(int directory, const char *path, int flags)
{
	char full[PATH_MAX], line[PATH_MAX + 64];
	const char *name = absolute(directory, path, full);
	int rc = (int)syscall(SYS_unlinkat, directory, path, flags);
	if (rc == 0 && *name) {
		snprintf(line, sizeof line, "unlink %s\n", name);
		put(line, NULL, 0);
	}
	return rc;
}

int unlink(const char *path)
{
	return unlinkat(AT_FDCWD, path, 0);
}

int renameat(int old_directory, const char *old, int new_directory, const char *new)
{
	char from[PATH_MAX], to[PATH_MAX], line[64], both[2 * PATH_MAX];
	absolute(old_directory, old, from);
	absolute(new_directory, new, to);
	int rc = (int)syscall(SYS_renameat2, old_directory, old, new_directory, new, 0);
	if (rc == 0 && wanted(from) && wanted(to)) {
		size_t size = strlen(from) + 1 + strlen(to);
		memcpy(both, from, strlen(from) + 1);
		memcpy(both + strlen(from) + 1, to, strlen(to));
		snprintf(line, sizeof line, "rename %zu\n", size);
		put(line, both, size);
	}
	return rc;
}

int rename(const char *old, const char *new)
{
	return renameat(AT_FDCWD, old, AT_FDCWD, new);
}

int mkdirat(int directory, const char *path, mode_t mode)
{
	char full[PATH_MAX], line[PATH_MAX + 64];
	const char *name = absolute(directory, path, full);
	struct stat st;
	int rc = (int)syscall(SYS_mkdirat, directory, path, mode);
	if (rc == 0 && *name && stat(name, &st) == 0) {
		snprintf(line, sizeof line, "mkdir %llu %s\n", (unsigned long long)st.st_ino, name);
		put(line, NULL, 0);
	}
	return rc;
}

int mkdir(const char *path, mode_t mode)
{
	return mkdirat(AT_FDCWD, path, mode);
}

int fflush(FILE *file)
{
	int (*real)(FILE *) = (int (*)(FILE *))dlsym(RTLD_NEXT, "fflush");
	int rc = real(file);
	if (file == stdout)
		put("print\n", NULL, 0);
	return rc;
}

int statfs(const char *path, struct statfs *status)
{
	int rc = (int)syscall(SYS_statfs, path, status);
	if (rc == 0 && getenv("RECORD_NETWORK"))
		status->f_type = NFS;
	return rc;
}
