/* Entries sorted by directory. */
#include "cli/ingest/folders/nearby.h"

void nearby_init(struct arena *arena, struct nearby *nearby, size_t count)
{
	*nearby = (struct nearby){.items = arena_array(arena, count + 1, sizeof *nearby->items)};
}

void nearby_add(struct nearby *nearby, const char *directory)
{
	nearby->items[nearby->count] = (struct nearby_entry){directory, nearby->count};
	nearby->count++;
}

static int by_directory(const void *a, const void *b)
{
	const struct nearby_entry *x = a, *y = b;
	int order = strcmp(x->directory, y->directory);
	return order ? order : (x->index > y->index) - (x->index < y->index);
}

void nearby_sort(struct nearby *nearby)
{
	qsort(nearby->items, nearby->count, sizeof *nearby->items, by_directory);
}

struct nearby_range nearby_in(const struct nearby *nearby, const char *directory)
{
	size_t low = 0, high = nearby->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(nearby->items[middle].directory, directory) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	struct nearby_range range = {low, low};
	while (range.end < nearby->count &&
	       strcmp(nearby->items[range.end].directory, directory) == 0)
		range.end++;
	return range;
}

const char *nearby_above(struct arena *arena, const char *directory)
{
	const char *slash = strrchr(directory, '/');
	if (strcmp(directory, ".") == 0 || strcmp(directory, "/") == 0)
		return NULL;
	if (!slash)
		return ".";
	return slash == directory ? "/"
				  : arena_strndup(arena, directory, (size_t)(slash - directory));
}
