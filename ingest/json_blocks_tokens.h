/*
 * The first half of json_blocks_kernel.h: from bytes to tokens, and in which
 * container each lies. What the source that includes it has to define stands
 * there.
 */
#ifndef INGEST_JSON_BLOCKS_TOKENS_H
#define INGEST_JSON_BLOCKS_TOKENS_H

#include "base/utf8.h"
#include "ingest/json_blocks.h"
#include "ingest/json_token.h"

#define INLINE static inline __attribute__((always_inline))

enum { group_limit = 64, deepest = 60, colons_limit = 1024 };

/* A mask for each block of a group. */
typedef uint64_t masks[group_limit];

struct group {
	/* What bytes are, wherever they are; from find_tokens() on only outside of strings. */
	masks quote, backslash, bracket, comma, colon, special, digit, zero;
	masks wanted;  /* colons behind names that end like wanted ones, and others */
	masks string;  /* from the opening quote on, without the closing one */
	masks escaped; /* behind an odd number of backslashes; neither one of these nor a quote */
	masks blank, scalar;
	/* What the brackets say. */
	masks open, close;
	masks turned, levels; /* where `objects` and `level` change */
	masks end;            /* closing brackets of the container's items */
	masks objects;        /* bytes right inside of an object */
	masks level;          /* bytes at the level that matters */
	/* What may stand where. */
	masks marked, value_due, no_close, name_due, colon_due, named, start, odd, wrong;
	masks rare; /* what has to be looked at */
};

/* What reaches from a group into the next one: 0 or 1, but for the first. */
struct carry {
	uint64_t in_string;      /* all bits: inside of a string */
	uint64_t objects, level; /* all bits, likewise */
	uint64_t escaped, blank, scalar, zero, name;
	uint64_t value_due, no_close, name_due, colon_due;
	unsigned sequence; /* bytes of a UTF-8 sequence */
};

struct nesting {
	uint64_t objects; /* bit 0: the innermost container is an object; and so on outwards */
	int depth;        /* 0: right inside of the container */
};

struct state {
	struct group g;
	struct carry carry;
	struct nesting nest;
	int level; /* 0: in the container itself; 1: in its items */
	int deepest;
	const char *p; /* the group's bytes */
	size_t count;  /* its blocks; fewer when something is wrong behind them */
	bool blanks;   /* there is white space */
	bool closed;   /* the last block holds the end of the container: */
	uint64_t live; /* the bytes before it */
	uint16_t places[64 * group_limit];
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

/* --- bytes --- */

INLINE void classify(struct state *s, const struct json_names *names)
{
	struct group *g = &s->g;
	const size_t n = s->count;
	const char *p = s->p;
	for (size_t i = 0; i < n; i++, p += 64) {
		/* Brackets become 0x7f, and so do Y, _, y and 0x7f: see take_brackets(). */
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
}

/* The rest is done to blocks that have something of a kind. */
INLINE uint64_t blocks_with(const uint64_t *found, size_t count)
{
	uint64_t all = masks_in_use(found);
	return count < 64 ? all & ~bits_from((unsigned)count) : all;
}

/* The next bytes, over the ends of blocks. */
INLINE void shift(uint64_t *restrict next, const uint64_t *restrict marked, size_t n,
		  uint64_t *carry)
{
	next[0] = marked[0] << 1 | *carry;
	for (size_t i = 1; i < n; i++)
		next[i] = marked[i] << 1 | marked[i - 1] >> 63;
	*carry = marked[n - 1] >> 63;
}

/* Bit i: the xor of the bits 0 to i. */
INLINE uint64_t prefix_xor(uint64_t x)
{
	x ^= x << 1;
	x ^= x << 2;
	x ^= x << 4;
	x ^= x << 8;
	x ^= x << 16;
	return x ^ x << 32;
}

/* From marked bytes, each of which begins or ends a stretch, to the stretches. *inside: all bits
 * when one is open. */
INLINE void fill(uint64_t *restrict stretch, const uint64_t *restrict marked, size_t n,
		 uint64_t *inside)
{
	for (size_t i = 0; i < n; i++)
		stretch[i] = prefix_xor(marked[i]);
	/* A block turns all that come behind it when it has an odd number. */
	uint64_t open = prefix_xor(masks_signs(stretch)) << 1 ^ *inside;
	for (size_t i = 0; i < n; i++)
		stretch[i] ^= 0 - (open >> i & 1);
	if (n > 0)
		*inside = 0 - (stretch[n - 1] >> 63);
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

INLINE void find_strings(struct state *s)
{
	struct group *g = &s->g;
	const size_t n = s->count;
	uint64_t runs = 0, escape = s->carry.escaped, ignored = s->carry.escaped;
	shift(g->escaped, g->backslash, n, &ignored);
	for (size_t i = 0; i < n; i++)
		runs |= g->escaped[i] & g->backslash[i];
	if (runs) {
		for (size_t i = 0; i < n; i++)
			g->escaped[i] = find_escaped(g->backslash[i], &escape);
	} else {
		escape = ignored;
	}
	s->carry.escaped = escape;
	for (size_t i = 0; i < n; i++) {
		uint64_t quote = g->quote[i];
		g->quote[i] = quote & ~g->escaped[i];
		g->escaped[i] &= ~(quote | g->backslash[i]);
	}
	fill(g->string, g->quote, n, &s->carry.in_string);
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

INLINE void find_tokens(struct state *s, const char *end)
{
	struct group *g = &s->g;
	const size_t n = s->count;
	uint64_t blanks = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t outside = ~(g->string[i] | g->quote[i]);
		g->bracket[i] &= outside;
		g->comma[i] &= outside;
		g->colon[i] &= outside;
		g->scalar[i] = outside & ~(g->bracket[i] | g->comma[i] | g->colon[i]);
		g->rare[i] = g->escaped[i] | g->special[i] | (g->scalar[i] & ~g->digit[i]);
		g->blank[i] = 0;
	}
	for (uint64_t rest = blocks_with(g->rare, n); rest; rest &= rest - 1) {
		unsigned i = lowest(rest);
		const char *p = s->p + 64 * i;
		const struct bytes b = bytes_load(p);
		g->blank[i] = bytes_equal(&b, ' ') & g->scalar[i];
		if ((g->special[i] && !are_special(p, end, g->special[i], g->scalar[i],
						   &g->blank[i], &s->carry.sequence)) ||
		    (g->escaped[i] && !are_escapes(p, g->escaped[i]))) {
			stop_at(s, i);
			break;
		}
		blanks |= g->blank[i];
		g->scalar[i] &= ~g->blank[i];
	}
	s->blanks = blanks != 0;
}

/* --- brackets --- */

/* The brackets of a block: what they change. False: one may not be there. Sets s->live to less than
 * all when the container ends here. */
INLINE bool take_brackets(struct state *s, unsigned i)
{
	struct group *g = &s->g;
	const char *p = s->p + 64 * i;
	uint64_t objects = s->nest.objects, wrong = 0, close = 0, turned = 0, levels = 0;
	int depth = s->nest.depth;
	uint64_t level = depth == s->level;
	for (uint64_t rest = g->bracket[i]; rest; rest &= rest - 1) {
		unsigned at = lowest(rest);
		unsigned char c = (unsigned char)p[at];
		uint64_t brace = c >> 5 & 1, closes = c >> 2 & 1, before = objects, was = level;
		objects = closes ? objects >> 1 : objects << 1 | brace;
		depth += 1 - 2 * (int)closes;
		level = depth == s->level;
		/* classify() finds 4 other characters, too. */
		wrong |= (~(c >> 1) ^ closes) | (closes & (before ^ brace)) | (depth > s->deepest);
		if (depth < 0) {
			s->live = ~bits_from(at);
			break;
		}
		close |= closes << at;
		turned |= ((before ^ objects) & 1) << at;
		levels |= (was ^ level) << at;
	}
	g->close[i] = close;
	g->turned[i] = turned;
	g->levels[i] = levels;
	s->nest = (struct nesting){objects, depth};
	return !(wrong & 1);
}

INLINE void find_levels(struct state *s)
{
	struct group *g = &s->g;
	const size_t n = s->count;
	for (size_t i = 0; i < n; i++)
		g->close[i] = g->turned[i] = g->levels[i] = 0;
	for (uint64_t blocks = blocks_with(g->bracket, n); blocks; blocks &= blocks - 1) {
		unsigned i = lowest(blocks);
		if (!take_brackets(s, i)) {
			stop_at(s, i);
			break;
		}
		if (~s->live) {
			s->count = i + 1;
			s->closed = true;
			break;
		}
	}
	fill(g->objects, g->turned, n, &s->carry.objects);
	fill(g->level, g->levels, n, &s->carry.level);
	for (size_t i = 0; i < n; i++) {
		uint64_t ends = s->level ? g->levels[i] & ~g->level[i] : g->level[i];
		g->open[i] = g->bracket[i] & ~g->close[i];
		g->end[i] = g->close[i] & ends;
	}
}

#endif
