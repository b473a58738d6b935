/*
 * A list of blocks, each of which is used from its start to its end. Only the first block ("head")
 * is allocated from. A request of more than a quarter of the usual block size gets a block of its
 * own after the head, so that the rest of the head remains in use.
 */
#include "base/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct arena_block {
	struct arena_block *next;
	size_t used; /* bytes; at most size */
	size_t size; /* bytes in `bytes` */
	bool huge;   /* HUGE_BLOCK bytes with this header, from huge_block_new() */
	_Alignas(16) unsigned char bytes[];
};

/* Blocks are small until an arena has become large (large_arena). Then each is a huge page of 2
 * MiB: one page fault instead of 512, which would cost more than filling the pages. */
enum { SMALL_BLOCK = 32 * 1024, HUGE_PAGE = 2 << 20, HUGE_BLOCK = HUGE_PAGE };
static const size_t large_arena = 384 << 10;

static size_t block_size(const struct arena *arena)
{
	return (arena->used < large_arena ? SMALL_BLOCK : HUGE_BLOCK) - sizeof(struct arena_block);
}

/* One huge block that an arena freed, for the next arena that becomes large. A new one would cost
 * the time in which the system clears it. Shared by all threads. */
static _Atomic(struct arena_block *) spare;

static struct arena_block *huge_block_new(void)
{
	struct arena_block *block = atomic_exchange(&spare, NULL);
	if (block)
		return block;
	block = aligned_alloc(HUGE_PAGE, HUGE_BLOCK);
#ifdef MADV_HUGEPAGE
	/* A hint: without huge pages, the block consists of ordinary ones. */
	if (block)
		madvise(block, HUGE_BLOCK, MADV_HUGEPAGE);
#endif
	return block;
}

static void block_free(struct arena_block *block)
{
#ifdef __SANITIZE_ADDRESS__ /* A reused block would hide a use after free. */
	free(block);
#else
	free(block->huge ? atomic_exchange(&spare, block) : block);
#endif
}

/* A block for `size` bytes; with `zero` they are zeroed. calloc() does not clear memory that comes
 * from the system as zeros. */
static struct arena_block *block_new(size_t size, bool zero)
{
	if (size > SIZE_MAX - sizeof(struct arena_block))
		abort();
	size_t whole = sizeof(struct arena_block) + size;
	bool huge = whole == HUGE_BLOCK && !zero;
	struct arena_block *block = huge   ? huge_block_new()
				    : zero ? calloc(1, whole)
					   : malloc(whole);
	if (!block)
		abort();
	block->huge = huge;
	block->next = NULL;
	block->used = 0;
	block->size = size;
	return block;
}

void arena_expect(struct arena *arena, size_t bytes)
{
	const struct arena_block *head = arena->head;
	bool has_room = head && head->size - head->used >= large_arena;
	if (bytes < large_arena || arena->used >= large_arena || has_room)
		return;
	struct arena_block *block = block_new(HUGE_BLOCK - sizeof *block, false);
	block->next = arena->head;
	arena->head = block;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	if (size > SIZE_MAX - 15)
		abort();
	size = (size + 15) & ~(size_t)15;
	struct arena_block *head = arena->head;
	bool zero = false;
	if (!head || head->size - head->used < size) {
		size_t usual = block_size(arena);
		zero = size > usual / 4; /* a block of its own */
		struct arena_block *block = block_new(zero ? size : usual, zero);
		if (head && block->size != usual) {
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
	assert(head->used <= head->size);
	arena->used += size;
	return zero ? result : memset(result, 0, size);
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		abort();
	return arena_alloc(arena, count * size);
}

void *arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity, size_t size)
{
	assert(count <= *capacity);
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

char *arena_prefix(struct arena *arena, const char *text, size_t len)
{
	return arena_strndup(arena, text, strnlen(text, len));
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	enum { USUAL_LENGTH = 256 }; /* longer texts are formatted a second time */
	char first[USUAL_LENGTH];
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int len = vsnprintf(first, sizeof first, format, args);
	va_end(args);
	if (len < 0)
		abort();
	char *text = arena_alloc(arena, (size_t)len + 1);
	if ((size_t)len < sizeof first)
		memcpy(text, first, (size_t)len);
	else
		vsnprintf(text, (size_t)len + 1, format, again);
	va_end(again);
	return text;
}

void arena_adopt(struct arena *arena, struct arena *from)
{
	struct arena_block *last = from->head;
	assert(arena != from);
	if (!last)
		return;
	while (last->next)
		last = last->next;
	/* After the head, so that the rest of the head remains in use. */
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
		block_free(block);
		block = next;
	}
	arena->head = NULL;
	arena->used = 0;
}
