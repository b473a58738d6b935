/* A hash table of names with open addressing. */
#include "cli/ingest/name_map.h"

#include "base/hash/hash.h"

static struct name_entry *find(struct name_entry *slots, size_t slot_count, const char *name)
{
	size_t at = (size_t)(table_hash_of(span_of(name)) >> 32) % slot_count;
	while (slots[at].name && strcmp(slots[at].name, name) != 0)
		at = (at + 1) % slot_count;
	return &slots[at];
}

static void grow(struct arena *arena, struct name_map *map)
{
	size_t wider = map->slot_count ? map->slot_count * 2 : 64;
	struct name_entry *slots = arena_array(arena, wider, sizeof *slots);
	for (size_t i = 0; i < map->slot_count; i++)
		if (map->slots[i].name)
			*find(slots, wider, map->slots[i].name) = map->slots[i];
	map->slots = slots;
	map->slot_count = wider;
}

struct name_entry *ingest_name_map_at(struct arena *arena, struct name_map *map, const char *name)
{
	if (map->count * 2 >= map->slot_count)
		grow(arena, map);
	assert(map->count < map->slot_count); /* so that find() ends at a free slot */
	struct name_entry *entry = find(map->slots, map->slot_count, name);
	if (!entry->name) {
		*entry = (struct name_entry){.name = name};
		map->count++;
	}
	return entry;
}
