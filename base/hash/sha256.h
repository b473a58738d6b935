/* SHA-256 (FIPS 180-4), as a name of content. It is not used for secrets. */
#pragma once

#include "base/base.h"

struct sha256 {
	uint32_t state[8];
	uint64_t bytes;          /* added so far */
	unsigned char block[64]; /* its first bytes % 64 bytes are not hashed yet */
};

void sha256_init(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *bytes, size_t len);
/* Writes 64 lower-case hexadecimal digits and a NUL. Before reuse, call sha256_init() again. */
void sha256_hex(struct sha256 *hash, char hex[65]);
