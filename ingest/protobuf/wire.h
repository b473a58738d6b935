/*
 * The fields of a message in the wire format of Protocol Buffers
 * (https://protobuf.dev/programming-guides/encoding/), in the order of the bytes. What a field
 * means is the caller's business. Messages that are too large for memory are read through a
 * window by ingest/ntff/header/protobuf.h.
 *
 * Never add knowledge of a format.
 */
#pragma once

#include "base/base.h"

/* A message that is being read. */
struct wire {
	struct span rest;
	bool damaged; /* a field did not end before the message, or its key is none */
};

enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

struct wire_field {
	uint32_t number;
	enum wire_type type;
	uint64_t integer;  /* WIRE_VARINT, and the bits of WIRE_FIXED64 and WIRE_FIXED32 */
	struct span bytes; /* WIRE_BYTES: a text, bytes, or the message of a field */
};

struct wire wire_of(struct span message);
/* The next field; false at the end, or if the message is damaged. Groups, which proto3 does not
 * have, count as damage. */
bool wire_next(struct wire *wire, struct wire_field *field);
/* The number of a field of the type double (WIRE_FIXED64) or float (WIRE_FIXED32); NAN for the
 * other two. */
double wire_double(const struct wire_field *field);
/* The message of a field; an empty one if the field has none. */
struct wire wire_inside(const struct wire_field *field);
