/* SHA-256 (FIPS 180-4): names content, keeps nothing secret. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct sha256 {
	uint32_t state[8];
	uint64_t bytes;
	unsigned char block[64];
};

void sha256_init(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *bytes, size_t len);
/* 64 lower-case hexadecimal digits and a NUL; the hash must be initialised again before reuse. */
void sha256_hex(struct sha256 *hash, char hex[65]);
