/*
 * Random access to an input's bytes, for formats with offsets. A file is read directly; a pipe or a
 * compressed file is first copied to a temporary file without a name. Nothing is mapped into
 * memory, so that a file which becomes shorter is an error and not a signal.
 */
#pragma once

#include "base/base.h"
#include "ingest/input/input.h"

struct random_access;

/* Only the head of the input may have been read. The input must outlive the result, which must be
 * used by one thread at a time. NULL and *err on failure. */
struct random_access *random_access_open(struct input *input, struct error *err);
uint64_t random_access_size(const struct random_access *bytes);
/* Reads `size` bytes at the offset `at`; an error if the file has fewer. */
int random_access_read(struct random_access *bytes, uint64_t at, void *buffer, size_t size,
		       struct error *err);
/* NULL is allowed. */
void random_access_close(struct random_access *bytes);
