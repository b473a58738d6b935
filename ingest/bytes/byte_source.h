/*
 * The stored bytes of a descriptor or of memory, before decompression. Bytes that were read and not
 * consumed are in `rest`; a consumer advances its beginning. A thread that waits for a pipe or a
 * terminal is woken by `stop_fd`.
 */
#pragma once

#include "base/base.h"

enum { stored_size = 256 * 1024 };

struct byte_source {
	int fd;             /* -1: the bytes are in memory */
	int stop_fd;        /* reading ends when it becomes readable; -1 none */
	struct span memory; /* bytes in memory that are not in `rest` yet */
	struct span rest;
	uint64_t fetched;
	_Atomic uint64_t *progress; /* NULL: bytes are not counted */
	char *buffer;               /* stored_size bytes; NULL until it is needed */
};

/* Ensures that `rest` has at least `min` bytes, which is at most stored_size; fewer only at the
 * end. */
int byte_source_fill(struct byte_source *stored, size_t min, struct error *err);
/* Copies up to `size` bytes from `rest`, or reads them directly if it is empty; *got is 0 only at
 * the end. */
int byte_source_read(struct byte_source *stored, void *buffer, size_t size, size_t *got,
		     struct error *err);
/* The number of consumed bytes. */
uint64_t byte_source_position(const struct byte_source *stored);
void byte_source_free(struct byte_source *stored);
