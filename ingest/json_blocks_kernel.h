/*
 * The body of every variant of json_blocks.h. The source that includes it has
 * defined, for 64 bytes in whatever registers it has:
 *
 *   struct bytes and bytes_load(const char *)
 *   bytes_equal(b, c)          bytes equal to c
 *   bytes_equal_lower(b, c)    bytes that, with bit 5 set, equal c
 *   bytes_below(b, c)          unsigned bytes below c
 *   bytes_digits(b)            '0' to '9'
 *   bytes_high(b)              bytes from 0x80
 *   prefix_xor(mask)           bit i: the xor of bits 0 to i
 *   json_blocks_kernel         the name of the function
 *
 * Bit i of a mask is byte i of the block. "Behind" a token is the next byte that
 * is no white space.
 */
#include "base/utf8.h"
#include "ingest/json_blocks.h"
#include "ingest/json_token.h"

#define INLINE static inline __attribute__((always_inline))

enum { deepest = 60, colons_limit = 1024 };

/* What reaches from a block into the next one: 0 or 1, but for the first. */
struct carry {
	uint64_t in_string; /* all bits: the block begins inside of a string */
	uint64_t escaped, scalar, zero, in_name;
	uint64_t value_due, no_close, name_due, colon_due; /* see is_grammar() */
	unsigned sequence;                                 /* bytes of a UTF-8 sequence */
};

/* Where things are in a block; below `quotes` only outside of strings. */
struct marks {
	uint64_t backslashes;
	uint64_t escaped; /* behind an odd number of backslashes */
	uint64_t string;  /* from the opening quote on, without the closing one */
	uint64_t quotes;
	uint64_t open, close, comma, colon, blank, scalar;
};

/* What the brackets of a block say. */
struct levels {
	uint64_t objects; /* bytes right inside of an object */
	uint64_t base;    /* bytes right inside of the container */
	uint64_t members; /* bytes right inside of its items */
	uint64_t braces;  /* opening ones */
	uint64_t ends;    /* closing brackets of its items */
	uint64_t live;    /* bytes before the end of the container */
};

struct nesting {
	uint64_t objects; /* bit 0: the innermost container is an object; and so on outwards */
	int depth;        /* 0: right inside of the container */
};

INLINE uint64_t bits_from(unsigned bit)
{
	return ~(uint64_t)0 << bit;
}

INLINE unsigned lowest(uint64_t mask)
{
	return (unsigned)__builtin_ctzll(mask);
}

/* --- strings --- */

INLINE uint64_t find_escaped(uint64_t backslashes, uint64_t *carry)
{
	const uint64_t even = 0x5555555555555555u;
	uint64_t escaped = *carry, after_even, after_odd;
	*carry = 0;
	if (!backslashes)
		return escaped;
	backslashes &= ~escaped;
	uint64_t starts = backslashes & ~(backslashes << 1);
	/* An addition carries through a run of backslashes, to the byte behind it. */
	after_even = (backslashes + (starts & even)) & ~backslashes;
	*carry = __builtin_add_overflow(backslashes, starts & ~even, &after_odd);
	after_odd &= ~backslashes;
	return escaped | (after_even & ~even) | (after_odd & even);
}

/* Escapes other than of quote and backslash; those of \u are followed to their end. */
INLINE bool are_escapes(const char *p, uint64_t escaped)
{
	for (; escaped; escaped &= escaped - 1)
		if (!json_is_unit_escape(p + lowest(escaped)))
			return false;
	return true;
}

INLINE bool is_utf8(const char *p, const char *end, uint64_t high, unsigned *sequence)
{
	high &= bits_from(*sequence);
	*sequence = 0;
	while (high) {
		unsigned at = lowest(high);
		uint32_t code;
		size_t len = utf8_next((struct span){p + at, (size_t)(end - p) - at}, &code);
		if (len == 0)
			return false;
		if (at + len >= 64) {
			*sequence = (unsigned)(at + len - 64);
			break;
		}
		high &= bits_from(at + (unsigned)len);
	}
	return true;
}

INLINE bool find_marks(struct marks *m, const struct bytes *b, const char *p, const char *end,
		       struct carry *carry)
{
	uint64_t quotes = bytes_equal(b, '"'), control = bytes_below(b, ' ');
	uint64_t high = bytes_high(b);
	m->backslashes = bytes_equal(b, '\\');
	m->escaped = find_escaped(m->backslashes, &carry->escaped);
	m->quotes = quotes & ~m->escaped;
	m->string = prefix_xor(m->quotes) ^ carry->in_string;
	carry->in_string = 0 - (m->string >> 63);
	uint64_t outside = ~(m->string | m->quotes);
	m->open = bytes_equal_lower(b, '{') & outside;
	m->close = bytes_equal_lower(b, '}') & outside;
	m->comma = bytes_equal(b, ',') & outside;
	m->colon = bytes_equal(b, ':') & outside;
	m->blank = bytes_equal(b, ' ') & outside;
	if (control) {
		uint64_t blank = bytes_equal(b, '\n') | bytes_equal(b, '\t') | bytes_equal(b, '\r');
		if (control & ~(blank & outside))
			return false;
		m->blank |= control;
	}
	m->scalar = outside & ~(m->open | m->close | m->comma | m->colon | m->blank);
	uint64_t odd = m->escaped & ~(quotes | m->backslashes);
	return !(odd && !are_escapes(p, odd)) &&
	       !((high || carry->sequence) && !is_utf8(p, end, high, &carry->sequence));
}

/* --- numbers and literals --- */

/* Looks at each scalar that is not a plain run of digits. */
INLINE bool are_scalars(const char *p, uint64_t odd, const char *begin)
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

/* `starts`: the first bytes of scalars. A number of two digits or more does not begin with 0. */
INLINE bool check_scalars(const struct marks *m, const struct bytes *b, const char *p,
			  const char *begin, uint64_t starts, uint64_t live, struct carry *carry)
{
	uint64_t zeros = bytes_equal(b, '0') & starts;
	uint64_t odd = m->scalar & ~(bytes_digits(b) & ~(zeros << 1 | carry->zero)) & live;
	carry->zero = zeros >> 63;
	return !odd || are_scalars(p, odd, begin);
}

/* --- brackets --- */

/* False: a bracket is closed by one of the other kind, or they are nested too deeply. */
INLINE bool find_levels(struct levels *levels, const struct marks *m, const char *p,
			struct nesting *nest)
{
	uint64_t wrong = 0;
	levels->objects = 0 - (nest->objects & 1);
	levels->base = 0 - (uint64_t)(nest->depth == 0);
	levels->members = 0 - (uint64_t)(nest->depth == 1);
	levels->braces = levels->ends = 0;
	levels->live = ~(uint64_t)0;
	for (uint64_t rest = m->open | m->close; rest; rest &= rest - 1) {
		uint64_t bit = rest & (0 - rest), from = 0 - bit;
		unsigned char c = (unsigned char)p[lowest(rest)];
		uint64_t brace = c >> 5 & 1, close = c >> 2 & 1;
		wrong |= close & (nest->objects ^ brace);
		nest->objects = close ? nest->objects >> 1 : nest->objects << 1 | brace;
		nest->depth += close ? -1 : 1;
		if (nest->depth < 0) {
			levels->live = bit - 1;
			break;
		}
		if (nest->depth > deepest)
			return false;
		levels->braces |= bit & (0 - (brace & ~close));
		levels->ends |= bit & (0 - (close & (uint64_t)(nest->depth == 0)));
		levels->objects = (levels->objects & ~from) | (from & (0 - (nest->objects & 1)));
		levels->base = (levels->base & ~from) | (from & (0 - (uint64_t)(nest->depth == 0)));
		levels->members =
			(levels->members & ~from) | (from & (0 - (uint64_t)(nest->depth == 1)));
	}
	return !wrong;
}

/* --- grammar --- */

/* The bytes behind marked ones. A carry runs through white space. */
INLINE uint64_t behind(uint64_t marked, uint64_t blank, uint64_t *carry)
{
	uint64_t next = marked << 1 | *carry;
	*carry = marked >> 63;
	if (!blank)
		return next;
	uint64_t through;
	*carry |= __builtin_add_overflow(blank, next & blank, &through);
	return (next | through) & ~blank;
}

/* Whether every token may stand where it stands. `bad_names`: escapes in names of members. */
INLINE bool is_grammar(const struct marks *m, const struct levels *levels, uint64_t starts,
		       uint64_t *bad_names, struct carry *carry)
{
	uint64_t separators = m->comma | m->colon, sum;
	uint64_t value_due = behind(separators | m->open, m->blank, &carry->value_due);
	uint64_t no_close = behind(separators, m->blank, &carry->no_close);
	uint64_t name_due = behind(levels->braces | (m->comma & levels->objects), m->blank,
				   &carry->name_due);
	uint64_t opening = m->quotes & m->string;
	/* Adding the opening quotes of names to the strings carries to their closing quotes. */
	uint64_t names = (opening & name_due) | carry->in_name;
	carry->in_name = __builtin_add_overflow(m->string, names, &sum);
	uint64_t colon_due =
		behind(sum & m->quotes & ~m->string, m->blank, &carry->colon_due);
	*bad_names = m->string & ~sum & m->backslashes;
	uint64_t others = starts | m->open;
	uint64_t wrong = ((others | opening) & ~value_due) | (m->comma & value_due) |
			 (m->close & no_close) | (others & name_due) | (m->colon ^ colon_due);
	return !(wrong & levels->live);
}

/* --- records --- */

struct colons {
	size_t count;
	uint32_t at[colons_limit + 64];
};

/* Keeps those colons whose names end like a wanted one. */
INLINE void keep_colons(struct colons *colons, const struct json_names *names, const char *p,
			uint64_t mask, uint32_t offset)
{
	for (; mask; mask &= mask - 1) {
		unsigned bit = lowest(mask);
		colons->at[colons->count] = offset + bit;
		colons->count += json_names_first(names, p + bit) != 0;
	}
}

/* The records that end in a block. False: one was not taken. */
INLINE bool take_records(struct json_blocks *job, struct colons *colons, const char *p,
			 uint64_t mask, uint64_t ends)
{
	uint32_t offset = (uint32_t)(p - job->at);
	for (; ends; ends &= ends - 1) {
		uint64_t before = (ends & (0 - ends)) - 1;
		keep_colons(colons, job->names, p, mask & before, offset);
		mask &= ~before;
		if (!json_blocks_record(job, p + lowest(ends) + 1, colons->at, colons->count))
			return false;
		colons->count = 0;
		if (job->limit && job->taken >= job->limit)
			return true;
	}
	keep_colons(colons, job->names, p, mask, offset);
	return colons->count <= colons_limit;
}

/* Items that were passed over: to the last one that ends in a block. */
INLINE void pass_items(struct json_blocks *job, const char *p, uint64_t commas, uint64_t ends)
{
	uint64_t passed = commas | ends << 1;
	if (passed)
		job->taken = p + (63 - __builtin_clzll(passed));
	if (ends >> 63)
		job->taken = p + 64;
}

/* --- all of it --- */

INLINE enum json_blocks_stop run(struct json_blocks *job, bool wanted)
{
	struct colons colons;
	uint64_t fresh = job->fresh;
	struct carry carry = {.value_due = fresh, .name_due = fresh & job->object};
	struct nesting nest = {job->object, 0};
	const char *p = job->at;
	colons.count = 0;
	for (; job->end - p >= 64; p += 64) {
		struct marks m;
		struct levels levels;
		uint64_t bad_names;
		const struct bytes b = bytes_load(p);
		job->looked_at = p;
		if (!find_marks(&m, &b, p, job->end, &carry) || !find_levels(&levels, &m, p, &nest))
			return JSON_BLOCKS_LEFT;
		uint64_t starts = m.scalar & ~(m.scalar << 1 | carry.scalar);
		carry.scalar = m.scalar >> 63;
		if (!is_grammar(&m, &levels, starts, &bad_names, &carry) || ~m.scalar == 0 ||
		    !check_scalars(&m, &b, p, job->at, starts, levels.live, &carry))
			return JSON_BLOCKS_LEFT;
		if (!wanted)
			pass_items(job, p, m.comma & levels.base & levels.live, levels.ends);
		else if ((bad_names & levels.live) ||
			 !take_records(job, &colons, p, m.colon & levels.members, levels.ends))
			return JSON_BLOCKS_LEFT;
		if (wanted && job->limit && job->taken >= job->limit)
			return JSON_BLOCKS_LIMIT;
		if (~levels.live)
			return JSON_BLOCKS_CLOSED;
	}
	job->looked_at = p;
	return JSON_BLOCKS_BYTES;
}

enum json_blocks_stop json_blocks_kernel(struct json_blocks *job)
{
	return job->names ? run(job, true) : run(job, false);
}
