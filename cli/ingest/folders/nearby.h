/*
 * Finds what lies in a directory or above it among thousands of entries: the params.json of a run,
 * the runs that a companion may belong to.
 */
#pragma once

#include "base/base.h"

struct nearby_entry {
	const char *directory; /* a result of directory_walk_open() */
	size_t index;          /* in the caller's list */
};

struct nearby {
	struct nearby_entry *items;
	size_t count;
};

struct nearby_range {
	size_t first, end; /* of nearby.items, in the order of their indexes */
};

/* Makes an index of `count` entries, whose directories the caller fills in before it is sorted. */
void nearby_init(struct arena *arena, struct nearby *nearby, size_t count);
void nearby_add(struct nearby *nearby, const char *directory);
void nearby_sort(struct nearby *nearby);
/* The entries in exactly this directory. */
struct nearby_range nearby_in(const struct nearby *nearby, const char *directory);
/* ERR_USAGE if a log next to a file of results says that they were measured on a CPU, not on the
 * device. */
int nearby_check_cpu_log(struct arena *arena, const char *path, const char *device,
			 struct error *err);
/* Programs that the Neuron compiler built, and those that came from its cache. */
struct compilations {
	size_t compiled, cached;
};
/* Counts what the logs next to a file say of compilation: those of its name, and those with a
 * general name if `any_name`. Logs above 64 MB are not read. */
struct compilations nearby_read_compile_log(struct arena *arena, const char *path, bool any_name);
/* The directory that this one lies in: "a/b" -> "a" -> ".", "/a" -> "/"; NULL at the end. */
const char *nearby_above(struct arena *arena, const char *directory);
