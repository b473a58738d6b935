/*
 * Where the bytes of a struct json_scan come from. A large file is looked at where the system
 * keeps it (file_window.h), and read at offsets where that cannot be; everything else is read from
 * the input in its order.
 */
#ifndef INGEST_JSON_SOURCE_H
#define INGEST_JSON_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/span.h"
#include "ingest/bytes/file_window.h"
#include "ingest/input/input.h"

enum { json_window_least = 1024 * 1024 /* bytes of a large file */ };

struct json_source {
	struct input *input;
	int fd;                     /* of a large file, which stays the input's; else -1 */
	uint64_t size;              /* of that file when it was opened */
	uint64_t counted;           /* bytes before this offset are counted as progress */
	struct file_window *window; /* NULL before it is first needed */
	bool no_window;             /* there cannot be one */
};

/* Nothing of the input has been read yet. */
void json_source_open(struct json_source *source, struct input *input);
void json_source_close(struct json_source *source);
/* The next bytes in the window, with file_window_margin on either side, all of which may be written
 * to, until the next call; false when they have to be read. *before: how many bytes before them are
 * those of the document. */
bool json_source_show(struct json_source *source, uint64_t offset, struct span *bytes,
		      size_t *before);
/* Up to `size` bytes: how many, 0 only at the end, or -1. `offset` is where the bytes before
 * ended. */
int64_t json_source_read(struct json_source *source, uint64_t offset, void *buffer, size_t size,
			 struct error *err);
/* Whether bytes that were shown are not those of the file: reading it has to fail. */
int json_source_check(const struct json_source *source, struct error *err);

#endif
