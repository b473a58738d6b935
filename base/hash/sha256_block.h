/* One block of SHA-256, in plain C and by the instructions that x86 processors have for it. */
#ifndef BASE_HASH_SHA256_BLOCK_H
#define BASE_HASH_SHA256_BLOCK_H

#include <stdint.h>

extern const uint32_t sha256_constants[64];

/* 64 bytes into the state. */
void sha256_block(uint32_t state[8], const unsigned char *block);
/* The same, about six times as fast; only where processor_has(PROCESSOR_SHA). */
void sha256_x86_block(uint32_t state[8], const unsigned char *block);

#endif
