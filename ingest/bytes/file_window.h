/*
 * A window on a large file: a part of it in memory as the system keeps it,
 * without a copy, with a margin on either side. Reading a file copies all of it,
 * which for a quick reader is a quarter of the work.
 *
 * A file that becomes shorter meanwhile, or whose disk fails, ends a program
 * that looks at such memory (SIGBUS). Here these bytes become zeros, and
 * file_window_failed() says so: nothing that was found in the window after that
 * holds. A file that is written to meanwhile may show old bytes once and new
 * ones another time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

enum {
	file_window_size =
		2 * 1024 * 1024, /* one entry of the processor's tables where it can be */
	file_window_margin = 64 * 1024,
	file_windows_limit = 64 /* at once */
};

struct file_window;

/* NULL where there are too many of them, or no memory. */
struct file_window *file_window_open(void);
/* NULL is fine. */
void file_window_close(struct file_window *window);
/* Looks at the file's bytes from `offset` on, which is less than `size`, the file's: as many as
 * there are up to a multiple of file_window_size. *before: how many bytes before them are the
 * file's too. They, and the margins, may be written to, which does not change the file, and stay
 * until the next call. False: they cannot be looked at in this way. */
bool file_window_move(struct file_window *window, int fd, uint64_t offset, uint64_t size,
		      struct span *bytes, size_t *before);
/* Whether bytes became zeros. */
bool file_window_failed(const struct file_window *window);
