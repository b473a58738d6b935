/*
 * Reads small files from a gzipped tar stream. Only one file at a time is in memory. At most
 * tar_unpacked_limit bytes are decompressed.
 */
#pragma once

#include "base/base.h"
#include "ingest/input/input.h"

enum { tar_unpacked_limit = 1 << 30 };

/* Selects files and processes them. */
struct tar_visitor {
	void *context;
	/* The list ends with NULL. "*" in a pattern matches one part of a path: "*" "/def.json". */
	const char *const *patterns;
	size_t limit; /* bytes of a file */
	/* Called for each matching file in the archive's order; the bytes are valid during the
	 * call. */
	int (*file)(void *context, const char *name, struct span bytes, struct error *err);
};

/* Reads the archive from the rest of the input. *complete is false if the archive exceeds the limit
 * of decompressed bytes, or a matching file exceeds the visitor's limit. Damage is an error. */
int tar_gz_read(struct input *input, const struct tar_visitor *visitor, bool *complete,
		struct error *err);
