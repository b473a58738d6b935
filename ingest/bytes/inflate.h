/*
 * Inflating one gzip member after the other, header and checksums included.
 * There are two of these, and the build takes one: ISA-L's is two to three times
 * as fast as zlib's, but before version 2.32 it goes wrong on ARM.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "ingest/bytes/compression.h"

struct inflate;

/* Stands before a member. NULL: the library cannot be opened. */
struct inflate *inflate_new(struct error *err);
/* Stands before another member. */
void inflate_reset(struct inflate *inflate);
/* Consumes packed bytes and adds unpacked ones until either side has no more; *ended at the end of
 * the member, behind its checksums. NULL, or why the data is damaged. */
const char *inflate_step(struct inflate *inflate, struct span *packed, struct room *room,
			 bool *ended);
/* How many of the bytes that were consumed are not looked at yet. */
size_t inflate_ahead(const struct inflate *inflate);
/* NULL is fine. */
void inflate_free(struct inflate *inflate);
