/*
 * Names and what was found out about them, so that a table with a thousand rows
 * asks git about each commit once.
 */
#ifndef CLI_INGEST_NAME_MAP_H
#define CLI_INGEST_NAME_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct name_entry {
	const char *name;   /* NULL: free */
	const char *value;  /* NULL at first */
	const char *reason; /* of a failure; the map does not touch either */
};

/* Zeroed, it is empty and usable. */
struct name_map {
	struct name_entry *slots;
	size_t count, slot_count;
};

/* The entry of the name, made when there is none; valid until the next call. The name is not
 * copied. */
struct name_entry *name_map_at(struct arena *arena, struct name_map *map, const char *name);

#endif
