/*
 * The second part of json_blocks_kernel.h: in which container each byte lies.
 */
#ifndef INGEST_JSON_BLOCKS_NESTING_H
#define INGEST_JSON_BLOCKS_NESTING_H

#include "ingest/json_blocks_tokens.h"

/* --- a few levels: all brackets at once --- */

/* How deep bytes lie is counted in two bits. A bracket turns the lower one; from these, the higher
 * one where it carries: an opening bracket from an odd level, a closing one to an odd level. */
INLINE lanes carries_of(lanes bracket, lanes close, lanes level)
{
	return bracket & ~(level ^ close);
}

INLINE uint64_t find_high_level(struct state *s, uint64_t *low, uint64_t *high)
{
	struct group *g = &s->g;
	uint64_t odd = 0, deep = over_blocks(s->odd_brackets, low);
	for (size_t i = 0; i < s->count; i += lane_count) {
		lanes level = lanes_turned(g->level[0], i, deep);
		lanes x = lanes_prefix_xor(
			carries_of(lanes_load(g->bracket + i), lanes_load(g->close + i), level));
		lanes_store(g->level[0] + i, level);
		lanes_store(g->level[1] + i, x);
		odd |= (uint64_t)lanes_signs(x) << i;
	}
	return over_blocks(odd, high);
}

/* Where each object of a level above 0 is open, as if none was open before the block: `odd` gets
 * the blocks that leave one open, or close one that was. False when two bits are not enough. */
INLINE bool find_objects(struct state *s, uint64_t deep, uint64_t *odd)
{
	struct group *g = &s->g;
	lanes beyond = {0};
	for (size_t i = 0; i < s->count; i += lane_count) {
		lanes bracket = lanes_load(g->bracket + i), close = lanes_load(g->close + i);
		lanes low = lanes_load(g->level[0] + i), high = lanes_turned(g->level[1], i, deep);
		lanes carries = carries_of(bracket, close, low);
		beyond |= carries_of(carries, close, high);
		lanes_store(g->level[1] + i, high);
		/* The level of a bracket's container: for a closing one, before it. */
		low ^= close;
		high ^= carries & close;
		lanes brace = bracket & lanes_load(g->brace + i);
		const lanes turns[shallow] = {brace, brace & low & ~high, brace & ~low & high,
					      brace & low & high};
		for (int k = 1; k < shallow; k++) {
			lanes object = lanes_prefix_xor(turns[k]);
			lanes_store(g->object[k] + i, object);
			odd[k] |= (uint64_t)lanes_signs(object) << i;
		}
	}
	return !lanes_used(beyond);
}

/* Which container a byte lies right in. False when brackets of two kinds close each other. */
INLINE bool find_containers(struct state *s, const uint64_t *open, bool object, bool wanted)
{
	struct group *g = &s->g;
	const lanes outer = lanes_all(0 - (unsigned)object);
	s->ends = 0;
	lanes wrong = {0};
	for (size_t i = 0; i < s->count; i += lane_count) {
		lanes close = lanes_load(g->close + i);
		lanes low = lanes_load(g->level[0] + i), high = lanes_load(g->level[1] + i);
		lanes one = lanes_turned(g->object[1], i, open[1]);
		lanes two = lanes_turned(g->object[2], i, open[2]);
		lanes three = lanes_turned(g->object[3], i, open[3]);
		lanes at_0 = ~(low | high), at_1 = low & ~high, at_2 = high & ~low;
		/* Behind a closing bracket nothing of its level is open. */
		wrong |= close & ((at_0 & one) | (at_1 & two) | (at_2 & three));
		lanes_store(g->in_object + i,
			    (at_0 & outer) | (at_1 & one) | (at_2 & two) | (low & high & three));
		lanes_store(g->at_level + i, wanted ? at_1 : at_0);
		lanes ends = close & at_0;
		lanes_store(g->ends + i, ends);
		s->ends |= (uint64_t)lanes_used(ends) << i;
	}
	return !lanes_used(wrong);
}

/* False when something is wrong, too deep, or the end of the container. */
INLINE bool find_few_levels(struct state *s, bool wanted)
{
	const struct nesting nest = s->nest;
	if (nest.depth >= shallow || s->deepest < shallow - 1)
		return false;
	uint64_t odd[shallow] = {0}, in[shallow] = {0}, open[shallow];
	for (int k = 0; k <= nest.depth; k++)
		in[k] = nest.objects >> (nest.depth - k) & 1;
	uint64_t low = nest.depth & 1, high = (unsigned)nest.depth >> 1;
	uint64_t deep = find_high_level(s, &low, &high);
	if (!find_objects(s, deep, odd))
		return false;
	for (int k = 1; k < shallow; k++)
		open[k] = over_blocks(odd[k], &in[k]);
	if (!find_containers(s, open, in[0], wanted))
		return false;
	s->nest = (struct nesting){0, (int)(low | high << 1)};
	for (int k = 0; k <= s->nest.depth; k++)
		s->nest.objects = s->nest.objects << 1 | in[k];
	return true;
}

/* --- many levels: one bracket after the other --- */

/* Masks from where something changes; `in`: whether it is so at first. */
INLINE void fill(uint64_t *to, const uint64_t *turned, size_t count, bool in)
{
	for (size_t i = 0; i < count; i++) {
		to[i] = prefix_xor(turned[i]) ^ (0 - (uint64_t)in);
		in = to[i] >> 63;
	}
}

/* Stops at what is wrong or too deep, and at the end of the container. */
static void find_levels(struct state *s)
{
	struct group *g = &s->g;
	const struct nesting nest = s->nest;
	const size_t given = s->count;
	masks objects = {0}, levels = {0}; /* where they change */
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

#endif
