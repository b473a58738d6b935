/* Arena: a list of blocks, each handed out from its start to its end. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_block {
	struct arena_block *next;
	size_t used;
	size_t size;
	_Alignas(16) unsigned char bytes[];
};

static const size_t block_size = 32 * 1024;

static struct arena_block *block_new(size_t size)
{
	if (size > SIZE_MAX - sizeof(struct arena_block))
		abort();
	struct arena_block *block = malloc(sizeof *block + size);
	if (!block)
		abort();
	block->next = NULL;
	block->used = 0;
	block->size = size;
	return block;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	if (size > SIZE_MAX - 15)
		abort();
	size = (size + 15) & ~(size_t)15;
	struct arena_block *head = arena->head;
	if (!head || head->size - head->used < size) {
		struct arena_block *block = block_new(size > block_size / 4 ? size : block_size);
		/* A large block goes behind the head so that the head's rest stays in use. */
		if (head && block->size != block_size) {
			block->next = head->next;
			head->next = block;
		} else {
			block->next = head;
			arena->head = block;
		}
		head = block;
	}
	void *result = head->bytes + head->used;
	head->used += size;
	arena->used += size;
	return memset(result, 0, size);
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		abort();
	return arena_alloc(arena, count * size);
}

void *arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity, size_t size)
{
	if (count < *capacity)
		return items;
	size_t wider = *capacity ? *capacity * 2 : 8;
	void *grown = arena_array(arena, wider, size);
	if (count)
		memcpy(grown, items, count * size);
	*capacity = wider;
	return grown;
}

char *arena_strndup(struct arena *arena, const char *text, size_t len)
{
	char *copy = arena_alloc(arena, len + 1);
	if (len)
		memcpy(copy, text, len);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (len < 0)
		abort();
	char *text = arena_alloc(arena, (size_t)len + 1);
	vsnprintf(text, (size_t)len + 1, format, again);
	va_end(again);
	return text;
}

void arena_adopt(struct arena *arena, struct arena *from)
{
	struct arena_block *last = from->head;
	if (!last)
		return;
	while (last->next)
		last = last->next;
	/* Behind the head, whose rest stays in use. */
	if (arena->head) {
		last->next = arena->head->next;
		arena->head->next = from->head;
	} else {
		arena->head = from->head;
	}
	arena->used += from->used;
	*from = (struct arena){0};
}

void arena_free(struct arena *arena)
{
	struct arena_block *block = arena->head;
	while (block) {
		struct arena_block *next = block->next;
		free(block);
		block = next;
	}
	arena->head = NULL;
	arena->used = 0;
}
