/*
 * An arena owns memory that is freed all at once.
 *
 *   - Memory is zeroed and aligned to 16 bytes, enough for every type.
 *   - Single values are not freed; arena_free() frees everything.
 *   - Allocation never returns NULL. If the system has no memory left, the process aborts.
 *   - A zeroed `struct arena` is empty and ready for use.
 *   - An arena must not be used by two threads at the same time.
 *
 * Each command has one arena for its results; temporary data lives in scratch arenas. When one with
 * a large block is freed, the next arena that becomes large reuses the block.
 */
#pragma once

#include <stddef.h>

#include "base/span.h"

struct arena_block;

struct arena {
	struct arena_block *head;
	size_t used; /* bytes allocated so far, for tests and limits */
};

/* Announces about how many bytes will be allocated. If that is much, the arena begins with a large
 * block. The announcement is a hint and need not be exact. */
void arena_expect(struct arena *arena, size_t bytes);

void *arena_alloc(struct arena *arena, size_t size);
/* Allocates count * size bytes; aborts if the product overflows. */
void *arena_array(struct arena *arena, size_t count, size_t size);
/* Makes room for one more item in an array with `count` used and `*capacity` allocated items of
 * `size` bytes. Returns the array itself, or a copy with twice the capacity. */
void *arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity, size_t size);
/* Copies of a text, NUL-terminated. */
char *arena_strdup(struct arena *arena, const char *text);
/* Copies exactly `len` bytes, whatever they are. */
char *arena_strndup(struct arena *arena, const char *text, size_t len);
/* Copies the first `len` bytes of a text, or all of it if it is shorter. */
char *arena_prefix(struct arena *arena, const char *text, size_t len);
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Moves everything that `from` owns into `arena`. Afterwards `from` is empty. */
void arena_adopt(struct arena *arena, struct arena *from);
/* Frees all memory. Afterwards the arena is empty and usable. */
void arena_free(struct arena *arena);

#define arena_new(arena, type) ((type *)arena_alloc((arena), sizeof(type)))

/* The address of one more item at the end of an array that grows in the arena. The arguments but
 * the first are evaluated several times, and change: the same expression must not read them. */
#define arena_next(arena, items, count, capacity)                                                  \
	((items) = arena_grow((arena), (items), (count), &(capacity), sizeof *(items)),            \
	 &(items)[(count)++])
/* The same for a list: a struct with the members items, count and capacity. */
#define arena_add(arena, list) arena_next((arena), (list)->items, (list)->count, (list)->capacity)
