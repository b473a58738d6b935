/*
 * Compressions of files, detected by their first bytes. Each one decompresses a stream in fixed
 * memory and verifies checksums. Data that is truncated, damaged or followed by something else is
 * an error that names the offset of the stored byte.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "ingest/bytes/byte_source.h"

enum { packing_magic_size = 4 };

/* A buffer for decompressed bytes. */
struct room {
	char *ptr;
	size_t size;
	size_t used;
};

struct packing {
	const char *name; /* "gzip" */
	/* Whether the first bytes, at least packing_magic_size if the file has as many, are of this
	 * compression. */
	bool (*detect)(struct span first);
	/* NULL and *err if its library cannot be loaded. */
	void *(*open)(struct error *err);
	/* Adds at least one byte except at the end, and at most what the bytes already read yield.
	 * On failure, the added bytes are those before the error. */
	int (*unpack)(void *state, struct stored *stored, struct room *room, struct error *err);
	void (*close)(void *state);
};

extern const struct packing gzip_packing, zstd_packing;

/* NULL: the bytes are not compressed. */
const struct packing *packing_of(struct span first);

/* Errors for bad data; always -1. */
int packing_cut_off(const struct packing *packing, const struct stored *stored, struct error *err);
int packing_followed(const struct packing *packing, const struct stored *stored, struct error *err);
int packing_damaged(const struct packing *packing, uint64_t position, const char *why,
		    struct error *err);
