/*
 * The fast path through the items of a JSON container whose bytes are in memory. It processes
 * blocks of 64 bytes and implements the grammar of JSON by arithmetic on bit masks with one bit per
 * byte.
 *
 * It never fails. Anything that it does not handle (errors, NaN, repeated members, blanks before a
 * colon, rare forms) is left to scan.h, which reports the error and its position. Everything that
 * it takes would be accepted by scan.h with the same values.
 *
 * Items are either skipped, or they are records (objects), for which the addresses of the wanted
 * members are passed to a callback.
 *
 * Strings and their escapes are found as in Langdale and Lemire, "Parsing Gigabytes of JSON per
 * Second", VLDB Journal 28 (2019), section 3.1.
 *
 * Never add error messages; the byte scanner words them.
 */
#pragma once

#include "base/base.h"
#include "base/text/text.h"

enum {
	json_block_size = 64,
	json_slack = 64, /* bytes that must be readable before and after the given ones */
	json_names_limit = 32,
	json_slot_bits = 7,
	json_slots = 1 << json_slot_bits,
	json_record_limit = 64 * 1024 /* bytes of a record; longer ones are not taken */
};

/* The names of the wanted members, prepared for look-ups from their colons. A perfect hash of the
 * bytes before the colon (as many as the shortest name has) gives the only name that can match. */
struct json_names {
	int count;
	/* For the last letter of a name and the character before it: entry k has a bit for each of
	 * 8 classes of names that contain a character whose lower half is k. */
	struct json_name_ends {
		unsigned char last[16], before[16];
	} ends;
	uint64_t tail, factor;           /* mask of the hashed bytes, and the factor of the hash */
	unsigned char slots[json_slots]; /* 1 + index of a name, 0 none */
	struct json_document_name {
		struct span text;
		size_t quoted;             /* length including both quotes */
		uint64_t word[3], mask[3]; /* the last 24 bytes before the colon, last word first */
	} names[json_names_limit + 1];     /* names[0] means no name and never matches */
};

enum json_blocks_stop {
	JSON_BLOCKS_BYTES,  /* all bytes were used; the last item is incomplete */
	JSON_BLOCKS_CLOSED, /* the container ends after the last item consumed */
	JSON_BLOCKS_LEFT    /* something between `consumed` and `looked_at` needs scan.h */
};

struct json_blocks {
	const char *at;  /* after the opening bracket, or after an item */
	const char *end; /* end of the given bytes; json_slack more can be read */
	bool fresh;      /* `at` is after the opening bracket */
	bool object;     /* the container is an object, not an array */
	int levels;      /* how many more levels of brackets are allowed */
	/* NULL: items are skipped. Otherwise the container is an array of records, and `record` is
	 * called for each with one address per name, which points after the colon or is NULL. If it
	 * returns false, the record is not taken. */
	const struct json_names *names;
	bool (*record)(void *context, const char *begin, const char *end,
		       const char *const *values);
	void *context;

	const char *consumed;  /* output: after the last item consumed, or `at` */
	const char *looked_at; /* output: where it stopped; not before `consumed` */
};

/* The implementations by instruction set, the fastest first; a NULL name ends the list. The last
 * one, "none", takes nothing. */
extern const struct json_blocks_variant {
	const char *name;
	enum json_blocks_stop (*run)(struct json_blocks *job);
	bool (*supported)(void);
} json_blocks_variants[];

/* The variant in use: the fastest one that this machine supports,
 * unless another one was selected. */
const struct json_blocks_variant *json_blocks_variant(void);
/* Selects a variant; not while a document is read. False if this machine has none of this name. */
bool json_blocks_use(const char *name);
enum json_blocks_stop json_blocks_run(struct json_blocks *job);

/* False if there are too many names, or names that this method cannot find. */
bool json_blocks_names_init(struct json_names *names, const struct span *texts, int count);
/* 1 + index of the only name that can be before this colon; 0 if there is none. */
static inline unsigned json_names_slot(const struct json_names *names, const char *colon)
{
	uint64_t last = word_at(colon - 8) & names->tail;
	return names->slots[last * names->factor >> (64 - json_slot_bits)];
}

/* For the variants: defines a function of words, or of lanes of words. Bit i of its result is the
 * xor of the bits 0 to i. */
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

/* The functions in the table of variants. */
enum json_blocks_stop json_blocks_avx512(struct json_blocks *job);
enum json_blocks_stop json_blocks_avx2(struct json_blocks *job);
enum json_blocks_stop json_blocks_neon(struct json_blocks *job);
enum json_blocks_stop json_blocks_words(struct json_blocks *job);
/* For the variants: a colon after a name that may be wanted, according to the hash; also the end of
 * a list of these. */
struct json_colon {
	uint32_t at;   /* offset from job->at; UINT32_MAX ends a list */
	uint32_t name; /* 1 + index */
};
/* Processes the record between job->consumed and `end`. Returns the first colon after it; NULL if
 * it was not taken. */
const struct json_colon *json_blocks_record(struct json_blocks *job, const char *end,
					    const struct json_colon *colon);
