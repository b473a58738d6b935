/*
 * The wire format of protocol buffers, field by field and without a schema. Only a window of the
 * file is in memory, not the message, so skipping a field of a gigabyte is free. Source of the
 * format: https://protobuf.dev/programming-guides/encoding
 */
#pragma once

#include "base/base.h"
#include "ingest/input/random_access.h"
#include "model/ntff/ntff.h"

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

struct protobuf_field {
	uint32_t number;
	enum ntff_wire wire;
	uint64_t value; /* for all wire types except NTFF_WIRE_BYTES */
	struct protobuf
		bytes; /* for NTFF_WIRE_BYTES: a message, a string or an array; else empty */
};

/* 1 and the next field; 0 at the end of the message; -1 and *err (with the byte offset) if the
 * bytes are not a field or extend beyond the message. */
int protobuf_next(struct protobuf *message, struct protobuf_field *field, struct error *err);
