/* Converts SHA-256 hashes between 32 bytes (as stored) and 64 hexadecimal digits (as shown). */
#pragma once

#include "base/base.h"

struct hash_bytes {
	unsigned char byte[32];
};

/* The SHA-256 of the bytes. */
void hash_bytes_of(struct span bytes, struct hash_bytes *hash);
/* Parses 64 hexadecimal digits of either case; false if the text is anything else. */
bool hash_parse(const char *hex, struct hash_bytes *hash);
/* The first and the last hash that begin with the prefix; false if it has more than 64 characters
 * or a character that is not a hexadecimal digit. */
bool hash_range(const char *prefix, struct hash_bytes *first, struct hash_bytes *last);
/* Writes 64 lower-case digits and a NUL. */
void hash_hex(const unsigned char bytes[32], char hex[65]);
