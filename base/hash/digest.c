/* Converts hashes from hexadecimal digits to bytes and back. */
#include "base/hash/digest.h"

#include "base/hash/sha256.h"

static const char digits[] = "0123456789abcdef";

static int digit_value(char c)
{
	const char *at = strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
	return at ? (int)(at - digits) : -1;
}

bool hash_range(const char *prefix, struct hash_bytes *first, struct hash_bytes *last)
{
	size_t len = strlen(prefix);
	if (len > 2 * sizeof first->byte)
		return false;
	memset(first->byte, 0x00, sizeof first->byte);
	memset(last->byte, 0xff, sizeof last->byte);
	for (size_t i = 0; i < len; i++) {
		int value = digit_value(prefix[i]);
		int shift = i % 2 ? 0 : 4;
		if (value < 0)
			return false;
		first->byte[i / 2] |= (unsigned char)(value << shift);
		last->byte[i / 2] &= (unsigned char)~((~value & 15) << shift);
	}
	return true;
}

bool hash_parse(const char *hex, struct hash_bytes *hash)
{
	struct hash_bytes last;
	return strlen(hex) == 2 * sizeof hash->byte && hash_range(hex, hash, &last);
}

void hash_hex(const unsigned char bytes[32], char hex[65])
{
	for (size_t i = 0; i < 32; i++) {
		hex[2 * i] = digits[bytes[i] >> 4];
		hex[2 * i + 1] = digits[bytes[i] & 15];
	}
	hex[64] = 0;
}

void hash_bytes_of(struct span bytes, struct hash_bytes *hash)
{
	struct sha256 sum;
	char hex[65];
	sha256_init(&sum);
	sha256_add(&sum, bytes.ptr, bytes.len);
	sha256_hex(&sum, hex);
	hash_parse(hex, hash);
}
