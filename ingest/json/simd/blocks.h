/*
 * The quick way through the items of a JSON container that lie whole in memory:
 * 64 bytes at a time, all of JSON's grammar by arithmetic on bit masks, one bit
 * a byte. It never fails: what it does not take (errors, NaN, repeated members,
 * blanks before a colon, anything rare) it leaves to scan.h, which says what is wrong and
 * where. What it takes scan.h would have taken, too, with the same values.
 *
 * Two uses: items are passed over, or they are records (objects) of which some
 * members are wanted; the addresses of these are then handed over.
 *
 * Strings and their escapes are found as in Langdale and Lemire, "Parsing
 * Gigabytes of JSON per Second", VLDB Journal 28 (2019), section 3.1.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "base/text/text.h"

enum {
	json_block_size = 64,
	json_slack = 64, /* bytes that must be readable before and behind */
	json_names_limit = 32,
	json_slot_bits = 7,
	json_slots = 1 << json_slot_bits,
	json_record_limit = 64 * 1024 /* bytes of a record; longer ones are left alone */
};

/* The names of the wanted members, made ready to be found from their colons: a perfect hash of the
 * last bytes of a name, as many as all names have, gives the only one that it can be. */
struct json_names {
	int count;
	/* Of 8 classes of names a bit each: in which ones the last letter is, and the one before
	 * it, by the lower half of their bits. */
	struct json_name_ends {
		unsigned char last[16], before[16];
	} ends;
	uint64_t tail, factor;           /* the mask of these bytes, and the hash */
	unsigned char slots[json_slots]; /* 1 + index of a name, 0 none */
	struct json_document_name {
		struct span text;
		size_t quoted;             /* length with both quotes */
		uint64_t word[3], mask[3]; /* the last 24 bytes before the colon, newest first */
	} names[json_names_limit + 1];     /* the first one is none: nothing equals it */
};

enum json_blocks_stop {
	JSON_BLOCKS_BYTES,  /* the bytes are used up; the last item is not whole */
	JSON_BLOCKS_CLOSED, /* the container ends behind the last item taken */
	JSON_BLOCKS_LEFT    /* something between `taken` and `looked_at` is left to others */
};

struct json_blocks {
	const char *at;  /* after the opening bracket, or after an item */
	const char *end; /* the bytes between are given; json_slack more can be read */
	bool fresh;      /* `at` is after the opening bracket */
	bool object;     /* the container is an object, not an array */
	int levels;      /* how much deeper brackets may be nested */
	/* NULL: items are passed over. Else the container is an array of records, and `record` is
	 * called for each: a value's address, behind the colon, for each name, or NULL. False: the
	 * record is not taken. */
	const struct json_names *names;
	bool (*record)(void *context, const char *begin, const char *end,
		       const char *const *values);
	void *context;

	const char *taken;     /* behind the last item taken, or `at` */
	const char *looked_at; /* where it stopped, at or behind `taken` */
};

/* By instruction set, the best first; a NULL name ends the list. The last one, "none", takes
 * nothing. */
extern const struct json_blocks_variant {
	const char *name;
	enum json_blocks_stop (*run)(struct json_blocks *job);
	bool (*supported)(void);
} json_blocks_variants[];

/* The one in use: the best that this machine supports, unless another was asked for. */
const struct json_blocks_variant *json_blocks_variant(void);
/* Puts one to use, while nothing is read; false when this machine has none of this name. */
bool json_blocks_use(const char *name);
enum json_blocks_stop json_blocks_run(struct json_blocks *job);

/* False when they are too many or too odd to be found in this way. */
bool json_blocks_names_init(struct json_names *names, const struct span *texts, int count);
/* 1 + index of the name that may stand before a colon, or 0. */
static inline unsigned json_names_slot(const struct json_names *names, const char *colon)
{
	uint64_t last = word_at(colon - 8) & names->tail;
	return names->slots[last * names->factor >> (64 - json_slot_bits)];
}

/* For the variants: a function of words, or of lanes of words. Bit i of the result: the xor of the
 * bits 0 to i. */
#define PREFIX_XOR(name, type)                                                                     \
	static inline type name(type x)                                                            \
	{                                                                                          \
		x ^= x << 1;                                                                       \
		x ^= x << 2;                                                                       \
		x ^= x << 4;                                                                       \
		x ^= x << 8;                                                                       \
		x ^= x << 16;                                                                      \
		return x ^ x << 32;                                                                \
	}

PREFIX_XOR(prefix_xor, uint64_t)

/* For the table of variants. */
enum json_blocks_stop json_blocks_avx512(struct json_blocks *job);
enum json_blocks_stop json_blocks_avx2(struct json_blocks *job);
enum json_blocks_stop json_blocks_neon(struct json_blocks *job);
enum json_blocks_stop json_blocks_words(struct json_blocks *job);
/* For the variants: a colon that may stand behind a wanted name, by its hash, and the end of a
 * list. */
struct json_colon {
	uint32_t at;   /* an offset from job->at; UINT32_MAX: there is none */
	uint32_t name; /* 1 + index */
};
/* A record lies between the last one taken and `end`. Gives the first colon behind it; NULL: it was
 * not taken. */
const struct json_colon *json_blocks_record(struct json_blocks *job, const char *end,
					    const struct json_colon *colon);
