/* Finds the releases of a commit. */
#include "model/commits/releases.h"

#include "base/text/text.h"

enum { NAMES_LIMIT = 3 };

bool releases_add(struct arena *arena, struct release_list *list, struct span name, const char *oid)
{
	if (list->count == RELEASES_LIMIT) {
		list->cut = true;
		return false;
	}
	if (!name.len || name.len > RELEASE_NAME_LIMIT || utf8_valid_prefix(name) != name.len)
		return true;
	struct release *release = arena_add(arena, list);
	release->name = arena_strndup(arena, name.ptr, name.len);
	snprintf(release->oid, sizeof release->oid, "%s", oid);
	return true;
}

static int by_commit(const void *a, const void *b)
{
	const struct release *one = a, *other = b;
	int order = strcmp(one->oid, other->oid);
	return order ? order : strcmp(one->name, other->name);
}

void releases_sort(struct release_list *list)
{
	array_sort(list->items, list->count, sizeof *list->items, by_commit);
}

/* The first release whose commit is not before `oid`. */
static size_t first_of(const struct release_list *list, const char *oid)
{
	size_t low = 0, high = list->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(list->items[middle].oid, oid) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const char *releases_at(struct arena *arena, const struct release_list *list, const char *oid)
{
	struct strbuf names = {0};
	size_t first = first_of(list, oid), count = 0;
	for (size_t i = first; i < list->count && strcmp(list->items[i].oid, oid) == 0; i++) {
		bool again = i > first && strcmp(list->items[i].name, list->items[i - 1].name) == 0;
		if (again)
			continue;
		if (count == NAMES_LIMIT) {
			strbuf_addstr(&names, ", ...");
			break;
		}
		strbuf_addf(&names, "%s%s", count++ ? ", " : "", list->items[i].name);
	}
	return count ? strbuf_into(&names, arena) : NULL;
}
