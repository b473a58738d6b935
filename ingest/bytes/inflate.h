/*
 * Inflates gzip members one after the other, including headers and checksums. There are two
 * implementations, of which the build selects one: ISA-L is two to three times as fast as zlib, but
 * versions before 2.32 are incorrect on ARM.
 */
#pragma once

#include "base/base.h"
#include "ingest/bytes/compression.h"

struct inflate;

/* Positioned at the start of a member. NULL and *err if the library cannot be loaded. */
struct inflate *inflate_new(struct error *err);
/* Restarts for the next member. */
void inflate_reset(struct inflate *inflate);
/* Consumes compressed bytes and adds decompressed ones until either side is exhausted. *ended is
 * set after the checksums of the member. Returns NULL, or the reason why the data is damaged. */
const char *inflate_step(struct inflate *inflate, struct span *packed, struct room *room,
			 bool *ended);
/* The number of consumed bytes that are still buffered and not decoded. */
size_t inflate_ahead(const struct inflate *inflate);
/* NULL is allowed. */
void inflate_free(struct inflate *inflate);
