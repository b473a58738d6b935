/*
 * Input: a stream of bytes from a file, a pipe or memory, unpacked on the way
 * when it starts with the magic number of gzip or zstd. Its first bytes can be
 * looked at without consuming them. With two threads or more, what lies behind
 * them is unpacked, or read from a pipe, ahead of the caller.
 */
#ifndef INGEST_INPUT_INPUT_H
#define INGEST_INPUT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/span.h"

enum { input_head_size = 65536 };

struct input;

/* What a person may say about bytes that say it badly themselves; all zero: nothing. */
struct input_hints {
	const char *columns; /* "time=latency_ms:ms,kernel=op": the map of a plain table */
	const char *locale;  /* "." or ",": the decimal sign; NULL: found out from the file */
	bool summary_only;   /* of profiles with a summary nothing else is asked for */
};

/* `path` "-" is standard input. NULL and *err on failure. */
struct input *input_open(const char *path, struct error *err);
/* Never NULL; `bytes` must outlive the input. */
struct input *input_of_bytes(struct span bytes);
/* The hints must outlive the input. */
void input_set_hints(struct input *input, const struct input_hints *hints);
/* Never NULL. */
const struct input_hints *input_hints(const struct input *input);
/* Adds the stored bytes to *bytes as they are read; NULL: nobody counts. */
void input_set_progress(struct input *input, _Atomic uint64_t *bytes);
/* How many threads this input may keep busy, the caller's included: at least 1, which is what it
 * begins with. */
void input_set_threads(struct input *input, size_t threads);
/* The path of the file that holds exactly these bytes, for libraries that open files themselves;
 * NULL for memory, pipes and what is packed. */
const char *input_plain_path(struct input *input);
/* Whether the bytes can be read at any place without being unpacked: of a file of its own (then
 * *fd, which stays the input's, else -1) or in memory (then *bytes). */
bool input_is_plain(struct input *input, int *fd, struct span *bytes);
/* Counts bytes that were read at such a place as progress. */
void input_count(struct input *input, uint64_t bytes);
/* Name for messages: the path, or "standard input". */
const char *input_name(const struct input *input);
/* The first up to input_head_size bytes (unpacked); the same span until the input is closed. */
int input_head(struct input *input, struct span *head, struct error *err);
/* Reads up to `size` unpacked bytes, from the first on; *got is 0 only at the end. */
int input_read(struct input *input, void *buffer, size_t size, size_t *got, struct error *err);
/* The same without a copy: the next unpacked bytes where they lie, until the next call of either
 * or the end of the input; none only at the end. */
int input_next(struct input *input, struct span *bytes, struct error *err);
/* Reads the rest into the arena; more than `limit` bytes is an error. */
struct arena;
int input_read_all(struct arena *arena, struct input *input, size_t limit, struct span *bytes,
		   struct error *err);
/* The rest as one JSON document; NULL and *err when it is none, or longer than `limit`. */
struct json;
struct json *input_read_json(struct arena *arena, struct input *input, size_t limit,
			     struct error *err);
/* At any time: a thread that reads ahead is stopped, even one that waits for a pipe. NULL is fine.
 */
void input_close(struct input *input);

#endif
