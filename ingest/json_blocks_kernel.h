/*
 * The body of every variant of json_blocks.h. The source that includes it has
 * defined, for 64 bytes in whatever registers it has:
 *
 *   struct bytes and bytes_load(const char *)
 *   bytes_equal(b, c)         bytes equal to c
 *   bytes_bracket(b)          bytes that, with the bits of 0x26 set, equal 0x7f
 *   bytes_special(b)          bytes below 0x20, or from 0x80
 *   bytes_digit(b)            '0' to '9'
 *   prefix_xor(mask)          bit i: the xor of bits 0 to i
 *   json_blocks_kernel        the name of the function
 *
 * Bit i of a mask is byte i of its block. Blocks are taken in groups, a step
 * after the other, so that the steps that do not depend on the block before are
 * plain loops over masks, which compilers turn into vector code. "Behind" a token
 * is the next byte that is no white space.
 */
#include "base/utf8.h"
#include "ingest/json_blocks.h"
#include "ingest/json_token.h"

#define INLINE static inline __attribute__((always_inline))

enum { group_limit = 64, deepest = 60, colons_limit = 1024 };

/* A mask for each block of a group. */
typedef uint64_t masks[group_limit];

struct group {
	/* What bytes are, wherever they are. */
	masks quote, backslash, bracket, comma, colon, space, special, digit, zero;
	/* What they are in JSON; from find_tokens() on the masks above are so, too. */
	masks string;  /* from the opening quote on, without the closing one */
	masks escaped; /* behind an odd number of backslashes; neither one of these nor a quote */
	masks blank, scalar;
	masks rare; /* what has to be looked at */
	/* What the brackets say. */
	masks open, close;
	masks brace;   /* opening ones */
	masks end;     /* closing brackets of the container's items */
	masks objects; /* bytes right inside of an object */
	masks level;   /* bytes at the level that matters */
	/* What may stand where. */
	masks marked, value_due, no_close, name_due, colon_due, named, start, odd, wrong;
};

/* What reaches from a group into the next one: 0 or 1, but for the first. */
struct carry {
	uint64_t in_string; /* all bits: inside of a string */
	uint64_t escaped, scalar, zero, name;
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
	size_t colons;
	uint32_t colon[colons_limit + 64];
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

INLINE void classify(struct state *s)
{
	struct group *g = &s->g;
	for (size_t i = 0; i < s->count; i++) {
		const struct bytes b = bytes_load(s->p + 64 * i);
		g->quote[i] = bytes_equal(&b, '"');
		g->backslash[i] = bytes_equal(&b, '\\');
		g->bracket[i] = bytes_bracket(&b);
		g->comma[i] = bytes_equal(&b, ',');
		g->colon[i] = bytes_equal(&b, ':');
		g->space[i] = bytes_equal(&b, ' ');
		g->special[i] = bytes_special(&b);
		g->digit[i] = bytes_digit(&b);
		g->zero[i] = bytes_equal(&b, '0');
	}
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
	uint64_t inside = s->carry.in_string, escape = s->carry.escaped;
	for (size_t i = 0; i < n; i++) {
		uint64_t quote = g->quote[i], escaped = 0;
		if (g->backslash[i] | escape) {
			escaped = find_escaped(g->backslash[i], &escape);
			quote &= ~escaped;
			escaped &= ~(g->quote[i] | g->backslash[i]);
			g->quote[i] = quote;
		}
		g->escaped[i] = escaped;
		g->string[i] = prefix_xor(quote) ^ inside;
		inside = 0 - (g->string[i] >> 63);
	}
	s->carry.in_string = inside;
	s->carry.escaped = escape;
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
		g->rare[i] = g->escaped[i] | g->special[i];
		g->bracket[i] &= outside;
		g->comma[i] &= outside;
		g->colon[i] &= outside;
		g->blank[i] = g->space[i] & outside;
		g->scalar[i] = outside & ~(g->bracket[i] | g->comma[i] | g->colon[i] | g->blank[i]);
		blanks |= g->blank[i];
	}
	for (size_t i = 0; i < s->count; i++) {
		const char *p = s->p + 64 * i;
		if (!g->rare[i])
			continue;
		if (!are_special(p, end, g->special[i], ~(g->string[i] | g->quote[i]), &g->blank[i],
				 &s->carry.sequence) ||
		    !are_escapes(p, g->escaped[i]))
			stop_at(s, i);
		blanks |= g->blank[i];
		g->scalar[i] &= ~g->blank[i];
	}
	s->blanks = blanks != 0;
}

/* --- brackets --- */

enum { BRACE = 1, CLOSE = 2, OTHER = 4 };

/* What bytes_bracket() finds. */
static const unsigned char brackets[128] = {
	['['] = 0,     [']'] = CLOSE, ['{'] = BRACE, ['}'] = BRACE | CLOSE,
	['Y'] = OTHER, ['_'] = OTHER, ['y'] = OTHER, [0x7f] = OTHER,
};

/* False: a bracket is closed by one of the other kind, or they are nested too deeply. Sets s->live
 * to less than all when the container ends here. */
INLINE bool find_brackets(struct state *s, size_t i)
{
	struct group *g = &s->g;
	const char *p = s->p + 64 * i;
	uint64_t wrong = 0, objects = s->nest.objects, close = 0, brace = 0, end = 0;
	int depth = s->nest.depth;
	for (uint64_t rest = g->bracket[i]; rest; rest &= rest - 1) {
		uint64_t bit = rest & (0 - rest), from = 0 - bit, before = objects;
		unsigned kind = brackets[(unsigned char)p[lowest(rest)]];
		bool was_level = depth == s->level;
		if (kind & CLOSE) {
			wrong |= (objects ^ kind) & BRACE;
			objects >>= 1;
			close |= bit;
			if (--depth <= 0) {
				end |= bit;
				if (depth < 0) {
					s->live = bit - 1;
					end ^= bit;
					break;
				}
			}
		} else {
			wrong |= (kind & OTHER) | (depth >= s->deepest);
			objects = objects << 1 | (kind & BRACE);
			brace |= bit & (0 - (uint64_t)(kind & BRACE));
			depth++;
		}
		g->objects[i] ^= from & (0 - ((objects ^ before) & 1));
		g->level[i] ^= from & (0 - (uint64_t)(was_level != (depth == s->level)));
	}
	g->close[i] = close;
	g->brace[i] = brace;
	g->end[i] = end;
	g->open[i] = g->bracket[i] & ~close;
	s->nest = (struct nesting){objects, depth};
	return !wrong;
}

INLINE void find_levels(struct state *s)
{
	struct group *g = &s->g;
	const size_t n = s->count;
	for (size_t i = 0; i < n; i++)
		g->open[i] = g->close[i] = g->brace[i] = g->end[i] = 0;
	for (size_t i = 0; i < s->count; i++) {
		g->objects[i] = 0 - (s->nest.objects & 1);
		g->level[i] = 0 - (uint64_t)(s->nest.depth == s->level);
		if (!g->bracket[i])
			continue;
		if (!find_brackets(s, i))
			stop_at(s, i);
		else if (~s->live) {
			s->count = i + 1;
			s->closed = true;
		}
	}
}

/* --- grammar --- */

/* The next bytes, over the ends of blocks. */
INLINE void shift(uint64_t *restrict next, const uint64_t *restrict marked, size_t n,
		  uint64_t *carry)
{
	next[0] = marked[0] << 1 | *carry;
	for (size_t i = 1; i < n; i++)
		next[i] = marked[i] << 1 | marked[i - 1] >> 63;
	*carry = marked[n - 1] >> 63;
}

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

/* Adding the opening quotes of names to the strings carries to their closing quotes. */
INLINE void find_names(struct state *s)
{
	struct group *g = &s->g;
	const size_t n = s->count;
	uint64_t carry = s->carry.name;
	for (size_t i = 0; i < n; i++) {
		uint64_t names = g->quote[i] & g->string[i] & g->name_due[i];
		carry = __builtin_add_overflow(g->string[i], names | carry, &g->named[i]);
	}
	s->carry.name = carry;
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
		g->marked[i] = g->brace[i] | (g->comma[i] & g->objects[i]);
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
	if (s->closed) {
		g->wrong[n - 1] &= s->live;
		g->odd[n - 1] &= s->live;
	}
	for (size_t i = 0; i < s->count; i++)
		if (g->rare[i] && (g->wrong[i] || ~g->scalar[i] == 0 ||
				   !are_scalars(s->p + 64 * i, g->odd[i], begin)))
			stop_at(s, i);
}

/* --- items --- */

/* The records that end in the group. False: one was not taken, or the limit is reached. */
INLINE enum json_blocks_stop take_records(struct state *s, struct json_blocks *job)
{
	const struct group *g = &s->g;
	size_t colons = s->colons;
	for (size_t i = 0; i < s->count; i++) {
		const char *p = s->p + 64 * i;
		uint32_t offset = (uint32_t)(p - job->at);
		uint64_t mask = (g->colon[i] & g->level[i]) | g->end[i];
		for (; mask; mask &= mask - 1) {
			unsigned bit = lowest(mask);
			if (p[bit] == ':') {
				s->colon[colons] = offset + bit;
				colons += json_names_first(job->names, p + bit) != 0;
				continue;
			}
			job->looked_at = p;
			if (!json_blocks_record(job, p + bit + 1, s->colon, colons))
				return JSON_BLOCKS_LEFT;
			colons = 0;
			if (job->limit && job->taken >= job->limit)
				return JSON_BLOCKS_LIMIT;
		}
		if (colons > colons_limit)
			return JSON_BLOCKS_LEFT;
	}
	s->colons = colons;
	return JSON_BLOCKS_BYTES;
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
	s.carry = (struct carry){.value_due = job->fresh, .name_due = job->fresh && job->object};
	s.nest = (struct nesting){job->object, 0};
	s.level = wanted;
	s.deepest = job->levels < deepest ? job->levels : deepest;
	s.closed = false;
	s.live = ~(uint64_t)0;
	s.colons = 0;
	for (s.p = job->at; job->end - s.p >= 64; s.p += 64 * s.count) {
		size_t blocks = (size_t)(job->end - s.p) / 64;
		blocks = s.count = blocks < group_limit ? blocks : group_limit;
		classify(&s);
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
