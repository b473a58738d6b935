/*
 * Compressions of files, detected by their first bytes. Each one decompresses a stream in fixed
 * memory and verifies checksums. Data that is truncated, damaged or followed by something else is
 * an error that names the offset of the stored byte.
 */
#pragma once

#include "base/base.h"
#include "ingest/bytes/byte_source.h"

enum { packing_magic_size = 4 };

/* A buffer for decompressed bytes. */
struct room {
	char *ptr;
	size_t size;
	size_t used;
};

struct compression {
	const char *name; /* "gzip" */
	/* Whether the first bytes, at least packing_magic_size if the file has as many, are of this
	 * compression. */
	bool (*detect)(struct span first);
	/* NULL and *err if its library cannot be loaded. */
	void *(*open)(struct error *err);
	/* Adds at least one byte except at the end, and at most what the bytes already read yield.
	 * On failure, the added bytes are those before the error. */
	int (*unpack)(void *state, struct byte_source *stored, struct room *room,
		      struct error *err);
	void (*close)(void *state);
};

extern const struct compression gzip_packing, zstd_packing;

/* NULL: the bytes are not compressed. */
const struct compression *compression_of(struct span first);

/* Errors for bad data; always -1. */
int compression_cut_off(const struct compression *packing, const struct byte_source *stored,
			struct error *err);
int compression_followed(const struct compression *packing, const struct byte_source *stored,
			 struct error *err);
int compression_damaged(const struct compression *packing, uint64_t position, const char *why,
			struct error *err);
