/*
 * The body of every variant of json_blocks.h. The source that includes it has
 * defined, for 64 bytes in whatever registers it has:
 *
 *   struct bytes and bytes_load(const char *)
 *   bytes_equal(b, c)         bytes equal to c
 *   bytes_bracket(b)          bytes that, with the bits of 0x26 set, equal 0x7f
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
 * found in a mask of the blocks that have any, and lists of positions are made
 * without asking how many there are.
 */
#ifndef INGEST_JSON_BLOCKS_KERNEL_H
#define INGEST_JSON_BLOCKS_KERNEL_H

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
		const struct bytes b = bytes_load(p);
		g->quote[i] = bytes_equal(&b, '"');
		g->backslash[i] = bytes_equal(&b, '\\');
		g->bracket[i] = bytes_bracket(&b);
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
		/* bytes_bracket() finds 4 other characters, too. */
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
