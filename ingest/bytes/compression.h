/*
 * Packings: the ways in which a file may be compressed, told by its first bytes.
 * Each unpacks as a stream, in fixed memory, and checks what can be checked:
 * data that is cut off, damaged or followed by something else is refused with
 * the stored byte.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "ingest/bytes/byte_source.h"

enum { packing_magic_size = 4 };

/* Where unpacked bytes go. */
struct room {
	char *ptr;
	size_t size;
	size_t used;
};

struct packing {
	const char *name; /* "gzip" */
	/* Whether the first bytes, packing_magic_size where there are as many, are of this kind. */
	bool (*detect)(struct span first);
	/* NULL: its library cannot be opened. */
	void *(*open)(struct error *err);
	/* Adds at least a byte, none only at the end, and as many as what is fetched gives. On
	 * failure what was added came before it. */
	int (*unpack)(void *state, struct stored *stored, struct room *room, struct error *err);
	void (*close)(void *state);
};

extern const struct packing gzip_packing, zstd_packing;

/* NULL: the bytes are not packed. */
const struct packing *packing_of(struct span first);

/* What packings say of bad data; they return -1. */
int packing_cut_off(const struct packing *packing, const struct stored *stored, struct error *err);
int packing_followed(const struct packing *packing, const struct stored *stored, struct error *err);
int packing_damaged(const struct packing *packing, uint64_t position, const char *why,
		    struct error *err);
