/*
 * A set of names with running sums: instructions by opcode, packets by queue.
 * Memory and time are bounded: after tally_name_limit names, or tally_text_limit
 * bytes of names, new ones are counted as "(other)", and so they are when names
 * have been made to have one hash.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "model/run/run.h"

enum {
	tally_kept = 50,
	tally_name_limit = 65535,
	tally_text_limit = 4 * 1024 * 1024,
	tally_reach_limit = 256 /* 65,535 names at random reach less than 100 */
};

struct tally_entry {
	struct span name; /* ends with NUL */
	uint64_t hash;
	double count, ticks, bytes, flops; /* flops: NAN until the first */
};

/* Zeroed but for the arena, it is empty and usable. The names belong to the arena. */
struct tally {
	struct arena *arena;
	struct tally_entry *entries; /* in the order of first appearance */
	size_t count, capacity;
	uint32_t *slots; /* 1 + index of an entry, 0 free */
	size_t slot_count;
	size_t reach; /* the most slots that an entry is behind the one of its hash */
	size_t text_size;
	bool overflowed; /* "(other)" is in use */
};

/* The entry with this name, new if need be; valid until the next call. */
struct tally_entry *tally_find(struct tally *tally, struct span name);
/* The same, NULL when there is none of this name. */
const struct tally_entry *tally_known(const struct tally *tally, struct span name);
/* Writes the entries, sorted by seconds (memory: by bytes) descending, then by name, and returns
 * how many they are, at most tally->count. Of opcodes and source lines the first tally_kept are
 * written and all others as one, "(rest)". `tick` is in seconds. Bytes are given only where the
 * kind has them. */
size_t tally_write(const struct tally *tally, enum tally_kind kind, double tick,
		   struct run_tally *out);
void tally_free(struct tally *tally);
