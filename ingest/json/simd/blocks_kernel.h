/*
 * The body of each variant of blocks.h. The including source defines the following, for 64 bytes in
 * whatever registers the processor has:
 *
 *   bytes_name_ends(p, ends)  bit i: whether p[i - 1] and p[i] may end a name
 *   lanes                     one or more uint64_t with the operators of C, each for one block
 *   lanes_planes(p, plane)    plane[k] is bit k of each byte, for k from 0 to 7
 *   lanes_prefix_xor(v)       prefix_xor() of each lane
 *   lanes_moved(v, before, n) all bits n positions up, from each lane into the next one, and from
 *                             the last lane of `before` into the first one
 *   lanes_used(v)             bit i: whether lane i is not 0
 *   lanes_signs(v)            bit i: the highest bit of lane i
 *   lanes_all(bits)           sets all bits of lane i if bit i is set; higher bits are ignored
 *   json_blocks_kernel        the name of the function
 *
 * Bit i of a mask belongs to byte i of its block. Blocks are processed in groups, one step after
 * the other. Steps that do not depend on the previous block are plain loops over masks, which
 * compilers vectorize. The successor of a token is the next byte that is not white space.
 *
 * Two things are slow here. Unpredictable branches: therefore rare cases are found through a mask
 * of the blocks that have any. And stores: therefore values carried through a loop are local
 * variables, because compilers assume that a store of masks may change any other memory.
 */
#pragma once

#include "ingest/json/simd/blocks_nesting.h"

/* --- grammar --- */

/* The successors of marked bytes. An addition carries through white space, and from block to block
 * as in find_carries(). */
INLINE lanes find_successors(struct successors *carry, lanes marked, lanes blank, bool blanks)
{
	lanes next = shift(marked, &carry->marked);
	if (!blanks)
		return next;
	lanes hit = next & blank, sum = blank + hit;
	unsigned through = ~lanes_used(~sum) & ((1u << lane_count) - 1);
	unsigned in = overflows(blank, hit, sum) << 1 | carry->through;
	unsigned carries = through ^ (through + in);
	lanes one = lanes_all(carries) & (~(lanes){0} >> 63);
	carry->through = carries >> lane_count & 1;
	sum += one & blank;
	return (next | one | sum) & ~blank;
}

/* The blocks that receive a carry. `made` are the blocks that produce one, `through` those that
 * pass it on. */
INLINE uint64_t find_carries(uint64_t made, uint64_t through, uint64_t *carry)
{
	uint64_t sum, in = made << 1 | *carry;
	bool last = __builtin_add_overflow(through, in, &sum);
	*carry = made >> 63 | last;
	return sum ^ through;
}

struct tokens {
	lanes outside, bracket, comma, colon, blank;
};

INLINE struct tokens tokens_at(const struct group *g, size_t i, bool blanks)
{
	lanes outside = ~(lanes_load(g->string + i) | lanes_load(g->quote + i));
	return (struct tokens){
		outside, lanes_load(g->bracket + i), lanes_load(g->comma + i) & outside,
		lanes_load(g->colon + i) & outside, blanks ? lanes_load(g->blank + i) : (lanes){0}};
}

/* The positions where items end; if records are wanted,
 * the colons after names that may be wanted. */
INLINE lanes find_positions(struct group *g, size_t i, const struct tokens *t, struct carry *carry,
			    bool wanted)
{
	lanes positions = lanes_load(g->at_level + i);
	if (wanted) /* the quote is between the last letter and the colon */
		positions &= t->colon & further(lanes_load(g->wanted + i), 2, &carry->wanted);
	else
		positions = (positions & t->comma) | lanes_load(g->ends + i);
	lanes_store(g->positions + i, positions);
	return positions;
}

/* Finds the first bytes of scalars. Bytes that are not plain digits, or digits after a leading 0,
 * are stored in g->odd and checked later. */
INLINE lanes find_odd(struct group *g, size_t i, lanes scalar, struct carry *carry)
{
	lanes start = scalar & ~shift(scalar, &carry->scalar);
	lanes after_zero = shift(lanes_load(g->zero + i) & start, &carry->zero);
	lanes_store(g->odd + i, scalar & (~lanes_load(g->digit + i) | after_zero));
	return start;
}

/* Masks with one bit per block. */
struct blocks {
	uint64_t made, through; /* carries of names; see find_carries() */
	uint64_t full;          /* the whole block is one scalar */
	uint64_t positions;
};

/* Checks which token may follow which, except for names. */
INLINE struct blocks check_values(struct state *s, bool wanted, bool blanks)
{
	struct group *g = &s->g;
	struct carry carry = s->carry; /* a local copy stays in registers */
	struct blocks found = {0};
	uint64_t not_through = 0, not_full = 0;
	for (size_t i = 0; i < s->count; i += lane_count) {
		const struct tokens t = tokens_at(g, i, blanks);
		lanes close = lanes_load(g->close + i), open = t.bracket & ~close;
		lanes objects = lanes_load(g->in_object + i);
		lanes no_close =
			find_successors(&carry.separator, t.comma | t.colon, t.blank, blanks);
		lanes due = no_close | find_successors(&carry.opened, open, t.blank, blanks);
		lanes name_due = find_successors(&carry.name_due, (open | t.comma) & objects,
						 t.blank, blanks);
		lanes scalar = t.outside & ~(t.bracket | t.comma | t.colon | t.blank);
		lanes begin = find_odd(g, i, scalar, &carry) | open;
		lanes string = lanes_load(g->string + i);
		lanes opening = lanes_load(g->quote + i) & string;
		/* Adding the opening quotes of names carries up to their closing quotes. */
		lanes names = opening & name_due, named = string + names;
		lanes_store(g->named + i, named);
		lanes_store(g->wrong + i, ((begin | opening) & ~due) | (t.comma & due) |
						  (close & no_close) | (begin & name_due));
		found.made |= (uint64_t)overflows(string, names, named) << i;
		not_through |= (uint64_t)lanes_used(~named) << i;
		not_full |= (uint64_t)lanes_used(~scalar) << i;
		found.positions |= (uint64_t)lanes_used(find_positions(g, i, &t, &carry, wanted))
				   << i;
	}
	s->carry = carry;
	found.through = ~not_through;
	found.full = ~not_full;
	return found;
}

/* Checks that the successor of each name is a colon, and that all colons are such successors. In
 * wanted records names must not have escapes, and no white space may precede the colon from which
 * they are found. Returns the blocks with possible errors. */
INLINE uint64_t check_names(struct state *s, uint64_t carries, bool wanted, bool blanks)
{
	struct group *g = &s->g;
	struct carry carry = s->carry;
	uint64_t rare = 0;
	for (size_t i = 0; i < s->count; i += lane_count) {
		const struct tokens t = tokens_at(g, i, blanks);
		lanes named = lanes_load(g->named + i) - lanes_all((unsigned)(carries >> i));
		lanes string = lanes_load(g->string + i);
		lanes closing = named & lanes_load(g->quote + i) & ~string;
		lanes wrong = lanes_load(g->wrong + i);
		wrong |= t.colon ^ find_successors(&carry.colon_due, closing, t.blank, blanks);
		if (wanted)
			wrong |= string & ~named & lanes_load(g->backslash + i);
		if (blanks) {
			lanes hidden = shift(t.blank, &carry.blank);
			wrong |= wanted ? t.colon & hidden : (lanes){0};
		}
		lanes_store(g->wrong + i, wrong);
		rare |= (uint64_t)lanes_used(wrong | lanes_load(g->odd + i)) << i;
	}
	s->carry = carry;
	return rare;
}

/* Checks each scalar that is not a plain run of digits. It ends after the byte that was found,
 * unless another program writes to the file meanwhile. */
static bool are_scalars(const char *p, uint64_t odd, const char *begin)
{
	while (odd) {
		const char *found = p + lowest(odd), *at = found;
		while (at > begin && json_in_scalar(at[-1]))
			at--;
		at = json_scalar_end(at);
		if (!at || at <= found || json_in_scalar(*at))
			return false;
		if (at - p >= 64)
			break;
		odd &= bits_from((unsigned)(at - p));
	}
	return true;
}

/* Stops at the first block with a token in a wrong position. */
INLINE void check(struct state *s, const char *begin, bool wanted, bool blanks)
{
	struct group *g = &s->g;
	const struct blocks found = check_values(s, wanted, blanks);
	uint64_t carries = find_carries(found.made, found.through, &s->carry.name);
	uint64_t rare = check_names(s, carries, wanted, blanks);
	s->positions = found.positions;
	if (s->closed) {
		g->wrong[s->count - 1] &= s->live;
		g->odd[s->count - 1] &= s->live;
	}
	for (rare = (rare | found.full) & bits_below(s->count); rare; rare &= rare - 1) {
		unsigned i = lowest(rare);
		if (found.full >> i & 1 || g->wrong[i] ||
		    !are_scalars(s->p + 64 * i, g->odd[i], begin)) {
			stop_at(s, i);
			return;
		}
	}
}

/* --- items --- */

/* Lists the positions of the bits set in the masks of the given blocks. */
INLINE size_t list_bits(const uint64_t *found, uint64_t blocks, uint16_t *list)
{
	size_t count = 0;
	for (; blocks; blocks &= blocks - 1) {
		unsigned i = lowest(blocks);
		uint64_t mask = found[i];
		do /* two at a time, as most blocks have, without a branch for each */
			for (int k = 0; k < 2; k++) {
				list[count] = (uint16_t)(64 * i + lowest(mask | (uint64_t)1 << 63));
				count += mask != 0;
				mask &= mask - 1;
			}
		while (mask);
	}
	return count;
}

/* Appends the group's colons that may be wanted to the remaining ones.
 * Returns their total number. */
INLINE size_t add_colons(struct state *s, const struct json_blocks *job)
{
	size_t colons = s->colons;
	const size_t count =
		list_bits(s->g.positions, s->positions & bits_below(s->count), s->list);
	const uint32_t offset = (uint32_t)(s->p - job->at);
	for (size_t i = 0; i < count; i++) {
		unsigned name = json_names_slot(job->names, s->p + s->list[i]);
		s->colon[colons] = (struct json_colon){offset + s->list[i], name};
		colons += name != 0;
	}
	s->colon[colons] = (struct json_colon){UINT32_MAX, 0};
	return colons;
}

/* Processes the records that end in the group. */
INLINE enum json_blocks_stop pass_records(struct state *s, struct json_blocks *job)
{
	const struct json_colon *colon = s->colon, *end = s->colon + add_colons(s, job);
	const size_t count = list_bits(s->g.ends, s->ends & bits_below(s->count), s->list);
	for (size_t i = 0; i < count; i++) {
		job->looked_at = s->p + s->list[i] / 64 * 64;
		colon = json_blocks_record(job, s->p + s->list[i] + 1, colon);
		if (!colon)
			return JSON_BLOCKS_LEFT;
	}
	job->looked_at = s->p;
	s->colons = (size_t)(end - colon);
	if (s->colons > colons_limit)
		return JSON_BLOCKS_LEFT;
	memmove(s->colon, colon, s->colons * sizeof *colon);
	return JSON_BLOCKS_BYTES;
}

/* Skips up to the last item that ends in the group, before a comma or with a bracket. */
INLINE void pass_items(const struct state *s, struct json_blocks *job)
{
	for (size_t i = s->count; i > 0; i--) {
		uint64_t live = s->closed && i == s->count ? s->live : ~(uint64_t)0;
		uint64_t positions = s->g.positions[i - 1] & live;
		if (!positions)
			continue;
		const char *last = s->p + 64 * i - 1 - __builtin_clzll(positions);
		job->consumed = last + (*last != ',');
		return;
	}
}

/* --- all of it --- */

INLINE enum json_blocks_stop run(struct json_blocks *job, bool wanted)
{
	struct state s;
	s.carry = (struct carry){.opened = {lanes_top(job->fresh), 0},
				 .name_due = {lanes_top(job->fresh && job->object), 0}};
	s.nest = (struct nesting){job->object, 0};
	s.level = wanted;
	s.deepest = job->levels < deepest ? job->levels : deepest;
	s.closed = false;
	s.live = ~(uint64_t)0;
	s.colons = 0;
	s.positions = s.ends = 0;
	for (s.p = job->at; job->end - s.p >= 64; s.p += 64 * s.count) {
		size_t blocks = (size_t)(job->end - s.p) / 64;
		blocks = s.count = blocks < group_limit ? blocks : group_limit;
		classify(&s);
		if (wanted)
			find_name_ends(&s, job->names);
		find_brackets(&s, job->end);
		if (!find_few_levels(&s, wanted))
			find_levels(&s);
		if (s.count && s.blanks)
			check(&s, job->at, wanted, true);
		else if (s.count)
			check(&s, job->at, wanted, false);
		if (!wanted)
			pass_items(&s, job);
		enum json_blocks_stop stop = wanted ? pass_records(&s, job) : JSON_BLOCKS_BYTES;
		if (stop != JSON_BLOCKS_BYTES)
			return stop;
		job->looked_at = s.p + 64 * s.count;
		if (s.closed)
			return JSON_BLOCKS_CLOSED;
		if (s.count < blocks)
			return JSON_BLOCKS_LEFT;
	}
	return JSON_BLOCKS_BYTES;
}

enum json_blocks_stop json_blocks_kernel(struct json_blocks *job)
{
	return job->names ? run(job, true) : run(job, false);
}
