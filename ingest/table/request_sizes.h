/*
 * A distribution of request sizes as text: a line "size" or "size weight" each, with blanks, a
 * tab, a comma or a semicolon between; empty lines and what follows a # are skipped, as is a
 * first line "size" or "size,weight". Equal sizes add up.
 */
#ifndef INGEST_TABLE_REQUEST_SIZES_H
#define INGEST_TABLE_REQUEST_SIZES_H

#include "base/arena.h"
#include "base/error.h"
#include "base/span.h"
#include "model/sizing/buckets.h"

/* By size, each once. ERR_FORMAT with the line for anything else, and when no size has a weight. */
int request_sizes_read(struct arena *arena, struct span text, struct bucket_request **requests,
		       size_t *count, struct error *err);

#endif
