/* Whole files in, whole files out: a reader never sees a half-written one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* Reads a regular file or pipe of at most `limit` bytes into the arena; `path` "-" is standard
 * input. The bytes are followed by a NUL that is not counted. */
int file_read(struct arena *arena, const char *path, size_t limit, struct span *bytes,
	      struct error *err);
/* Writes a temporary file beside `path`, fsyncs it and renames it into place; on failure the
 * old file is untouched and nothing is left behind. Keeps the mode of an existing file. A symbolic
 * link stays and the file that it leads to is replaced; one that leads nowhere is replaced itself.
 * What is no regular file, such as /dev/null or a pipe, is written into. */
int file_write(const char *path, struct span bytes, struct error *err);
/* The same without the fsync, for reports and charts. Who reads one never sees half of it either,
 * and a full disk is told here, too. Should the power fail before the system has written it, it may
 * be empty; the store has what it is made of. To wait for the disk takes longer than to draw. */
int file_write_derived(const char *path, struct span bytes, struct error *err);
/* The path of what file_write() would replace, without links: one file has one, however it is
 * named. NULL for what is no regular file. -1 where its folder is missing or must not be written
 * to. */
int file_target(struct arena *arena, const char *path, const char **target, struct error *err);
bool file_exists(const char *path);
bool file_is_directory(const char *path);
/* mkdir -p */
int file_make_directory(const char *path, struct error *err);
