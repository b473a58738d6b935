/*
 * A thread that reads ahead: it asks a source for bytes into a ring of a few
 * buffers, while the caller looks at those that are full, in order and where
 * they lie. A failure of the source comes behind the bytes before it.
 */
#ifndef INGEST_BYTES_READ_AHEAD_H
#define INGEST_BYTES_READ_AHEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/span.h"

struct read_ahead;

/* *got is 0 only at the end. */
typedef int read_ahead_source(void *context, void *buffer, size_t size, size_t *got,
			      struct error *err);

/* The source belongs to the thread until read_ahead_free(). When it is steady, that is when it
 * never waits for somebody else, several buffers may be handed over at once. NULL when there can be
 * no thread. */
struct read_ahead *read_ahead_start(read_ahead_source *source, void *context, bool steady);
/* The next bytes, which stay until the next call; none only at the end. */
int read_ahead_next(struct read_ahead *ahead, struct span *bytes, struct error *err);
/* Waits for the call of the source that is under way. NULL is fine. */
void read_ahead_free(struct read_ahead *ahead);

#endif
