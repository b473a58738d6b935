/* Bounded texts. The size of its buffer is stored before each text. */
#include "ingest/collect/bounded_text.h"

struct room {
	size_t size; /* of `text`, including the NUL */
	char text[];
};

static struct room *room_of(const char *kept)
{
	return (struct room *)(void *)((char *)kept - offsetof(struct room, text));
}

static struct span cut(struct span text)
{
	if (text.len <= kept_limit)
		return text;
	text.len = kept_limit;
	while (text.len && (text.ptr[text.len] & 0xc0) == 0x80)
		text.len--;
	return text;
}

/* At least doubles the size. The sum of all earlier buffers of a text is then less than the last
 * one. */
static struct room *wider(struct arena *arena, const struct room *old, size_t size)
{
	size_t minimum = old ? 2 * old->size : 0;
	size = size > minimum ? size : minimum;
	struct room *room = arena_alloc(arena, sizeof *room + size);
	room->size = size;
	return room;
}

void bounded_text_keep(struct arena *arena, const char **kept, struct span text)
{
	text = cut(text);
	if (*kept && span_is(text, *kept))
		return;
	struct room *room = *kept ? room_of(*kept) : NULL;
	if (!room || room->size <= text.len)
		room = wider(arena, room, text.len + 1);
	assert(room->size > text.len);
	if (text.len)
		memcpy(room->text, text.ptr, text.len);
	room->text[text.len] = '\0';
	*kept = room->text;
}

const char *bounded_text_of(struct arena *arena, struct span text)
{
	const char *kept = NULL;
	bounded_text_keep(arena, &kept, text);
	return kept;
}
