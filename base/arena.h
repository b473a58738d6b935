/*
 * An arena owns every value of one command. Memory is handed out zeroed and
 * aligned for any type, nothing is freed alone, and allocation never returns
 * NULL: when the system has no memory left the process aborts.
 *
 * A zeroed `struct arena` is empty and ready for use.
 */
#pragma once

#include <stddef.h>

#include "base/span.h"

struct arena_block;

struct arena {
	struct arena_block *head;
	size_t used; /* bytes handed out so far, for tests and limits */
};

/* So many bytes are going to be asked for, more or less: where that is much, they do not begin with
 * small blocks. */
void arena_expect(struct arena *arena, size_t bytes);

void *arena_alloc(struct arena *arena, size_t size);
/* count * size with an overflow check. */
void *arena_array(struct arena *arena, size_t count, size_t size);
/* A grown copy of an array of `count` used and `*capacity` allocated items: room for one more. */
void *arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity, size_t size);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t len);
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Moves everything that `from` owns into `arena`; `from` is empty then. */
void arena_adopt(struct arena *arena, struct arena *from);
/* Gives all memory back; the arena is empty and usable again. */
void arena_free(struct arena *arena);

#define arena_new(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
