/*
 * Values in the compact protocol of Apache Thrift
 * (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md), in the order
 * of the bytes. What a field means is the caller's business.
 */
#pragma once

#include "base/base.h"

/* Bytes that are being read. After `damaged`, which stays true, everything reads as 0 or empty. */
struct thrift {
	struct span rest;
	bool damaged;
};

enum thrift_type {
	THRIFT_STOP = 0, /* the end of a structure */
	THRIFT_TRUE = 1,
	THRIFT_FALSE = 2,
	THRIFT_BYTE = 3,
	THRIFT_I16 = 4,
	THRIFT_I32 = 5,
	THRIFT_I64 = 6,
	THRIFT_DOUBLE = 7,
	THRIFT_BINARY = 8,
	THRIFT_LIST = 9,
	THRIFT_SET = 10,
	THRIFT_MAP = 11,
	THRIFT_STRUCT = 12
};

/* The head of the next field of a structure; THRIFT_STOP at its end and after damage. *id is the
 * number of the previous field, 0 before the first, and becomes that of this one. The caller then
 * reads the value, or skips it. */
enum thrift_type thrift_field(struct thrift *thrift, int *id);
/* The value of a field of one of the types THRIFT_TRUE to THRIFT_I64; others count as damage. */
int64_t thrift_integer(struct thrift *thrift, enum thrift_type type);
/* The value of a THRIFT_BINARY; any other type counts as damage. */
struct span thrift_bytes(struct thrift *thrift, enum thrift_type type);
/* The head of a list: the number of its items, which is at most that of the bytes left. A list of
 * items of another type than `wanted`, and any other value, count as damage. */
size_t thrift_list(struct thrift *thrift, enum thrift_type type, enum thrift_type wanted);
/* Whether the field is a structure; any other type counts as damage. */
bool thrift_struct(struct thrift *thrift, enum thrift_type type);
void thrift_skip(struct thrift *thrift, enum thrift_type type);
