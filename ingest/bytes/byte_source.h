/*
 * Stored bytes: those of a descriptor or of memory as they are, before anything
 * is unpacked. What was fetched and is not consumed yet lies in `rest`; whoever
 * consumes of it moves its beginning. A thread that waits for a pipe or a
 * terminal is woken by `stop_fd`.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum { stored_size = 64 * 1024 };

struct stored {
	int fd;             /* -1: the bytes are in memory */
	int stop_fd;        /* -1, or reading ends when it can be read */
	struct span memory; /* what is not fetched of it */
	struct span rest;
	uint64_t fetched;
	_Atomic uint64_t *progress; /* NULL: nobody counts */
	char *buffer;               /* of stored_size bytes; NULL before the first is needed */
};

/* Makes at least `least` bytes, at most stored_size, lie in `rest`; fewer only at the end. */
int stored_fill(struct stored *stored, size_t least, struct error *err);
/* Takes up to `size` bytes out of `rest`, or past it when it is empty; *got is 0 only at the end.
 */
int stored_take(struct stored *stored, void *buffer, size_t size, size_t *got, struct error *err);
/* How many stored bytes are consumed. */
uint64_t stored_position(const struct stored *stored);
void stored_free(struct stored *stored);
