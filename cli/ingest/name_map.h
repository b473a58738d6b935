/*
 * Caches a value per name, so that a table with a thousand rows asks git about each commit only
 * once.
 */
#pragma once

#include "base/base.h"

struct name_entry {
	const char *name;   /* NULL: free slot */
	const char *value;  /* NULL at first; set by the caller */
	const char *reason; /* why the value is missing; set by the caller */
};

/* Usable after zeroing. */
struct name_map {
	struct name_entry *slots;
	size_t count, slot_count;
};

/* The entry of the name, added if it is new; valid until the next call. The name is not copied and
 * must remain valid. */
struct name_entry *ingest_name_map_at(struct arena *arena, struct name_map *map, const char *name);
