/* Bounded texts. The size of its buffer is stored before each text. */
#include "ingest/collect/bounded_text.h"

struct room {
	size_t size; /* of `text`, including the NUL */
	char text[];
};

static struct room *room_of(const char *copy)
{
	return (struct room *)(void *)((char *)copy - offsetof(struct room, text));
}

static struct span cut(struct span text)
{
	if (text.len <= bounded_text_limit)
		return text;
	text.len = bounded_text_limit;
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

void bounded_text_set(struct arena *arena, const char **copy, struct span text)
{
	text = cut(text);
	if (*copy && span_is(text, *copy))
		return;
	struct room *room = *copy ? room_of(*copy) : NULL;
	if (!room || room->size <= text.len)
		room = wider(arena, room, text.len + 1);
	assert(room->size > text.len);
	if (text.len)
		memcpy(room->text, text.ptr, text.len);
	room->text[text.len] = '\0';
	*copy = room->text;
}

const char *bounded_text_of(struct arena *arena, struct span text)
{
	const char *copy = NULL;
	bounded_text_set(arena, &copy, text);
	return copy;
}
