/* An NTFF taken apart for the fuzzer: the header's fields as a tree, and the programs and traces
 * that they point to. When it is written again, all lengths and offsets fit, unless they are meant
 * to be wrong. */
#ifndef TESTS_FUZZ_NTFF_TREE_H
#define TESTS_FUZZ_NTFF_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/span.h"
#include "base/strbuf.h"

enum tree_kind {
	TREE_LEAF,
	TREE_HEADER,
	TREE_NODE,
	TREE_SUBGRAPHS,
	TREE_CORE,
	TREE_STREAM,
	TREE_PATCHES,
	TREE_SEGMENT,
	TREE_CLOCKS,
	TREE_MESSAGE /* of numbers and texts only */
};

static const struct tree_row {
	enum tree_kind parent;
	uint32_t number;
	enum tree_kind kind;
} tree_rows[] = {
	{TREE_HEADER, 4, TREE_NODE},     {TREE_HEADER, 8, TREE_MESSAGE},
	{TREE_HEADER, 11, TREE_MESSAGE}, {TREE_HEADER, 12, TREE_MESSAGE},
	{TREE_HEADER, 13, TREE_MESSAGE}, {TREE_HEADER, 15, TREE_MESSAGE},
	{TREE_HEADER, 16, TREE_SEGMENT}, {TREE_NODE, 4, TREE_SUBGRAPHS},
	{TREE_SUBGRAPHS, 1, TREE_CORE},  {TREE_CORE, 4, TREE_STREAM},
	{TREE_CORE, 5, TREE_PATCHES},    {TREE_CORE, 6, TREE_SEGMENT},
	{TREE_CORE, 7, TREE_MESSAGE},    {TREE_CORE, 10, TREE_CLOCKS},
	{TREE_CORE, 11, TREE_MESSAGE},   {TREE_PATCHES, 2, TREE_MESSAGE},
	{TREE_CLOCKS, 1, TREE_MESSAGE},  {TREE_CLOCKS, 2, TREE_MESSAGE},
	{TREE_CLOCKS, 3, TREE_MESSAGE},  {TREE_CLOCKS, 4, TREE_MESSAGE},
	{TREE_CLOCKS, 5, TREE_MESSAGE},  {TREE_CLOCKS, 6, TREE_MESSAGE},
	{TREE_CLOCKS, 7, TREE_MESSAGE},  {TREE_CLOCKS, 8, TREE_MESSAGE},
};

struct field {
	uint32_t number;
	unsigned wire; /* 0 number, 1 and 5 numbers of 8 and 4 bytes, 2 bytes or a message */
	uint64_t value;
	enum tree_kind kind;
	struct span bytes; /* content of a leaf of wire type 2 */
	struct field **fields;
	size_t count, capacity;
	bool has_block; /* records or instruction words in the data area, or inside of a stream */
	struct span block;
	bool lies; /* the offset and size that it says are left as they are */
};

struct tree {
	struct arena *arena;
	unsigned version;
	struct field *header;
	int64_t header_lie; /* added to the size of the header */
};

enum { tree_header_at = 128, tree_field_limit = 20000 };

static inline bool tree_varint(struct span *rest, uint64_t *number)
{
	*number = 0;
	for (unsigned shift = 0; shift < 70 && rest->len; shift += 7) {
		unsigned char byte = (unsigned char)*rest->ptr++;
		rest->len--;
		*number |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

static inline enum tree_kind tree_kind_of(enum tree_kind parent, uint32_t number, unsigned wire)
{
	for (size_t i = 0; wire == 2 && i < sizeof tree_rows / sizeof *tree_rows; i++)
		if (tree_rows[i].parent == parent && tree_rows[i].number == number)
			return tree_rows[i].kind;
	return TREE_LEAF;
}

static inline void tree_insert(struct arena *arena, struct field *parent, size_t at,
			       struct field *field)
{
	parent->fields = arena_grow(arena, parent->fields, parent->count, &parent->capacity,
				    sizeof(struct field *));
	memmove(parent->fields + at + 1, parent->fields + at,
		(parent->count - at) * sizeof(struct field *));
	parent->fields[at] = field;
	parent->count++;
}

static inline bool tree_take_value(struct span *rest, struct field *field)
{
	uint64_t len = field->wire == 1 ? 8 : 4;
	if (field->wire == 0)
		return tree_varint(rest, &field->value);
	if (field->wire == 2 && !tree_varint(rest, &len))
		return false;
	if ((field->wire != 1 && field->wire != 2 && field->wire != 5) || len > rest->len)
		return false;
	field->bytes = (struct span){rest->ptr, (size_t)len};
	if (field->wire != 2)
		memcpy(&field->value, rest->ptr, (size_t)len);
	*rest = (struct span){rest->ptr + len, rest->len - (size_t)len};
	return true;
}

/* What cannot be understood stays a leaf. False: there are too many fields, or they are none. */
static inline bool tree_parse(struct arena *arena, struct field *message, size_t *room)
{
	struct span rest = message->bytes;
	while (rest.len) {
		struct field field = {0};
		uint64_t key;
		if (!*room || !tree_varint(&rest, &key) || key >> 32 || key < 8)
			return false;
		--*room;
		field.number = (uint32_t)(key >> 3);
		field.wire = key & 7;
		if (!tree_take_value(&rest, &field))
			return false;
		field.kind = tree_kind_of(message->kind, field.number, field.wire);
		struct field *copy = arena_alloc(arena, sizeof *copy);
		*copy = field;
		if (copy->kind != TREE_LEAF && !tree_parse(arena, copy, room)) {
			*copy = field;
			copy->kind = TREE_LEAF;
		}
		tree_insert(arena, message, message->count, copy);
	}
	return true;
}

static inline struct field *tree_child(const struct field *message, uint32_t number)
{
	for (size_t i = message->count; i-- > 0;)
		if (message->fields[i]->number == number)
			return message->fields[i];
	return NULL;
}

static inline uint64_t tree_number(const struct field *message, uint32_t number)
{
	const struct field *field = tree_child(message, number);
	return field ? field->value : 0;
}

static inline void tree_set(struct arena *arena, struct field *message, uint32_t number,
			    uint64_t value)
{
	struct field *field = tree_child(message, number);
	if (!field) {
		field = arena_alloc(arena, sizeof *field);
		tree_insert(arena, message, message->count, field);
	}
	*field = (struct field){.number = number, .value = value};
}

/* Gives segments and programs their bytes. */
static inline void tree_attach(struct field *field, struct span data)
{
	bool segment = field->kind == TREE_SEGMENT;
	if (segment || field->kind == TREE_STREAM) {
		const struct field *inside = segment ? NULL : tree_child(field, 3);
		uint64_t at = tree_number(field, segment ? 5 : 7);
		uint64_t size = tree_number(field, segment ? 6 : 8);
		if (inside && inside->wire == 2)
			field->block = inside->bytes;
		else if (at <= data.len && size <= data.len - at)
			field->block = (struct span){data.ptr + at, (size_t)size};
		else
			field->lies = true;
		field->has_block = !field->lies;
	}
	for (size_t i = 0; i < field->count; i++)
		tree_attach(field->fields[i], data);
}

static inline bool tree_read(struct arena *arena, struct span bytes, struct tree *tree)
{
	uint64_t len = 0;
	size_t room = tree_field_limit;
	if (bytes.len < tree_header_at)
		return false;
	memcpy(&len, bytes.ptr + 1, sizeof len);
	if (len > bytes.len - tree_header_at)
		return false;
	*tree = (struct tree){arena, (unsigned char)bytes.ptr[0], NULL, 0};
	tree->header = arena_alloc(arena, sizeof *tree->header);
	tree->header->kind = TREE_HEADER;
	tree->header->bytes = (struct span){bytes.ptr + tree_header_at, (size_t)len};
	if (!tree_parse(arena, tree->header, &room))
		return false;
	tree_attach(tree->header, (struct span){bytes.ptr + tree_header_at + len,
						bytes.len - tree_header_at - (size_t)len});
	return true;
}

/* --- back to bytes --- */

static inline void tree_put_varint(struct strbuf *out, uint64_t number)
{
	for (; number > 0x7f; number >>= 7)
		strbuf_addch(out, (char)(number & 0x7f) | (char)0x80);
	strbuf_addch(out, (char)number);
}

/* Appends the blocks to each other and sets the fields to their offsets. */
static inline void tree_place(struct tree *tree, struct field *field, struct strbuf *data)
{
	struct field *inside = field->kind == TREE_STREAM ? tree_child(field, 3) : NULL;
	bool segment = field->kind == TREE_SEGMENT;
	if (field->has_block && inside && inside->wire == 2) {
		inside->bytes = field->block;
	} else if (field->has_block && !field->lies) {
		tree_set(tree->arena, field, segment ? 5 : 7, data->len);
		tree_set(tree->arena, field, segment ? 6 : 8, field->block.len);
	}
	if (field->has_block && !(inside && inside->wire == 2))
		strbuf_addspan(data, field->block);
	for (size_t i = 0; i < field->count; i++)
		tree_place(tree, field->fields[i], data);
}

static inline void tree_put(struct strbuf *out, const struct field *message)
{
	for (size_t i = 0; i < message->count; i++) {
		const struct field *field = message->fields[i];
		struct strbuf below = {0};
		tree_put_varint(out, (uint64_t)field->number << 3 | field->wire);
		if (field->wire == 0) {
			tree_put_varint(out, field->value);
		} else if (field->wire != 2) {
			strbuf_add(out, &field->value, field->wire == 1 ? 8 : 4);
		} else {
			if (field->kind == TREE_LEAF)
				strbuf_addspan(&below, field->bytes);
			else
				tree_put(&below, field);
			tree_put_varint(out, below.len);
			strbuf_addspan(out, strbuf_span(&below));
		}
		strbuf_free(&below);
	}
}

/* The size of the file, written to `bytes` when it has room; 0 when it has not. */
static inline size_t tree_write(struct tree *tree, uint8_t *bytes, size_t room)
{
	struct strbuf data = {0}, header = {0};
	tree_place(tree, tree->header, &data);
	tree_put(&header, tree->header);
	size_t size = tree_header_at + header.len + data.len;
	if (size <= room) {
		uint64_t len = header.len + (uint64_t)tree->header_lie;
		memset(bytes, 0xee, tree_header_at);
		bytes[0] = (uint8_t)tree->version;
		memcpy(bytes + 1, &len, sizeof len);
		if (header.len)
			memcpy(bytes + tree_header_at, header.buf, header.len);
		if (data.len)
			memcpy(bytes + tree_header_at + header.len, data.buf, data.len);
	}
	strbuf_free(&data);
	strbuf_free(&header);
	return size <= room ? size : 0;
}

#endif
