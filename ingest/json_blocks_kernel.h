/*
 * The body of every variant of json_blocks.h. The source that includes it has
 * defined, for 64 bytes in whatever registers it has:
 *
 *   struct bytes and bytes_load(const char *)
 *   bytes_equal(b, c)         bytes equal to c
 *   bytes_with(b, bits)       the bytes with these bits set
 *   bytes_special(b)          bytes below 0x20, or from 0x80
 *   bytes_digit(b)            '0' to '9'
 *   bytes_name_ends(p, ends)  bit i: whether the two bytes before p[i - 1] may end a name
 *   masks_in_use(masks)       bit i: whether masks[i] is not 0, of 64 masks
 *   masks_signs(masks)        bit i: bit 63 of masks[i], likewise
 *   json_blocks_kernel        the name of the function
 *
 * Bit i of a mask is byte i of its block. Blocks are taken in groups, a step
 * after the other, so that the steps that do not depend on the block before are
 * plain loops over masks, which compilers turn into vector code. "Behind" a token
 * is the next byte that is no white space.
 *
 * What costs time here is branches that nobody can predict: so rare things are
 * found in a mask of the blocks that have any.
 */
#ifndef INGEST_JSON_BLOCKS_KERNEL_H
#define INGEST_JSON_BLOCKS_KERNEL_H

#include "ingest/json_blocks_tokens.h"

/* --- grammar --- */

/* The bytes behind marked ones. A sum carries through white space. */
INLINE void find_behind(const struct state *s, const uint64_t *marked, uint64_t *due,
			uint64_t *carry)
{
	const uint64_t *blank = s->g.blank;
	uint64_t last = *carry;
	if (!s->blanks) {
		shift(due, marked, s->count, carry);
		return;
	}
	for (size_t i = 0; i < s->count; i++) {
		uint64_t through, next = marked[i] << 1 | last;
		last = marked[i] >> 63;
		last |= __builtin_add_overflow(blank[i], next & blank[i], &through);
		due[i] = (next | through) & ~blank[i];
	}
	*carry = last;
}

/* Adding the opening quotes of names to the strings carries to their closing quotes. From block to
 * block a carry is made by blocks that overflow, and goes on through those that are all string:
 * again a sum. */
INLINE void find_names(struct state *s)
{
	struct group *g = &s->g;
	const size_t n = s->count;
	for (size_t i = 0; i < n; i++) {
		g->named[i] = g->string[i] + (g->quote[i] & g->string[i] & g->name_due[i]);
		g->marked[i] = g->named[i] < g->string[i];
		g->wrong[i] = !~g->named[i];
	}
	uint64_t made = blocks_with(g->marked, n), through = blocks_with(g->wrong, n), sum;
	uint64_t in = made << 1 | s->carry.name;
	bool last = __builtin_add_overflow(through, in, &sum);
	uint64_t carries = sum ^ through;
	for (size_t i = 0; i < n; i++)
		g->named[i] += carries >> i & 1;
	s->carry.name = n == 64 ? (made >> 63 | last) : carries >> n & 1;
}

/* What must follow what. */
INLINE void find_due(struct state *s)
{
	struct group *g = &s->g;
	const size_t n = s->count;
	for (size_t i = 0; i < n; i++)
		g->marked[i] = g->comma[i] | g->colon[i] | g->open[i];
	find_behind(s, g->marked, g->value_due, &s->carry.value_due);
	for (size_t i = 0; i < n; i++)
		g->marked[i] = g->comma[i] | g->colon[i];
	find_behind(s, g->marked, g->no_close, &s->carry.no_close);
	for (size_t i = 0; i < n; i++)
		g->marked[i] = (g->open[i] | g->comma[i]) & g->objects[i];
	find_behind(s, g->marked, g->name_due, &s->carry.name_due);
	find_names(s);
	for (size_t i = 0; i < n; i++)
		g->marked[i] = g->named[i] & g->quote[i] & ~g->string[i];
	find_behind(s, g->marked, g->colon_due, &s->carry.colon_due);
}

/* Looks at each scalar that is not a plain run of digits. */
static bool are_scalars(const char *p, uint64_t odd, const char *begin)
{
	while (odd) {
		const char *at = p + lowest(odd);
		while (at > begin && json_in_scalar(at[-1]))
			at--;
		at = json_scalar_end(at);
		if (!at || json_in_scalar(*at))
			return false;
		if (at - p >= 64)
			break;
		if (at > p)
			odd &= bits_from((unsigned)(at - p));
	}
	return true;
}

/* Scalars that are no plain digits. A number of two digits or more does not begin with 0. */
INLINE void find_odd(struct state *s)
{
	struct group *g = &s->g;
	const size_t n = s->count;
	shift(g->marked, g->scalar, n, &s->carry.scalar);
	for (size_t i = 0; i < n; i++) {
		g->start[i] = g->scalar[i] & ~g->marked[i];
		g->zero[i] &= g->start[i];
	}
	shift(g->marked, g->zero, n, &s->carry.zero);
	for (size_t i = 0; i < n; i++)
		g->odd[i] = g->scalar[i] & (~g->digit[i] | g->marked[i]);
}

/* Stops where a token may not stand. */
INLINE void check(struct state *s, const char *begin, bool wanted)
{
	struct group *g = &s->g;
	const size_t n = s->count;
	for (size_t i = 0; i < n; i++) {
		uint64_t others = g->start[i] | g->open[i], opening = g->quote[i] & g->string[i];
		uint64_t escapes = g->string[i] & ~g->named[i] & g->backslash[i];
		g->wrong[i] = ((others | opening) & ~g->value_due[i]) |
			      (g->comma[i] & g->value_due[i]) | (g->close[i] & g->no_close[i]) |
			      (others & g->name_due[i]) | (g->colon[i] ^ g->colon_due[i]) |
			      (wanted ? escapes : 0);
		g->rare[i] = g->wrong[i] | g->odd[i] | (~g->scalar[i] ? 0 : ~(uint64_t)0);
	}
	/* Names are found from their colons, which white space would hide. */
	if (wanted && (s->blanks || s->carry.blank)) {
		shift(g->marked, g->blank, n, &s->carry.blank);
		for (size_t i = 0; i < n; i++) {
			g->wrong[i] |= g->colon[i] & g->marked[i];
			g->rare[i] |= g->wrong[i];
		}
	}
	if (s->closed) {
		g->wrong[n - 1] &= s->live;
		g->odd[n - 1] &= s->live;
	}
	for (uint64_t rest = blocks_with(g->rare, n); rest; rest &= rest - 1) {
		unsigned i = lowest(rest);
		if (g->wrong[i] || ~g->scalar[i] == 0 ||
		    !are_scalars(s->p + 64 * i, g->odd[i], begin)) {
			stop_at(s, i);
			return;
		}
	}
}

/* --- items --- */

/* Positions in the group of the colons that may be wanted and of the brackets that end records. */
INLINE size_t list_places(struct state *s, uint16_t *places)
{
	struct group *g = &s->g;
	const size_t n = s->count;
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		g->marked[i] = (g->colon[i] & g->level[i] & g->wanted[i]) | g->end[i];
	for (uint64_t blocks = blocks_with(g->marked, n); blocks; blocks &= blocks - 1) {
		unsigned i = lowest(blocks);
		for (uint64_t mask = g->marked[i]; mask; mask &= mask - 1)
			places[count++] = (uint16_t)(64 * i + lowest(mask));
	}
	return count;
}

/* The records that end in the group: of their colons those are kept that may be wanted. */
INLINE enum json_blocks_stop take_records(struct state *s, struct json_blocks *job)
{
	const struct json_names *names = job->names;
	size_t count = list_places(s, s->places), colons = s->colons;
	uint32_t offset = (uint32_t)(s->p - job->at);
	for (size_t i = 0; i < count; i++) {
		const char *at = s->p + s->places[i];
		if (*at == ':') {
			s->colon[colons] = offset + s->places[i];
			colons += json_names_slot(names, at) != 0;
			continue;
		}
		job->looked_at = at - (at - s->p) % 64;
		if (!json_blocks_record(job, at + 1, s->colon, colons))
			return JSON_BLOCKS_LEFT;
		colons = 0;
		if (job->limit && job->taken >= job->limit)
			return JSON_BLOCKS_LIMIT;
	}
	job->looked_at = s->p;
	s->colons = colons;
	return colons <= colons_limit ? JSON_BLOCKS_BYTES : JSON_BLOCKS_LEFT;
}

/* The last item that ends in the group. */
INLINE void pass_items(const struct state *s, struct json_blocks *job)
{
	const struct group *g = &s->g;
	for (size_t i = s->count; i > 0; i--) {
		const char *p = s->p + 64 * (i - 1);
		uint64_t live = s->closed && i == s->count ? s->live : ~(uint64_t)0;
		uint64_t comma = g->comma[i - 1] & g->level[i - 1] & live, end = g->end[i - 1];
		if (!(comma | end))
			continue;
		const char *behind = end ? p + 64 - __builtin_clzll(end) : p;
		const char *before = comma ? p + 63 - __builtin_clzll(comma) : p;
		job->taken = before > behind ? before : behind;
		return;
	}
}

/* --- all of it --- */

INLINE enum json_blocks_stop run(struct json_blocks *job, bool wanted)
{
	struct state s;
	s.carry = (struct carry){.objects = 0 - (uint64_t)job->object,
				 .level = wanted ? 0 : ~(uint64_t)0,
				 .value_due = job->fresh,
				 .name_due = job->fresh && job->object};
	s.nest = (struct nesting){job->object, 0};
	s.level = wanted;
	s.deepest = job->levels < deepest ? job->levels : deepest;
	s.closed = false;
	s.live = ~(uint64_t)0;
	s.colons = 0;
	for (s.p = job->at; job->end - s.p >= 64; s.p += 64 * s.count) {
		size_t blocks = (size_t)(job->end - s.p) / 64;
		blocks = s.count = blocks < group_limit ? blocks : group_limit;
		classify(&s, wanted ? job->names : NULL);
		find_strings(&s);
		find_tokens(&s, job->end);
		find_levels(&s);
		if (s.count) {
			find_due(&s);
			find_odd(&s);
			check(&s, job->at, wanted);
		}
		if (!wanted)
			pass_items(&s, job);
		enum json_blocks_stop stop = wanted ? take_records(&s, job) : JSON_BLOCKS_BYTES;
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

#endif
