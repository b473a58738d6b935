/*
 * Reads many files at once. Threads take files in order and results stay in order. The reported
 * failure is the first one in that order, whatever the number of threads. A pipe, and a compressed
 * file with a large share of all bytes, has a second thread that reads or decompresses ahead.
 */
#ifndef CLI_INGEST_BATCH_H
#define CLI_INGEST_BATCH_H

#include "ingest/reader.h"

struct batch_item {
	const char *path; /* "-" is standard input */
	uint64_t bytes;   /* stored size; 0: unknown or empty */
	/* After reading: */
	bool was_read;               /* false: an earlier item failed */
	int rc;                      /* -1: see err */
	const struct reader *reader; /* NULL if no reader detects the file */
	struct arena arena;          /* owns the result; the caller adopts or frees it */
	struct ingest_result result;
	struct error err;
};

/* The progress; reported about every 0.2 s by the thread that called batch_read(). */
struct batch_progress {
	size_t files;   /* completed */
	uint64_t bytes; /* stored bytes read so far, including files that are being read */
};
typedef void batch_watch(void *context, const struct batch_progress *progress);

struct batch_options {
	const struct input_hints *hints;
	size_t threads;     /* at least 1 */
	bool keep_going;    /* a failure does not end the batch */
	batch_watch *watch; /* NULL: progress is not reported */
	void *context;
};

/* Whether the item's failure ends the batch: a damaged file of a known format, or a file that
 * cannot be opened. A file that no reader detects is not a failure here; the caller decides. */
bool batch_failed(const struct batch_item *item);
/* Reads the items until one fails. All errors are reported in the items. */
void batch_read(struct batch_item *items, size_t count, const struct batch_options *options);

#endif
