/*
 * The wire format of protocol buffers, field by field and without a schema. Only a window of the
 * file is in memory, not the message, so skipping a field of a gigabyte is free. Source of the
 * format: https://protobuf.dev/programming-guides/encoding
 */
#pragma once

#include "base/base.h"
#include "ingest/input/random_access.h"

enum { protobuf_window = 4096 };

/* Shared by all messages of one file. Initialize with zeros and set `bytes`. */
struct protobuf_source {
	struct random_access *bytes;
	uint64_t window_at;
	size_t window_len;
	unsigned char window[protobuf_window];
};

/* The unread part of a message: the bytes [at, end) of the file. */
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
	uint64_t value;        /* for all wire types except PROTOBUF_BYTES */
	struct protobuf bytes; /* for PROTOBUF_BYTES: a message, a string or an array */
};

/* 1 and the next field; 0 at the end of the message; -1 and *err (with the byte offset) if the
 * bytes are not a field or extend beyond the message. */
int protobuf_next(struct protobuf *message, struct protobuf_field *field, struct error *err);
/* Copies the first `limit` bytes of a PROTOBUF_BYTES field into the arena. A NUL follows them that
 * is not part of the span. */
int protobuf_copy(struct arena *arena, const struct protobuf_field *field, size_t limit,
		  struct span *bytes, struct error *err);
