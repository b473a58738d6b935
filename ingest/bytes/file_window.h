/*
 * A window on a large file: maps a part of it into memory without a copy, with a margin on either
 * side. Reading would copy the whole file, which for a fast reader is a quarter of the work.
 *
 * Accessing mapped memory of a file that becomes shorter, or whose disk fails, raises SIGBUS, which
 * ends a program by default. Here a handler replaces the lost bytes by zeros, and
 * file_window_failed() returns true: anything found in the window since then is invalid. If the
 * file is written meanwhile, the window may show old and new bytes.
 */
#pragma once

#include "base/base.h"

enum {
	file_window_size =
		2 * 1024 * 1024, /* one entry of the processor's tables where it can be */
	file_window_margin = 64 * 1024,
	file_windows_limit = 64 /* at once */
};

struct file_window;

/* NULL if there are too many windows or no memory. */
struct file_window *file_window_open(void);
/* NULL is allowed. */
void file_window_close(struct file_window *window);
/* Moves the window to `offset`, which must be less than `size`, the size of the file. *bytes
 * extends from there to the next multiple of file_window_size or the end of the file. *before is
 * the number of bytes before them that belong to the file as well. All of them and the margins are
 * valid until the next call. They may be written, which does not change the file. False if the file
 * cannot be mapped. */
bool file_window_move(struct file_window *window, int fd, uint64_t offset, uint64_t size,
		      struct span *bytes, size_t *before);
/* Whether bytes were replaced by zeros. */
bool file_window_failed(const struct file_window *window);
