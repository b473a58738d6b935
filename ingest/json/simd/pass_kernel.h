/*
 * The body of every variant of json_pass.h. It is included behind
 * json_blocks_kernel.h, by the same sources, which have also defined
 *
 *   struct bytes and bytes_load(const char *)
 *   bytes_equal(b, c)      bytes equal to c
 *   bytes_with(b, bits)    the bytes with these bits set
 *   json_pass_kernel       the name of the function
 */
#ifndef INGEST_JSON_SIMD_PASS_KERNEL_H
#define INGEST_JSON_SIMD_PASS_KERNEL_H

#include "ingest/json/simd/pass.h"

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

/* Block by block. */
static const char *pass_blocks(struct json_pass *pass, const char *p, const char *end)
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

/* A group of blocks. False when the value ends in it, or is nested deeper than two bits can count:
 * then nothing is changed. */
INLINE bool pass_group(struct state *s, struct json_pass *pass)
{
	struct group *g = &s->g;
	uint64_t depth = pass->depth - 1, level[2] = {depth & 1, depth >> 1}, begin[2];
	uint64_t odd[2] = {0};
	lanes beyond = {0};
	if (depth >= shallow)
		return false;
	s->carry.in_string = pass->in_string;
	s->carry.backslash = lanes_top(pass->escaped);
	classify(s, false);
	uint64_t inside = find_strings(s);
	for (size_t i = 0; i < group_limit; i += lane_count) {
		lanes outside = ~lanes_turned(g->string, i, inside);
		lanes bracket = lanes_load(g->bracket + i) & outside;
		lanes close = lanes_load(g->close + i) & outside;
		lanes_store(g->bracket + i, bracket);
		lanes_store(g->close + i, close);
		count_levels(g, i, bracket, close, odd);
	}
	add_levels(odd, level, begin);
	for (size_t i = 0; i < group_limit; i += lane_count)
		beyond |= lanes_beyond(g, i, begin);
	if (lanes_used(beyond))
		return false;
	pass->depth = (level[0] | level[1] << 1) + 1;
	pass->in_string = s->carry.in_string;
	pass->escaped = is_top(s->carry.backslash);
	return true;
}

const char *json_pass_kernel(struct json_pass *pass, const char *p, const char *end)
{
	enum { group_size = 64 * group_limit };
	struct state s;
	s.count = group_limit;
	for (; end - p >= group_size; p += group_size) {
		s.p = p;
		if (!pass_group(&s, pass)) {
			const char *to = pass_blocks(pass, p, p + group_size);
			if (to < p + group_size)
				return to;
		}
	}
	return pass_blocks(pass, p, end);
}

#endif
