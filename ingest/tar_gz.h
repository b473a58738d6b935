/*
 * One small file out of a gzipped tar that streams by: memory is that of the
 * file, and reading ends with it. An archive without it costs at most
 * tar_unpacked_limit bytes of unpacking.
 */
#ifndef INGEST_TAR_GZ_H
#define INGEST_TAR_GZ_H

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/span.h"
#include "ingest/input.h"

enum { tar_unpacked_limit = 1 << 30 };

/* The file `name` of the archive that the rest of the input is. *bytes has a NULL ptr when it is
 * not there, is no regular file, or is larger than `limit`; damage before it is an error. */
int tar_gz_file(struct arena *arena, struct input *input, const char *name, size_t limit,
		struct span *bytes, struct error *err);

#endif
