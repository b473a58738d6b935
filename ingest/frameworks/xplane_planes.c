/* Reads planes: their metadata, and stats by name. */
#include "ingest/frameworks/xplane.h"

static int by_id(const void *a, const void *b)
{
	const struct xplane_metadata *x = a, *y = b;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static const struct xplane_metadata *find(const struct xplane_table *table, uint64_t id)
{
	size_t low = 0, high = table->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (table->items[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < table->count && table->items[low].id == id ? &table->items[low] : NULL;
}

const struct xplane_metadata *xplane_event(const struct xplane *plane, uint64_t id)
{
	return find(&plane->events, id);
}

/* An entry of a map {1: id, 2: {2: name, 4: shown name}}. */
static int add_metadata(struct arena *arena, struct xplane_table *table, struct wire entry,
			struct error *err)
{
	struct wire_field field;
	struct xplane_metadata metadata = {.name = {"", 0}, .shown = {"", 0}};
	if (table->count == xplane_metadata_limit)
		return error_set(err, ERR_FORMAT, "more than %d kinds of events in a plane",
				 (int)xplane_metadata_limit);
	while (wire_next(&entry, &field))
		if (field.number == 1)
			metadata.id = field.integer;
		else if (field.number == 2)
			metadata.message = wire_inside(&field);
	struct wire message = metadata.message;
	while (wire_next(&message, &field))
		if (field.number == 2)
			metadata.name = field.bytes;
		else if (field.number == 4)
			metadata.shown = field.bytes;
	if (entry.damaged || message.damaged)
		return error_set(err, ERR_FORMAT, "damaged: metadata of a plane");
	metadata.order = table->count;
	*arena_next(arena, table->items, table->count, table->capacity) = metadata;
	return 0;
}

int xplane_open(struct xplane *plane, struct arena *arena, struct wire message, struct error *err)
{
	struct wire_field field;
	struct wire rest = message;
	*plane = (struct xplane){.name = {"", 0}, .message = message};
	while (wire_next(&rest, &field)) {
		struct xplane_table *table = field.number == 4   ? &plane->events
					     : field.number == 5 ? &plane->stats
								 : NULL;
		if (field.number == 2)
			plane->name = field.bytes;
		else if (table && add_metadata(arena, table, wire_inside(&field), err) < 0)
			return -1;
	}
	if (rest.damaged)
		return error_set(err, ERR_FORMAT, "damaged: a plane");
	if (plane->events.count)
		qsort(plane->events.items, plane->events.count, sizeof *plane->events.items, by_id);
	if (plane->stats.count)
		qsort(plane->stats.items, plane->stats.count, sizeof *plane->stats.items, by_id);
	return 0;
}

static struct span name_of(const struct xplane *plane, uint64_t id)
{
	const struct xplane_metadata *metadata = find(&plane->stats, id);
	return metadata ? metadata->name : (struct span){"", 0};
}

bool xplane_next_stat(const struct xplane *plane, struct wire *message, uint32_t field,
		      struct xplane_stat *stat)
{
	struct wire_field outer, part;
	do
		if (!wire_next(message, &outer))
			return false;
	while (outer.number != field);
	struct wire content = wire_inside(&outer);
	*stat = (struct xplane_stat){.name = {"", 0}, .number = NAN, .text = {"", 0}};
	while (wire_next(&content, &part))
		switch (part.number) {
		case 1:
			stat->name = name_of(plane, part.integer);
			break;
		case 2:
			stat->number = wire_double(&part);
			break;
		case 3:
			stat->integer = part.integer;
			stat->number = (double)part.integer;
			break;
		case 4:
			stat->integer = part.integer;
			stat->number = (double)(int64_t)part.integer;
			break;
		case 5:
		case 6:
			stat->text = part.bytes;
			break;
		case 7:
			stat->text = name_of(plane, part.integer);
			break;
		}
	if (isinf(stat->number))
		stat->number = NAN;
	message->damaged |= content.damaged;
	return !message->damaged;
}
