/*
 * A thread that reads ahead from a source into a ring of buffers. The caller gets the full buffers
 * in order and without a copy. If the source fails, the error follows the bytes that were read
 * before.
 */
#pragma once

#include "base/base.h"

struct read_ahead;

/* Reads up to `size` bytes; *got is 0 only at the end. 0, or -1 and *err. */
typedef int read_ahead_source(void *context, void *buffer, size_t size, size_t *got,
			      struct error *err);

/* The thread owns the source until read_ahead_free(). `steady` means that the source never waits
 * for another process; then several buffers may be handed over at once. NULL if no thread can be
 * created. */
struct read_ahead *read_ahead_start(read_ahead_source *source, void *context, bool steady);
/* The next bytes, valid until the next call; empty only at the end. 0, or -1 and *err. */
int read_ahead_next(struct read_ahead *ahead, struct span *bytes, struct error *err);
/* Waits until the current call of the source has ended. NULL is allowed. */
void read_ahead_free(struct read_ahead *ahead);
