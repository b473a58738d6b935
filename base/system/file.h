/*
 * Reads and writes whole files. Another process never sees a partly written file: a regular file is
 * replaced atomically, by renaming a temporary file in the same directory. The next write of the
 * same file removes the temporary file of a process that was killed.
 *
 * Paths are followed by base/system/path.h: no link in a protected directory.
 */
#pragma once

#include <sys/types.h>

#include "base/base.h"
#include "base/system/path.h"
#include "base/system/temporary.h"

/* Reads a file of at most `limit` bytes into the arena (ERR_FORMAT if it is longer); "-" is
 * standard input. A NUL that is not counted follows the bytes. Only a regular file is read, a pipe
 * that the caller opened (/dev/fd/63) or /dev/null: anything else could block for ever or never
 * end. */
int file_read(struct arena *arena, const char *path, size_t limit, struct span *bytes,
	      struct error *err);
/* The same, but follows links everywhere: for profiles, and for git's own files, which may be
 * links. */
int file_read_linked(struct arena *arena, const char *path, size_t limit, struct span *bytes,
		     struct error *err);
/* Fails unless file_read_linked() would read it. */
int file_check(const char *path, struct error *err);
/* Replaces a file; fsync() before the rename, and of the directory after it. On failure the old
 * file is unchanged and the temporary file is removed.
 *   - An existing file keeps its mode.
 *   - A symbolic link remains, and its target is replaced; a broken link is replaced itself.
 *   - Anything but a regular file, such as /dev/null or a pipe, is opened and written to. */
int file_write(const char *path, struct span bytes, struct error *err);
/* The same without fsync(), which would take longer than drawing a chart. For reports and charts:
 * after a power failure such a file may be empty, but it can be made again from the store. A full
 * disk is still an error. */
int file_write_derived(const char *path, struct span bytes, struct error *err);
/* The same for a text that is too long to be made first: begin, add piece by piece, and end or
 * abandon. The old file stays until the end, which puts the new one in its place; `lasting` is the
 * fsync() of file_write(). After a failure to begin or to end, nothing is left to abandon. */
struct file_writer {
	const char *path;
	struct path at;
	struct temporary made; /* or the pipe or device itself, opened */
	bool replaces;         /* the temporary file takes the place of the old one */
	mode_t mode;
};
int file_begin(struct file_writer *writer, const char *path, struct error *err);
int file_add(struct file_writer *writer, struct span bytes, struct error *err);
int file_end(struct file_writer *writer, bool lasting, struct error *err);
void file_abandon(struct file_writer *writer);
/* Written files that take their places together. A full disk is found before the first one does;
 * after a failure those that have not are abandoned. Both leave the batch empty. */
struct file_batch {
	struct file_writer **items;
	size_t count, capacity;
};
int file_batch_end(struct file_batch *batch, struct error *err);
void file_batch_abandon(struct file_batch *batch);
/* The path that file_write() would replace, with all links resolved: two paths of the same file
 * give the same result. *target is NULL for anything but a regular file. Fails if the directory
 * does not exist or is not writable. */
int file_target(struct arena *arena, const char *path, const char **target, struct error *err);
bool file_exists(const char *path);
bool file_is_directory(const char *path);
/* Creates a directory with its parents, as mkdir -p does; new names are synced. */
int file_make_directory(const char *path, struct error *err);
/* Deletes a file, if it exists and can be deleted. A link is itself deleted. */
void file_remove(const char *path);
/* Moves a file or directory, on the same file system. */
int file_move(const char *from, const char *to, struct error *err);
