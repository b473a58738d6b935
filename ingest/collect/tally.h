/*
 * A set of names with running sums: instructions by opcode, packets by queue. Memory and time are
 * bounded: new names are counted as "(other)" after tally_name_limit names, after tally_text_limit
 * bytes of names, or when a hostile file contains many names with colliding hashes.
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"

enum {
	tally_listed = 50,
	tally_name_limit = 65535,
	tally_text_limit = 4 * 1024 * 1024,
	tally_reach_limit = 256 /* slots; 65,535 random names reach less than 100 */
};

struct tally_entry {
	struct span name; /* NUL-terminated */
	uint64_t hash;
	double count, ticks, bytes, flops; /* flops: NAN until the first */
};

/* Usable after zeroing; set the arena. It owns the names. */
struct tally {
	struct arena *arena;
	struct tally_entry *entries; /* in the order of their first appearance */
	size_t count, capacity;
	uint32_t *slots; /* hash table: 1 + index of an entry, 0 free */
	size_t slot_count;
	size_t reach; /* the largest distance of an entry from the slot of its hash */
	size_t text_size;
	bool overflowed; /* "(other)" is in use */
};

/* The entry with this name, added if it is new; valid until the next call. */
struct tally_entry *tally_find(struct tally *tally, struct span name);
/* The entry with this name; NULL if there is none. */
const struct tally_entry *tally_known(const struct tally *tally, struct span name);
/* Writes the entries and returns their number, at most tally->count. They are sorted by seconds
 * (memory: by bytes) in descending order, then by name. For opcodes and source lines, the first
 * tally_listed are written and the others summed as "(rest)". `tick` is in seconds. Bytes are NAN
 * if the kind has none. */
size_t tally_write(const struct tally *tally, enum tally_kind kind, double tick,
		   struct run_tally *out);
void tally_free(struct tally *tally);
