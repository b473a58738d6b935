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

static mode_t new_mode(void)
{
	mode_t mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

static void close_writer(struct file_writer *writer)
{
	path_close(&writer->at);
	writer->made.fd = -1;
}

/* The path refers to itself, so it must not be copied. */
int file_begin(struct file_writer *writer, const char *path, struct error *err)
{
	struct stat old;
	struct path *at = &writer->at;
	if (path_open("write", path, at, err) < 0)
		return -1;
	bool exists = fstatat(at->directory, at->name, &old,
			      at->is_protected ? AT_SYMLINK_NOFOLLOW : 0) == 0;
	writer->path = path;
	writer->replaces = !exists || S_ISREG(old.st_mode);
	writer->mode = exists ? old.st_mode & 07777 : new_mode();
	if (writer->replaces)
		temporary_make(at->directory, at->name, TEMPORARY_FILE, NULL, &writer->made);
	else
		writer->made.fd = openat(at->directory, at->name,
					 O_WRONLY | O_CLOEXEC | O_NOCTTY | path_flags(at));
	if (writer->made.fd >= 0)
		return 0;
	error_errno(err, "cannot write %s", path);
	path_close(at);
	return -1;
}

int file_add(struct file_writer *writer, struct span bytes, struct error *err)
{
	return write_all(writer->made.fd, bytes) < 0
		       ? error_errno(err, "cannot write %s", writer->path)
		       : 0;
}

/* A full disk that only close() reports is found by closing a copy of the descriptor. */
static int close_copy(int fd)
{
	int copy = dup(fd);
	return copy < 0 ? -1 : close(copy);
}

static int rename_filled(const struct file_writer *writer, bool lasting)
{
	const struct path *at = &writer->at;
	int fd = writer->made.fd;
	if (fchmod(fd, writer->mode) < 0 || (lasting && fsync(fd) < 0))
		return -1;
	if (close_copy(fd) < 0 ||
	    renameat(at->directory, writer->made.name, at->directory, at->name) < 0)
		return -1;
	if (lasting)
		path_sync(at->directory);
	return 0;
}

/* The lock of the temporary file is held until it has its final name. */
int file_end(struct file_writer *writer, bool lasting, struct error *err)
{
	if (writer->replaces && rename_filled(writer, lasting) < 0) {
		error_errno(err, "cannot write %s", writer->path);
		file_abandon(writer);
		return -1;
	}
	int rc = close(writer->made.fd); /* NFS reports a full disk there */
	if (rc < 0)
		error_errno(err, "cannot write %s", writer->path);
	close_writer(writer);
	return rc;
}

void file_abandon(struct file_writer *writer)
{
	if (writer->replaces)
		unlinkat(writer->at.directory, writer->made.name, 0);
	close(writer->made.fd);
	close_writer(writer);
}

void file_batch_abandon(struct file_batch *batch)
{
	for (size_t i = 0; i < batch->count; i++)
		file_abandon(batch->items[i]);
	batch->count = 0;
}

int file_batch_end(struct file_batch *batch, struct error *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < batch->count; i++)
		if (batch->items[i]->replaces && close_copy(batch->items[i]->made.fd) < 0)
			rc = error_errno(err, "cannot write %s", batch->items[i]->path);
	for (size_t i = 0; i < batch->count; i++)
		if (rc < 0)
			file_abandon(batch->items[i]);
		else
			rc = file_end(batch->items[i], false, err);
	batch->count = 0;
	return rc;
}

static int write_whole(const char *path, struct span bytes, bool lasting, struct error *err)
{
	struct file_writer writer;
	if (file_begin(&writer, path, err) < 0)
		return -1;
	if (file_add(&writer, bytes, err) == 0)
		return file_end(&writer, lasting, err);
	file_abandon(&writer);
	return -1;
}

int file_write(const char *path, struct span bytes, struct error *err)
{
	return write_whole(path, bytes, true, err);
}

int file_write_derived(const char *path, struct span bytes, struct error *err)
{
	return write_whole(path, bytes, false, err);
}
