/* Recognizes ids of SHA-1 and SHA-256 repositories. */
#include "model/commits/object_id.h"

static bool is_digit(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

size_t object_id_digits(struct span text)
{
	size_t digits = 0;
	while (digits < text.len && is_digit(text.ptr[digits]))
		digits++;
	return digits == 40 || digits == 64 ? digits : 0;
}

bool object_id_is_full(struct span text)
{
	return text.len && object_id_digits(text) == text.len;
}
