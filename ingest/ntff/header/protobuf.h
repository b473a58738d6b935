/*
 * The wire format of protocol buffers, field by field, without a schema and
 * without holding the message: only a window of the file is in memory, so a
 * field of a gigabyte costs nothing to step over.
 * Source of the format: https://protobuf.dev/programming-guides/encoding
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "ingest/input/random_access.h"

enum { protobuf_window = 4096 };

/* What all messages of one file share; all zero at first but the bytes. */
struct protobuf_source {
	struct random_access *bytes;
	uint64_t window_at;
	size_t window_len;
	unsigned char window[protobuf_window];
};

/* A message, or what is left of it: the bytes [at, end) of the file. */
struct protobuf {
	struct protobuf_source *source;
	uint64_t at, end;
};

enum protobuf_wire {
	PROTOBUF_VARINT = 0,
	PROTOBUF_FIXED64 = 1,
	PROTOBUF_BYTES = 2,
	PROTOBUF_FIXED32 = 5
};

struct protobuf_field {
	uint32_t number;
	enum protobuf_wire wire;
	uint64_t value;        /* of all wire types but PROTOBUF_BYTES */
	struct protobuf bytes; /* of PROTOBUF_BYTES: a message, a string or an array */
};

/* 1 and the next field, 0 at the end of the message, -1 and *err (with the byte offset) when the
 * bytes are no field or reach beyond the message. */
int protobuf_next(struct protobuf *message, struct protobuf_field *field, struct error *err);
/* The first `limit` bytes of the field, which must be PROTOBUF_BYTES, in the arena, with a NUL
 * behind them that is not counted. */
int protobuf_copy(struct arena *arena, const struct protobuf_field *field, size_t limit,
		  struct span *bytes, struct error *err);
