/* Classes of ASCII characters, independent of the locale. */
#pragma once

#include <stdbool.h>

static inline bool ascii_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool ascii_is_alphanumeric(char c)
{
	return ascii_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Separates words in a line. */
static inline bool ascii_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Separates words or lines. */
static inline bool ascii_is_space(char c)
{
	return ascii_is_blank(c) || c == '\r' || c == '\n';
}
