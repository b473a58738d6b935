/*
 * A stream of bytes from a file, a pipe or memory. Input that starts with the magic number of gzip
 * or zstd is decompressed. The first bytes can be inspected without consuming them. With two
 * threads or more, the bytes after them are read from a pipe, or decompressed, ahead of the caller.
 *
 * Never add knowledge of a format.
 */
#pragma once

#include "base/base.h"

enum { input_head_size = 262144 };

struct input;

/* Facts that the user supplies because the bytes do not state them. Zero: nothing. */
struct input_hints {
	const char *columns; /* "time=latency_ms:ms,kernel=op": the map of a plain table */
	const char *locale;  /* decimal sign, "." or ","; NULL: determined from the file */
	bool summary_only;   /* for profiles with a summary: read only that */
};

/* Opens a file; "-" is standard input. NULL and *err on failure. */
struct input *input_open(const char *path, struct error *err);
/* Opens the file of this name next to a plain file, for formats of several files. NULL, with
 * ERR_NONE in *err if the file does not exist, or `input` is not a plain file. A link is an error:
 * it could lead anywhere. It counts as progress of `input`, which must outlive it. */
struct input *input_open_beside(struct input *input, const char *name, struct error *err);
/* Never NULL. `bytes` must outlive the input. */
struct input *input_of_bytes(struct span bytes);
/* The hints must outlive the input. */
void input_set_hints(struct input *input, const struct input_hints *hints);
/* Never NULL. */
const struct input_hints *input_hints(const struct input *input);
/* Adds the number of stored bytes to *bytes as they are read; NULL: they are not counted. */
void input_set_progress(struct input *input, _Atomic uint64_t *bytes);
/* How many threads this input may use, including the caller's: at least 1, which is the default. */
void input_set_threads(struct input *input, size_t threads);
/* The path of the file that contains exactly these bytes, for libraries that open files themselves.
 * NULL for memory, pipes and compressed files. */
const char *input_plain_path(struct input *input);
/* Whether the bytes support random access without decompression. For a file, *fd is its descriptor,
 * which the input owns. For memory, *fd is -1 and *bytes has all of them. */
bool input_is_plain(struct input *input, int *fd, struct span *bytes);
/* Counts bytes that were read by random access as progress. */
void input_count(struct input *input, uint64_t bytes);
/* The name for messages: the path, or "standard input". */
const char *input_name(const struct input *input);
/* The first decompressed bytes, at most input_head_size; valid until the input is closed. */
int input_head(struct input *input, struct span *head, struct error *err);
/* Reads up to `size` decompressed bytes, including the head; *got is 0 only at the end. */
int input_read(struct input *input, void *buffer, size_t size, size_t *got, struct error *err);
/* Like input_read() without a copy: the next decompressed bytes, valid until the next call of
 * either function or until the input is closed; empty only at the end. */
int input_next(struct input *input, struct span *bytes, struct error *err);
/* Reads the rest into the arena. More than `limit` bytes are an error. */
struct arena;
int input_read_all(struct arena *arena, struct input *input, size_t limit, struct span *bytes,
		   struct error *err);
/* Parses the rest as one JSON document; NULL and *err if it is invalid or longer than `limit`
 * bytes. */
struct json;
struct json *input_read_json(struct arena *arena, struct input *input, size_t limit,
			     struct error *err);
/* Closes the input at any time and stops its thread, even one that waits for a pipe. NULL is
 * allowed. */
void input_close(struct input *input);
