/* Numbers that look random and are the same on every machine: xorshift64. */
#ifndef TESTS_UNIT_RANDOM_H
#define TESTS_UNIT_RANDOM_H

#include <stddef.h>

static unsigned long long random_state = 88172645463325252ull;

static inline size_t random_below(size_t limit)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (size_t)(random_state % limit);
}

#endif
