/*
 * The body of every variant of json_pass.h. It is included behind
 * json_blocks_kernel.h, by the same sources, which have also defined
 * json_pass_kernel, the name of the function.
 */
#ifndef INGEST_JSON_PASS_KERNEL_H
#define INGEST_JSON_PASS_KERNEL_H

#include "ingest/json_pass.h"

/* Whether a closing bracket is the one of the value, when `depth` brackets are open before them. */
static bool closes_value(uint64_t open, uint64_t close, uint64_t depth)
{
	for (uint64_t closed = 1; close; close &= close - 1, closed++) {
		uint64_t before = (close & -close) - 1;
		if (depth + (uint64_t)__builtin_popcountll(open & before) == closed)
			return true;
	}
	return false;
}

const char *json_pass_kernel(struct json_pass *pass, const char *p, const char *end)
{
	uint64_t inside = 0 - (uint64_t)pass->in_string, escape = pass->escaped;
	uint64_t depth = pass->depth;
	for (; end - p >= 64; p += 64) {
		const struct bytes b = bytes_load(p), folded = bytes_with(&b, 0x20);
		uint64_t quote = bytes_equal(&b, '"'), backslash = bytes_equal(&b, '\\');
		uint64_t open = bytes_equal(&folded, '{'), close = bytes_equal(&folded, '}');
		uint64_t carry = escape;
		if (backslash | escape)
			quote &= ~find_escaped(backslash, &carry);
		uint64_t string = prefix_xor(quote) ^ inside;
		open &= ~string;
		close &= ~string;
		uint64_t closed = (uint64_t)__builtin_popcountll(close);
		if (closed >= depth && closes_value(open, close, depth))
			break;
		depth += (uint64_t)__builtin_popcountll(open) - closed;
		inside = 0 - (string >> 63);
		escape = carry;
	}
	*pass = (struct json_pass){depth, inside != 0, escape != 0};
	return p;
}

#endif
