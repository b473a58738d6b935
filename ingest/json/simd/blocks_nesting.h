/*
 * The second part of blocks_kernel.h: determines the container of each byte.
 */
#pragma once

#include "ingest/json/simd/blocks_tokens.h"

/* --- a few levels: all brackets at once --- */

/* The two bits of the level at the beginning of each block. Levels are sums over the blocks before:
 * the lower bit carries into the higher one if both summands have it. */
INLINE void add_levels(const uint64_t *odd, uint64_t *level, uint64_t *begin)
{
	begin[0] = over_blocks(odd[0], &level[0]);
	begin[1] = over_blocks(odd[1] ^ (odd[0] & begin[0]), &level[1]);
}

/* Converts levels within a block to levels within the container. */
INLINE void lanes_levels(const struct group *g, size_t i, const uint64_t *begin, lanes *low,
			 lanes *high)
{
	lanes level = lanes_load(g->level[0] + i), more = lanes_all((unsigned)(begin[0] >> i));
	*low = level ^ more;
	*high = lanes_turned(g->level[1], i, begin[1]) ^ (level & more);
}

/* For each level above 0, finds where an object of that level is open, assuming that none is open
 * at the beginning of a block. `odd` receives the blocks that change whether one is open. If
 * records are wanted, all containers of level 1 must be objects. False if they are not, or if two
 * bits are not enough. */
INLINE bool find_objects(struct state *s, const uint64_t *begin, bool wanted, uint64_t *odd)
{
	struct group *g = &s->g;
	lanes beyond = {0};
	for (size_t i = 0; i < s->count; i += lane_count) {
		lanes bracket = lanes_load(g->bracket + i), close = lanes_load(g->close + i);
		lanes low, high;
		lanes_levels(g, i, begin, &low, &high);
		lanes carries = carries_of(bracket, close, low);
		beyond |= carries_of(carries, close, high);
		lanes_store(g->level[0] + i, low);
		lanes_store(g->level[1] + i, high);
		/* The level of a bracket's container; for a closing bracket,
		 * the level before it. */
		low ^= close;
		high ^= carries & close;
		lanes brace = bracket & lanes_load(g->brace + i);
		const lanes turns[shallow] = {brace & ~(low | high), brace & low & ~high,
					      brace & ~low & high, brace & low & high};
		if (wanted)
			beyond |= bracket & ~brace & low & ~high;
		for (int k = 1 + wanted; k < shallow; k++) {
			lanes object = lanes_prefix_xor(turns[k]);
			lanes_store(g->object[k] + i, object);
			odd[k] |= (uint64_t)lanes_signs(object) << i;
		}
	}
	return !lanes_used(beyond);
}

/* Finds the innermost container of each byte. False if brackets of different kinds match. */
INLINE bool find_containers(struct state *s, const uint64_t *open, bool object, bool wanted)
{
	struct group *g = &s->g;
	const lanes outer = lanes_all(0 - (unsigned)object);
	uint64_t ends_in = 0;
	lanes wrong = {0};
	for (size_t i = 0; i < s->count; i += lane_count) {
		lanes close = lanes_load(g->close + i);
		lanes low = lanes_load(g->level[0] + i), high = lanes_load(g->level[1] + i);
		lanes at_0 = ~(low | high), at_1 = low & ~high, at_2 = high & ~low;
		lanes one = wanted ? ~at_0 : lanes_turned(g->object[1], i, open[1]);
		lanes two = lanes_turned(g->object[2], i, open[2]);
		lanes three = lanes_turned(g->object[3], i, open[3]);
		lanes ends = close & at_0;
		/* After a closing bracket no container of its level is open. */
		wrong |= close & ((at_0 & one) | (at_1 & two) | (at_2 & three));
		lanes_store(g->in_object + i,
			    (at_0 & outer) | (at_1 & one) | (at_2 & two) | (low & high & three));
		lanes_store(g->at_level + i, wanted ? at_1 : at_0);
		lanes_store(g->ends + i, ends);
		ends_in |= (uint64_t)lanes_used(ends) << i;
	}
	s->ends = ends_in;
	return !lanes_used(wrong);
}

/* Handles groups with few levels. False for errors, deeper nesting and the end of the container. */
INLINE bool find_few_levels(struct state *s, bool wanted)
{
	const struct nesting nest = s->nest;
	if (nest.depth >= shallow || s->deepest < shallow - 1)
		return false;
	uint64_t odd[shallow] = {0}, in[shallow] = {0}, open[shallow] = {0};
	for (int k = 0; k <= nest.depth; k++)
		in[k] = nest.objects >> (nest.depth - k) & 1;
	if (wanted && nest.depth > 0 && !in[1])
		return false;
	uint64_t level[2] = {nest.depth & 1, (unsigned)nest.depth >> 1}, begin[2];
	add_levels(s->odd_levels, level, begin);
	if (!find_objects(s, begin, wanted, odd))
		return false;
	in[1] |= wanted;
	for (int k = 1 + wanted; k < shallow; k++)
		open[k] = over_blocks(odd[k], &in[k]);
	if (!find_containers(s, open, in[0], wanted))
		return false;
	s->nest = (struct nesting){0, (int)(level[0] | level[1] << 1)};
	for (int k = 0; k <= s->nest.depth; k++)
		s->nest.objects = s->nest.objects << 1 | in[k];
	return true;
}

/* --- many levels: one bracket after the other --- */

/* Computes masks from the positions of changes; `in` is the state before the first byte. */
INLINE void fill(uint64_t *to, const uint64_t *turned, size_t count, bool in)
{
	for (size_t i = 0; i < count; i++) {
		to[i] = prefix_xor(turned[i]) ^ (0 - (uint64_t)in);
		in = to[i] >> 63;
	}
}

/* Handles brackets one by one. Stops at errors, at excessive depth, and at the end of the
 * container. */
static void find_levels(struct state *s)
{
	struct group *g = &s->g;
	const struct nesting nest = s->nest;
	const size_t given = s->count;
	masks objects = {0}, levels = {0}; /* positions of changes */
	for (size_t i = 0; i < given && i < s->count; i++)
		for (uint64_t bracket = g->bracket[i]; bracket; bracket &= bracket - 1) {
			unsigned at = lowest(bracket);
			bool closes = g->close[i] >> at & 1, brace = g->brace[i] >> at & 1;
			uint64_t before = s->nest.objects;
			int depth = s->nest.depth;
			if (closes ? (before & 1) != brace : depth == s->deepest) {
				stop_at(s, i);
				break;
			}
			if (closes && depth == 0) {
				s->live = ~bits_from(at);
				s->count = i + 1;
				s->closed = true;
				break;
			}
			s->nest.objects = closes ? before >> 1 : before << 1 | brace;
			s->nest.depth += closes ? -1 : 1;
			objects[i] |= ((before ^ s->nest.objects) & 1) << at;
			levels[i] |= (uint64_t)((depth == s->level) != (s->nest.depth == s->level))
				     << at;
		}
	fill(g->in_object, objects, given, nest.objects & 1);
	fill(g->at_level, levels, given, nest.depth == s->level);
	s->ends = 0;
	for (size_t i = 0; i < given; i++) {
		g->ends[i] =
			g->close[i] & (s->level ? levels[i] & ~g->at_level[i] : g->at_level[i]);
		s->ends |= (uint64_t)(g->ends[i] != 0) << i;
	}
}
