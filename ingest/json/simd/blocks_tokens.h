/*
 * The first part of blocks_kernel.h: from bytes to strings and the tokens outside of them. The
 * including source must define what is listed there.
 */
#pragma once

#include "base/text/text.h"
#include "ingest/json/simd/blocks.h"
#include "base/json/token.h"

#define INLINE static inline __attribute__((always_inline))

enum {
	group_limit = 64,
	deepest = 60,
	shallow = 4, /* number of levels that two bits can count */
	colons_limit = 1024,
	lane_count = sizeof(lanes) / sizeof(uint64_t)
};

/* One mask per block of a group; processed lane_count at a time. */
typedef uint64_t masks[group_limit] __attribute__((aligned(64)));

struct group {
	/* Kinds of bytes at any position. find_strings() removes escaped quotes, find_brackets()
	 * removes brackets inside strings. */
	masks quote, backslash, bracket, close, comma, colon, space, special, digit, zero;
	masks brace;    /* for brackets: it is a brace */
	masks wanted;   /* last letters of possibly wanted names; has false positives */
	masks string;   /* from the opening quote, excluding the closing one */
	masks escaped;  /* after an odd number of backslashes; excludes backslashes and quotes */
	masks blank;    /* white space outside of strings; valid only if state.blanks */
	masks level[2]; /* the two lower bits of the level, after a bracket took effect */
	/* Inside an object of this level, however deep below it. Unused for level 0. */
	masks object[shallow];
	masks in_object, at_level; /* the innermost container is an object; is at state.level */
	masks ends;                /* brackets that close direct items of the container */
	masks named;               /* strings except names, and closing quotes of names */
	masks odd;                 /* bytes of scalars that need a check */
	masks wrong;
	masks positions; /* possibly wanted colons; or ends of items, and commas between them */
};

/* Marked bytes of the previous lanes, and whether white space after one reaches the next block. */
struct successors {
	lanes marked;
	unsigned through;
};

/* What is carried from a group into the next one. For lanes, the highest bit counts. */
struct carry {
	uint64_t in_string, name; /* 0 or 1 */
	unsigned sequence;        /* remaining bytes of a UTF-8 sequence */
	lanes backslash, blank, scalar, zero, wanted;
	struct successors separator, opened, name_due, colon_due;
};

struct nesting {
	uint64_t objects; /* bit 0: whether the innermost container is an object; then outwards */
	int depth;        /* 0: directly in the container */
};

struct state {
	struct group g;
	struct carry carry;
	struct nesting nest;
	int level; /* of the relevant tokens; 0: directly in the container; 1: in its items */
	int deepest;
	const char *p;            /* the group's bytes */
	size_t count;             /* number of its blocks; reduced if a later block has an error */
	bool blanks;              /* there is white space in the group or right before it */
	bool closed;              /* the last block contains the end of the container */
	uint64_t live;            /* if closed: the bytes before the end in the last block */
	uint64_t positions, ends; /* the blocks that have bits in g.positions, in g.ends */
	uint64_t odd_levels[2];   /* the blocks that change this bit of the level */
	uint16_t list[64 * group_limit];
	size_t colons; /* number of colons in the incomplete record */
	struct json_colon colon[colons_limit + 64 * group_limit + 1];
};

INLINE uint64_t bits_from(unsigned bit)
{
	return ~(uint64_t)0 << bit;
}

INLINE unsigned lowest(uint64_t mask)
{
	return (unsigned)__builtin_ctzll(mask);
}

/* Excludes the blocks from this one on. */
INLINE void stop_at(struct state *s, size_t block)
{
	if (block < s->count) {
		s->count = block;
		s->closed = false;
	}
}

INLINE uint64_t bits_below(size_t bit)
{
	return bit < 64 ? ~bits_from((unsigned)bit) : ~(uint64_t)0;
}

/* --- lanes --- */

INLINE lanes lanes_load(const uint64_t *from)
{
	lanes v;
	memcpy(&v, from, sizeof v);
	return v;
}

INLINE void lanes_store(uint64_t *to, lanes v)
{
	memcpy(to, &v, sizeof v);
}

/* Only the highest bit of the last lane, if `bit`. */
INLINE lanes lanes_top(bool bit)
{
	uint64_t each[lane_count] = {0};
	each[lane_count - 1] = (uint64_t)bit << 63;
	return lanes_load(each);
}

INLINE bool is_top(lanes v)
{
	return lanes_signs(v) >> (lane_count - 1) & 1;
}

/* Moves marks n bytes further, across the ends of blocks. */
INLINE lanes further(lanes marked, int n, lanes *before)
{
	lanes moved = lanes_moved(marked, *before, n);
	*before = marked;
	return moved;
}

INLINE lanes shift(lanes marked, lanes *before)
{
	return further(marked, 1, before);
}

/* The lanes in which a + b has overflowed; `sum` is the sum. */
INLINE unsigned overflows(lanes a, lanes b, lanes sum)
{
	return lanes_signs((a & b) | ((a | b) & ~sum));
}

/* The blocks at whose beginning a state is set, if each block in `odd` changes it. *in is the state
 * at the beginning and becomes that at the end. */
INLINE uint64_t over_blocks(uint64_t odd, uint64_t *in)
{
	uint64_t inside = prefix_xor(odd) << 1 ^ (0 - *in);
	*in = (inside ^ odd) >> 63;
	return inside;
}

/* Loads masks from block i on, and inverts those of the given blocks. */
INLINE lanes lanes_turned(const uint64_t *from, size_t i, uint64_t blocks)
{
	return lanes_load(from + i) ^ lanes_all((unsigned)(blocks >> i));
}

/* --- bytes --- */

/* Classifies bytes by the planes of their bits. */
INLINE void classify_planes(struct group *g, size_t i, const lanes *bit)
{
	lanes ascii = bit[5] & ~(bit[6] | bit[7]), upper = bit[6] & ~bit[7] & bit[4] & bit[3];
	lanes even = ascii & ~bit[0], of_2 = even & ~bit[4], of_3 = even & bit[4];
	lanes x10 = bit[1] & ~bit[2], x01 = bit[2] & ~bit[1];
	lanes close = upper & x01, open = upper & x10 & bit[0];
	lanes none = ~(bit[3] | bit[2] | bit[1]);
	lanes_store(g->quote + i, of_2 & ~bit[3] & x10);
	lanes_store(g->backslash + i, close & ~(bit[0] | bit[5]));
	lanes_store(g->close + i, close & bit[0]);
	lanes_store(g->bracket + i, (close & bit[0]) | open);
	lanes_store(g->brace + i, bit[5]);
	lanes_store(g->comma + i, of_2 & bit[3] & x01);
	lanes_store(g->colon + i, of_3 & bit[3] & x10);
	lanes_store(g->space + i, of_2 & none);
	lanes_store(g->zero + i, of_3 & none);
	lanes_store(g->digit + i, ascii & bit[4] & ~(bit[3] & (bit[2] | bit[1])));
	lanes_store(g->special + i, bit[7] | ~(bit[6] | bit[5]));
}

INLINE void classify_lanes(struct group *g, size_t i, const char *p)
{
	lanes bit[8];
	lanes_planes(p, bit);
	classify_planes(g, i, bit);
}

/* Prefetches bytes of a later group: into the second-level cache, because masks fill the first one.
 * Prefetching beyond the end of memory is harmless. */
INLINE void fetch_lanes(const char *p)
{
	for (size_t i = 0; i < lane_count; i++)
		__builtin_prefetch(p + 64 * i, 0, 2);
}

INLINE void classify(struct state *s)
{
	struct group *g = &s->g;
	size_t whole = s->count - s->count % lane_count, i = 0;
	for (; i < whole; i += lane_count) {
		fetch_lanes(s->p + 64 * (group_limit + i));
		classify_lanes(g, i, s->p + 64 * i);
	}
	if (i < s->count) {
		char rest[64 * lane_count] = {0};
		memcpy(rest, s->p + 64 * i, 64 * (s->count - i));
		classify_lanes(g, i, rest);
	}
}

INLINE void find_name_ends(struct state *s, const struct json_names *names)
{
	for (size_t i = 0; i < s->count; i++)
		s->g.wanted[i] = bytes_name_ends(s->p + 64 * i, &names->ends);
}

/* --- strings --- */

INLINE uint64_t find_escaped(uint64_t backslashes, uint64_t *carry)
{
	const uint64_t even = 0x5555555555555555u;
	uint64_t escaped = *carry, after_even, after_odd;
	backslashes &= ~escaped;
	uint64_t starts = backslashes & ~(backslashes << 1);
	/* An addition carries through a run of backslashes, to the byte after it. */
	after_even = (backslashes + (starts & even)) & ~backslashes;
	*carry = __builtin_add_overflow(backslashes, starts & ~even, &after_odd);
	after_odd &= ~backslashes;
	return escaped | (after_even & ~even) | (after_odd & even);
}

INLINE bool has_runs(const struct state *s)
{
	lanes before = s->carry.backslash, runs = {0};
	for (size_t i = 0; i < s->count; i += lane_count) {
		lanes backslash = lanes_load(s->g.backslash + i);
		runs |= backslash & shift(backslash, &before);
	}
	return lanes_used(runs);
}

INLINE void find_runs(struct state *s)
{
	uint64_t escape = is_top(s->carry.backslash);
	for (size_t i = 0; i < s->count; i++)
		s->g.escaped[i] = find_escaped(s->g.backslash[i], &escape);
	s->carry.backslash = lanes_top(escape);
}

/* Finds strings in each block as if it began outside of a string. Returns the blocks that begin
 * inside. */
INLINE uint64_t find_strings(struct state *s)
{
	struct group *g = &s->g;
	uint64_t odd = 0;
	const bool runs = has_runs(s);
	if (runs)
		find_runs(s);
	lanes before = s->carry.backslash;
	for (size_t i = 0; i < s->count; i += lane_count) {
		lanes backslash = lanes_load(g->backslash + i), quote = lanes_load(g->quote + i);
		lanes behind = runs ? lanes_load(g->escaped + i) : shift(backslash, &before);
		lanes_store(g->escaped + i, behind & ~(quote | backslash));
		quote &= ~behind;
		lanes string = lanes_prefix_xor(quote);
		lanes_store(g->quote + i, quote);
		lanes_store(g->string + i, string);
		odd |= (uint64_t)lanes_signs(string) << i;
	}
	if (!runs)
		s->carry.backslash = before;
	return over_blocks(odd, &s->carry.in_string);
}

/* Checks escapes other than those of quote and backslash; \u is checked to its end. */
static bool are_escapes(const char *p, uint64_t escaped)
{
	for (; escaped; escaped &= escaped - 1)
		if (!json_is_unit_escape(p + lowest(escaped)))
			return false;
	return true;
}

/* Checks special bytes: control characters must be white space outside of strings, others valid
 * UTF-8. */
static bool are_special(const char *p, const char *end, uint64_t special, uint64_t outside,
			uint64_t *blank, unsigned *sequence)
{
	special &= bits_from(*sequence);
	*sequence = 0;
	while (special) {
		unsigned at = lowest(special);
		uint32_t code;
		size_t len = utf8_next((struct span){p + at, (size_t)(end - p) - at}, &code);
		bool space = p[at] == '\n' || p[at] == '\r' || p[at] == '\t';
		if (len == 0 || (code < ' ' && !(space && outside >> at & 1)))
			return false;
		*blank |= (uint64_t)space << at;
		if (at + len >= 64) {
			*sequence = (unsigned)(at + len - 64);
			break;
		}
		special &= bits_from(at + (unsigned)len);
	}
	return true;
}

/* Finds the white space of a block, and checks bytes that are not ASCII. */
INLINE bool find_blank(struct state *s, unsigned i, const char *end)
{
	struct group *g = &s->g;
	uint64_t outside = ~(g->string[i] | g->quote[i]), blank = g->space[i] & outside;
	if (g->special[i] &&
	    !are_special(s->p + 64 * i, end, g->special[i], outside, &blank, &s->carry.sequence))
		return false;
	if (blank && !s->blanks) {
		memset(g->blank, 0, sizeof g->blank);
		s->blanks = true;
	}
	if (s->blanks)
		g->blank[i] = blank;
	return true;
}

/* Handles rare blocks: those with escapes, and those with possible white space. */
INLINE void check_rare(struct state *s, uint64_t escapes, uint64_t blanks, const char *end)
{
	struct group *g = &s->g;
	s->blanks = is_top(s->carry.blank);
	if (s->blanks)
		memset(g->blank, 0, sizeof g->blank);
	for (escapes &= bits_below(s->count); escapes; escapes &= escapes - 1)
		if (!are_escapes(s->p + 64 * lowest(escapes), g->escaped[lowest(escapes)]))
			stop_at(s, lowest(escapes));
	for (blanks &= bits_below(s->count); blanks; blanks &= blanks - 1)
		if (!find_blank(s, lowest(blanks), end)) {
			stop_at(s, lowest(blanks));
			return;
		}
}

/* Where a bracket changes the higher bit of the level. Each bracket inverts the lower bit; this
 * carries for an opening bracket at an odd level, and for a closing bracket that leads to an odd
 * level. */
INLINE lanes carries_of(lanes bracket, lanes close, lanes level)
{
	return bracket & ~(level ^ close);
}

/* Computes levels as if each block began at level 0. */
INLINE void count_levels(struct group *g, size_t i, lanes bracket, lanes close, uint64_t *odd)
{
	lanes low = lanes_prefix_xor(bracket);
	lanes high = lanes_prefix_xor(carries_of(bracket, close, low));
	lanes_store(g->level[0] + i, low);
	lanes_store(g->level[1] + i, high);
	odd[0] |= (uint64_t)lanes_signs(low) << i;
	odd[1] |= (uint64_t)lanes_signs(high) << i;
}

/* Finds strings, and brackets outside of them. */
INLINE void find_brackets(struct state *s, const char *end)
{
	struct group *g = &s->g;
	uint64_t inside = find_strings(s), escapes = 0, blanks = 0;
	uint64_t odd[2] = {0};
	for (size_t i = 0; i < s->count; i += lane_count) {
		lanes string = lanes_turned(g->string, i, inside);
		lanes outside = ~(string | lanes_load(g->quote + i));
		lanes bracket = lanes_load(g->bracket + i) & outside;
		lanes close = lanes_load(g->close + i) & outside;
		lanes blank = (lanes_load(g->space + i) & outside) | lanes_load(g->special + i);
		lanes_store(g->string + i, string);
		lanes_store(g->bracket + i, bracket);
		lanes_store(g->close + i, close);
		count_levels(g, i, bracket, close, odd);
		escapes |= (uint64_t)lanes_used(lanes_load(g->escaped + i)) << i;
		blanks |= (uint64_t)lanes_used(blank) << i;
	}
	s->odd_levels[0] = odd[0];
	s->odd_levels[1] = odd[1];
	check_rare(s, escapes, blanks, end);
}
