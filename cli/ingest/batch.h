/*
 * Reading many files at once: threads take them in order, results stay in order, and what fails
 * first by order is what failed, whatever the number of threads. A packed file that is most of what
 * there is to read, and a pipe, have a second thread that unpacks or fetches ahead.
 */
#pragma once

#include "ingest/reader.h"

struct batch_item {
	const char *path; /* "-" is standard input */
	uint64_t bytes;   /* as stored; 0: not known, or none */
	/* After reading: */
	bool was_read;               /* false: something before it failed */
	int rc;                      /* -1: see err */
	const struct reader *reader; /* NULL when none knows the file */
	struct arena arena;          /* owns the result; for the caller to adopt or to free */
	struct ingest_result result;
	struct error err;
};

/* How far it is; called every 0.2 s or so by the thread that called batch_read(). */
struct batch_progress {
	size_t files;   /* done */
	uint64_t bytes; /* stored bytes that were read so far, of files being read too */
};
typedef void batch_watch(void *context, const struct batch_progress *progress);

struct batch_options {
	const struct input_hints *hints;
	size_t threads;     /* at least 1 */
	bool keep_going;    /* no failure ends the batch */
	batch_watch *watch; /* NULL: nobody watches */
	void *context;
};

/* Whether the item's failure ends the batch: a known format that is broken, or a file that cannot
 * be opened. A file that no reader knows does not: whether it had to be known is for the caller. */
bool batch_failed(const struct batch_item *item);
/* Reads the items until one fails; its own failures are those of the items. */
void batch_read(struct batch_item *items, size_t count, const struct batch_options *options);
