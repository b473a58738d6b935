/*
 * Small files out of a gzipped tar that streams by: memory is that of one file
 * at a time. At most tar_unpacked_limit bytes are unpacked.
 */
#ifndef INGEST_CONTAINER_TAR_GZ_H
#define INGEST_CONTAINER_TAR_GZ_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/span.h"
#include "ingest/input/input.h"

enum { tar_unpacked_limit = 1 << 30 };

/* Which files are wanted, and what is done with them. */
struct tar_visitor {
	void *context;
	/* NULL at the end; "*" in a pattern stands for one part of a path: "*" "/def.json". */
	const char *const *patterns;
	size_t limit; /* bytes of one file */
	/* Called for every wanted file in the archive's order; the bytes are gone afterwards. */
	int (*file)(void *context, const char *name, struct span bytes, struct error *err);
};

/* Reads the archive that the rest of the input is. *complete is false when it goes on beyond the
 * unpacking limit, or a wanted file is larger than the visitor's; damage is an error. */
int tar_gz_read(struct input *input, const struct tar_visitor *visitor, bool *complete,
		struct error *err);

#endif
