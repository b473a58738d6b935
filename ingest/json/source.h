/*
 * Supplies the bytes of a struct json_scan. A large file is mapped (ingest/bytes/file_window.h), or
 * read at offsets if mapping fails. All other inputs are read sequentially.
 */
#pragma once

#include "base/base.h"
#include "ingest/bytes/file_window.h"
#include "ingest/input/input.h"

enum { json_window_min = 1024 * 1024 /* smallest size of a file that is mapped, bytes */ };

struct json_source {
	struct input *input;
	int fd;                     /* of a large file, owned by the input; else -1 */
	uint64_t size;              /* of that file when it was opened */
	uint64_t counted;           /* bytes before this offset are counted as progress */
	struct file_window *window; /* NULL until it is needed */
	bool no_window;             /* the file cannot be mapped */
};

/* The input must not have been read yet. */
void json_source_open(struct json_source *source, struct input *input);
void json_source_close(struct json_source *source);
/* The next bytes in the window, valid until the next call; false if they must be read. They and
 * file_window_margin bytes on either side may be written. *before is the number of bytes before
 * them that belong to the document. */
bool json_source_show(struct json_source *source, uint64_t offset, struct span *bytes,
		      size_t *before);
/* Reads up to `size` bytes and returns their number, 0 only at the end; or -1 and *err. `offset` is
 * the end of the bytes before. */
int64_t json_source_read(struct json_source *source, uint64_t offset, void *buffer, size_t size,
			 struct error *err);
/* -1 and *err if some bytes that were shown were not those of the file,
 * so that reading has failed. */
int json_source_check(const struct json_source *source, struct error *err);
