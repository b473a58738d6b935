/*
 * The first half of json_blocks_kernel.h: from bytes to tokens, and in which
 * container each lies. What the source that includes it has to define stands
 * there.
 */
#ifndef INGEST_JSON_BLOCKS_TOKENS_H
#define INGEST_JSON_BLOCKS_TOKENS_H

#include <string.h>

#include "base/utf8.h"
#include "ingest/json_blocks.h"
#include "ingest/json_token.h"

#define INLINE static inline __attribute__((always_inline))

enum { group_limit = 64, deepest = 60, colons_limit = 1024 };

enum { lane_count = sizeof(lanes) / sizeof(uint64_t) };

/* A mask for each block of a group, taken by as many at a time as `lanes` has. */
typedef uint64_t masks[group_limit];

struct group {
	/* What bytes are, wherever they are; without escaped quotes and without the brackets in
	 * strings from find_strings() and find_brackets() on. */
	masks quote, backslash, bracket, comma, colon, special, digit, zero;
	masks wanted;  /* colons behind names that end like wanted ones, and others */
	masks string;  /* from the opening quote on, without the closing one */
	masks escaped; /* behind an odd number of backslashes; neither one of these nor a quote */
	masks blank;   /* white space outside of strings: only where there is any */
	masks close;   /* brackets */
	masks turned, levels; /* where it changes: whether in an object, and at the level */
	masks named;          /* strings without names, and the closing quotes of names */
	masks odd;            /* what may be wrong in scalars */
	masks wrong;
	masks places; /* of items: colons that may be wanted, or commas; and their ends */
};

/* Marked bytes of the lanes before, and whether white space behind one reaches the next block. */
struct behind {
	lanes marked;
	unsigned through;
};

/* What reaches from a group into the next one. Of lanes, the highest bit. */
struct carry {
	uint64_t in_string; /* all bits, or none */
	uint64_t name;      /* 0 or 1 */
	unsigned sequence;  /* bytes of a UTF-8 sequence */
	lanes backslash, blank, scalar, zero;
	struct behind separator, opened, name_due, colon_due;
};

struct nesting {
	uint64_t objects; /* bit 0: the innermost container is an object; and so on outwards */
	int depth;        /* 0: right inside of the container */
};

struct state {
	struct group g;
	struct carry carry;
	struct nesting nest;
	int level; /* the level that matters; 0: in the container itself; 1: in its items */
	int deepest;
	const char *p;      /* the group's bytes */
	size_t count;       /* its blocks; fewer when something is wrong behind them */
	uint64_t in_object; /* its blocks that begin in an object, */
	uint64_t at_level;  /* and at the level */
	bool blanks;        /* there is white space in it or before it */
	bool closed;        /* the last block holds the end of the container: */
	uint64_t live;      /* the bytes before it */
	uint64_t places;    /* its blocks with items' places */
	uint16_t list[64 * group_limit];
	size_t colons; /* of the record that is not whole yet */
	uint32_t colon[colons_limit + 64 * group_limit];
};

INLINE uint64_t bits_from(unsigned bit)
{
	return ~(uint64_t)0 << bit;
}

INLINE unsigned lowest(uint64_t mask)
{
	return (unsigned)__builtin_ctzll(mask);
}

/* Nothing from this block on is to be taken. */
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

/* The highest bit of the last lane. */
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

/* The next bytes, over the ends of blocks. */
INLINE lanes shift(lanes marked, lanes *before)
{
	lanes next = marked << 1 | lanes_before(marked, *before) >> 63;
	*before = marked;
	return next;
}

/* Lanes in which a + b, which is `sum`, has overflowed. */
INLINE unsigned overflows(lanes a, lanes b, lanes sum)
{
	return lanes_signs((a & b) | ((a | b) & ~sum));
}

/* Bit i: the xor of the bits 0 to i. */
#define PREFIX_XOR(name, type)                                                                     \
	INLINE type name(type x)                                                                   \
	{                                                                                          \
		x ^= x << 1;                                                                       \
		x ^= x << 2;                                                                       \
		x ^= x << 4;                                                                       \
		x ^= x << 8;                                                                       \
		x ^= x << 16;                                                                      \
		return x ^ x << 32;                                                                \
	}

PREFIX_XOR(prefix_xor, uint64_t)
PREFIX_XOR(lanes_prefix_xor, lanes)

/* --- bytes --- */

INLINE void classify(struct state *s, const struct json_names *names)
{
	struct group *g = &s->g;
	const char *p = s->p;
	size_t i = 0;
	for (; i < s->count; i++, p += 64) {
		/* Brackets become 0x7f, and so do Y, _, y and 0x7f: see find_levels(). */
		const struct bytes b = bytes_load(p), folded = bytes_with(&b, 0x26);
		g->quote[i] = bytes_equal(&b, '"');
		g->backslash[i] = bytes_equal(&b, '\\');
		g->bracket[i] = bytes_equal(&folded, 0x7f);
		g->comma[i] = bytes_equal(&b, ',');
		g->colon[i] = bytes_equal(&b, ':');
		g->special[i] = bytes_special(&b);
		g->digit[i] = bytes_digit(&b);
		g->zero[i] = bytes_equal(&b, '0');
		if (names)
			g->wanted[i] = bytes_name_ends(p, &names->ends);
	}
	for (; i % lane_count; i++)
		g->quote[i] = g->backslash[i] = g->bracket[i] = g->comma[i] = g->colon[i] =
			g->special[i] = g->digit[i] = g->zero[i] = g->wanted[i] = 0;
}

/* --- strings --- */

INLINE uint64_t find_escaped(uint64_t backslashes, uint64_t *carry)
{
	const uint64_t even = 0x5555555555555555u;
	uint64_t escaped = *carry, after_even, after_odd;
	backslashes &= ~escaped;
	uint64_t starts = backslashes & ~(backslashes << 1);
	/* An addition carries through a run of backslashes, to the byte behind it. */
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

/* The strings of each block as if it began outside of one. Gives the blocks that do not. */
INLINE uint64_t find_strings(struct state *s)
{
	struct group *g = &s->g;
	uint64_t odd = 0;
	const bool runs = has_runs(s);
	if (runs)
		find_runs(s);
	for (size_t i = 0; i < s->count; i += lane_count) {
		lanes backslash = lanes_load(g->backslash + i), quote = lanes_load(g->quote + i);
		lanes behind =
			runs ? lanes_load(g->escaped + i) : shift(backslash, &s->carry.backslash);
		lanes_store(g->escaped + i, behind & ~(quote | backslash));
		quote &= ~behind;
		lanes string = lanes_prefix_xor(quote);
		lanes_store(g->quote + i, quote);
		lanes_store(g->string + i, string);
		odd |= (uint64_t)lanes_signs(string) << i;
	}
	/* A block turns all that come behind it when it has an odd number of quotes. */
	uint64_t inside = prefix_xor(odd) << 1 ^ s->carry.in_string;
	s->carry.in_string = 0 - ((inside ^ odd) >> 63);
	return inside;
}

/* Escapes other than of quote and backslash; those of \u are followed to their end. */
static bool are_escapes(const char *p, uint64_t escaped)
{
	for (; escaped; escaped &= escaped - 1)
		if (!json_is_unit_escape(p + lowest(escaped)))
			return false;
	return true;
}

/* Control characters are white space outside of strings, all others UTF-8. */
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

/* Looks at what is rare in a block; finds its white space. */
INLINE bool take_rare(struct state *s, unsigned i, const char *end)
{
	struct group *g = &s->g;
	const char *p = s->p + 64 * i;
	const struct bytes b = bytes_load(p);
	uint64_t scalar = ~(g->string[i] | g->quote[i] | g->bracket[i] | g->comma[i] | g->colon[i]);
	uint64_t blank = bytes_equal(&b, ' ') & scalar;
	if ((g->special[i] &&
	     !are_special(p, end, g->special[i], scalar, &blank, &s->carry.sequence)) ||
	    (g->escaped[i] && !are_escapes(p, g->escaped[i])))
		return false;
	if (blank && !s->blanks) {
		memset(g->blank, 0, sizeof g->blank);
		s->blanks = true;
	}
	if (s->blanks)
		g->blank[i] = blank;
	return true;
}

/* Strings, and the brackets outside of them: gives the blocks that have any. */
INLINE uint64_t find_brackets(struct state *s, const char *end)
{
	struct group *g = &s->g;
	uint64_t inside = find_strings(s), brackets = 0, rare = 0;
	for (size_t i = 0; i < s->count; i += lane_count) {
		lanes string = lanes_load(g->string + i) ^ lanes_all((unsigned)(inside >> i));
		lanes outside = ~(string | lanes_load(g->quote + i));
		lanes bracket = lanes_load(g->bracket + i) & outside;
		lanes plain = bracket | lanes_load(g->comma + i) | lanes_load(g->colon + i) |
			      lanes_load(g->digit + i);
		lanes others = outside & ~plain;
		others |= lanes_load(g->escaped + i) | lanes_load(g->special + i);
		lanes_store(g->string + i, string);
		lanes_store(g->bracket + i, bracket);
		brackets |= (uint64_t)lanes_used(bracket) << i;
		rare |= (uint64_t)lanes_used(others) << i;
	}
	s->blanks = is_top(s->carry.blank);
	if (s->blanks)
		memset(g->blank, 0, sizeof g->blank);
	for (rare &= bits_below(s->count); rare; rare &= rare - 1)
		if (!take_rare(s, lowest(rare), end)) {
			stop_at(s, lowest(rare));
			break;
		}
	return brackets & bits_below(s->count);
}

/* --- brackets --- */

/* Lists the positions of set bits of the masks of some blocks. */
INLINE size_t list_bits(const uint64_t *found, uint64_t blocks, uint16_t *list)
{
	size_t count = 0;
	for (; blocks; blocks &= blocks - 1) {
		unsigned i = lowest(blocks);
		uint64_t mask = found[i];
		do /* as many as most blocks have, without a branch for each */
			for (int k = 0; k < 2; k++) {
				list[count] = (uint16_t)(64 * i + lowest(mask | (uint64_t)1 << 63));
				count += mask != 0;
				mask &= mask - 1;
			}
		while (mask);
	}
	return count;
}

/* What changes with each bracket. */
INLINE void find_levels(struct state *s, uint64_t brackets)
{
	struct group *g = &s->g;
	uint64_t objects = s->nest.objects, in_object = 0, at_level = 0; /* blocks that turn it */
	int depth = s->nest.depth;
	uint64_t level = depth == s->level;
	const uint64_t in_object_first = 0 - (objects & 1), at_level_first = 0 - level;
	memset(g->close, 0, sizeof g->close);
	memset(g->turned, 0, sizeof g->turned);
	memset(g->levels, 0, sizeof g->levels);
	const size_t count = list_bits(g->bracket, brackets, s->list);
	for (size_t k = 0; k < count; k++) {
		unsigned place = s->list[k], i = place / 64, at = place % 64;
		unsigned char c = (unsigned char)s->p[place];
		uint64_t brace = c >> 5 & 1, closes = c >> 2 & 1, before = objects, was = level;
		objects = (objects << 1 | brace) >> 2 * closes;
		depth += 1 - 2 * (int)closes;
		/* classify() finds 4 other characters, too. */
		if ((~(c >> 1) ^ closes) & 1 || (closes & (before ^ brace)) || depth > s->deepest) {
			stop_at(s, i);
			break;
		}
		if (depth < 0) {
			s->live = ~bits_from(at);
			s->count = i + 1;
			s->closed = true;
			break;
		}
		level = depth == s->level;
		uint64_t turned = (before ^ objects) & 1, levels = was ^ level;
		g->close[i] |= closes << at;
		g->turned[i] |= turned << at;
		g->levels[i] |= levels << at;
		in_object ^= turned << i;
		at_level ^= levels << i;
	}
	s->nest = (struct nesting){objects, depth};
	s->in_object = prefix_xor(in_object) << 1 ^ in_object_first;
	s->at_level = prefix_xor(at_level) << 1 ^ at_level_first;
}

#endif
