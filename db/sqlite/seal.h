/* A checksum of the values of rows: 64 bits against damage, not against a forger. It depends on the
 * type, the length and the bytes of each value and on their order, but not on the machine or on how
 * SQLite stores them, so values can be sealed when they are bound and checked when they are read.
 */
#pragma once

#include "base/base.h"

struct seal {
	uint64_t state; /* 0 begins */
};

void seal_add_null(struct seal *seal);
void seal_add_integer(struct seal *seal, int64_t number);
/* NAN is NULL; -0 is not 0. */
void seal_add_number(struct seal *seal, double number);
/* `text` says whether the bytes are a text or a BLOB. */
void seal_add_bytes(struct seal *seal, bool text, const void *bytes, size_t len);
/* The checksum so far, as SQLite stores it. */
int64_t seal_value(const struct seal *seal);
