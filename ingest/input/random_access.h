/*
 * An input's bytes at any place, for formats whose parts lie at offsets. A file
 * is read where it lies; what comes through a pipe or is packed is first copied
 * to a temporary file without a name. Nothing is mapped: a file that somebody
 * cuts off meanwhile is an error, not a signal.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "ingest/input/input.h"

struct random_access;

/* Nothing of the input may have been read but its head; it must outlive the result, which one
 * thread uses. NULL and *err on failure. */
struct random_access *random_access_open(struct input *input, struct error *err);
uint64_t random_access_size(const struct random_access *bytes);
/* All `size` bytes at `at`; an error where the file ends before them. */
int random_access_read(struct random_access *bytes, uint64_t at, void *buffer, size_t size,
		       struct error *err);
/* NULL is none. */
void random_access_close(struct random_access *bytes);
