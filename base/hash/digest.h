/* SHA-256 names as the 32 bytes that the store keeps, and the 64 digits that people see. */
#pragma once

#include <stdbool.h>

struct hash_bytes {
	unsigned char byte[32];
};

/* 64 hexadecimal digits; false when the text is anything else. */
bool hash_parse(const char *hex, struct hash_bytes *hash);
/* The first and last hash that begin with up to 64 digits; false when there can be none. */
bool hash_range(const char *prefix, struct hash_bytes *first, struct hash_bytes *last);
void hash_hex(const unsigned char bytes[32], char hex[65]);
