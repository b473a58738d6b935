/*
 * Where the bytes of a struct json_scan come from: an input, in its order, or
 * the same bytes read at their offsets (of a file, or in memory), which several
 * threads can do at once.
 */
#ifndef INGEST_JSON_SOURCE_H
#define INGEST_JSON_SOURCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/span.h"
#include "ingest/bytes/file_window.h"
#include "ingest/input/input.h"

/* What input_is_plain() says. */
struct json_bytes {
	int fd; /* -1: they are in memory */
	struct span memory;
	uint64_t size;
};

struct json_source {
	struct input *input;            /* NULL: nobody counts what is read */
	const struct json_bytes *bytes; /* NULL: the input's, in their order */
	uint64_t counted;               /* bytes before this offset are counted */
	const atomic_bool *stopped;     /* NULL: never; when it is set reading fails */
	struct file_window *window;     /* NULL before there is one */
	bool no_window;                 /* there cannot be one */
};

/* False when the input's bytes cannot be read at their offsets. */
bool json_bytes_of(struct input *input, struct json_bytes *bytes);
/* From now on the bytes are read at their offsets; `offset` is where reading in order ended. */
void json_source_use(struct json_source *source, const struct json_bytes *bytes, uint64_t offset);
/* The next bytes where they lie, with input_margin on either side, all of which may be written to,
 * until the next call: 1, 0 when they have to be read, or -1. *before: how many bytes before them
 * are those of the document. */
int json_source_borrow(struct json_source *source, uint64_t offset, struct span *bytes,
		       size_t *before, struct error *err);
/* Whether bytes that were lent are not those of the file: reading it has to fail. */
int json_source_check(const struct json_source *source, struct error *err);
void json_source_end(struct json_source *source);
/* Up to `size` bytes: how many, 0 only at the end, or -1. `offset` is where the last read ended
 * unless there are `bytes`. */
int64_t json_source_read(struct json_source *source, uint64_t offset, void *buffer, size_t size,
			 struct error *err);

#endif
