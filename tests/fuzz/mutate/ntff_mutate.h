/* Mutations that an NTFF survives: they change fields of the header, records of the traces and
 * words of the programs, and adjust all lengths. Everything else is plain bytes. */
#ifndef TESTS_FUZZ_NTFF_MUTATE_H
#define TESTS_FUZZ_NTFF_MUTATE_H

#include "tests/fuzz/mutate/ntff_tree.h"

/* libFuzzer's own; absent where the corpus is only replayed. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t room) __attribute__((weak));

enum { mutation_fields = 16384 };

struct mutation {
	struct tree tree;
	uint64_t random;
	struct field *all[mutation_fields]; /* with their parents: all but the header */
	struct field *parents[mutation_fields];
	size_t count;
};

/* splitmix64 */
static inline uint64_t draw(struct mutation *m)
{
	uint64_t z = m->random += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* Below `limit`, 0 when that is 0. */
static inline size_t draw_below(struct mutation *m, size_t limit)
{
	return limit ? (size_t)(draw(m) % limit) : 0;
}

static inline void list_fields(struct mutation *m, struct field *parent)
{
	for (size_t i = 0; i < parent->count && m->count < mutation_fields; i++) {
		m->all[m->count] = parent->fields[i];
		m->parents[m->count++] = parent;
		list_fields(m, parent->fields[i]);
	}
}

static inline uint64_t mutate_number(struct mutation *m, uint64_t old)
{
	static const uint64_t known[] = {0,
					 1,
					 2,
					 3,
					 4,
					 5,
					 6,
					 14,
					 15,
					 16,
					 31,
					 32,
					 63,
					 64,
					 65,
					 127,
					 255,
					 256,
					 1023,
					 1024,
					 4095,
					 4096,
					 65535,
					 65536,
					 0x40000,
					 0xfffff,
					 0x2000000,
					 0x7fffffff,
					 0xffffffff,
					 (uint64_t)1 << 32,
					 INT64_MAX,
					 UINT64_MAX,
					 (uint64_t)1 << 60,
					 (uint64_t)1 << 61,
					 (uint64_t)1 << 62,
					 UINT64_MAX - 1,
					 UINT64_MAX / 2,
					 1000000,
					 731428,
					 731408};
	switch (draw_below(m, 6)) {
	case 0:
		return old + draw_below(m, 33) - 16;
	case 1:
		return old ^ (uint64_t)1 << draw_below(m, 64);
	case 2:
		return old * 2;
	case 3:
		return m->count ? m->all[draw_below(m, m->count)]->value : 0;
	case 4:
		return draw(m) >> draw_below(m, 64);
	default:
		return known[draw_below(m, sizeof known / sizeof *known)];
	}
}

/* A copy of the bytes that may be changed, followed by `more` bytes. */
static inline uint8_t *copy_bytes(struct mutation *m, struct span bytes, size_t more)
{
	uint8_t *copy = arena_alloc(m->tree.arena, bytes.len + more + 1);
	if (bytes.len)
		memcpy(copy, bytes.ptr, bytes.len);
	return copy;
}

static inline struct span mutate_plain(struct mutation *m, struct span bytes)
{
	size_t room = bytes.len + 16, size = bytes.len;
	uint8_t *copy = copy_bytes(m, bytes, 16);
	if (LLVMFuzzerMutate && draw_below(m, 4))
		size = LLVMFuzzerMutate(copy, size, room);
	else if (size && draw_below(m, 4))
		copy[draw_below(m, size)] ^= (uint8_t)(1 << draw_below(m, 8));
	else if (size && draw_below(m, 2))
		size -= 1 + draw_below(m, size);
	else
		for (size_t i = draw_below(m, 16); i-- > 0;)
			copy[size++] = (uint8_t)draw(m);
	return (struct span){(const char *)copy, size};
}

/* --- records and words: both are pieces of a fixed size --- */

/* Copies, moves, removes or repeats pieces; false when another mutation should be tried. */
static inline struct span mutate_pieces(struct mutation *m, struct span block, size_t piece)
{
	size_t count = block.len / piece, times = 1 + draw_below(m, 8), more = piece * times;
	uint8_t *copy = copy_bytes(m, block, more);
	size_t a = draw_below(m, count), b = draw_below(m, count), size = block.len;
	if (!count)
		return block;
	switch (draw_below(m, 5)) {
	case 0: /* swapped */
		memcpy(copy + a * piece, block.ptr + b * piece, piece);
		memcpy(copy + b * piece, block.ptr + a * piece, piece);
		break;
	case 1: /* overwritten */
		memcpy(copy + a * piece, block.ptr + b * piece, piece);
		break;
	case 2: /* removed */
		memmove(copy + a * piece, copy + (a + 1) * piece, size - (a + 1) * piece);
		size -= piece;
		break;
	case 3: /* repeated */
		memmove(copy + a * piece + more, copy + a * piece, size - a * piece);
		for (size_t i = 0; i < times; i++)
			memcpy(copy + (a + i) * piece, block.ptr + b * piece, piece);
		size += more;
		break;
	default: /* cut off */
		size = a * piece;
	}
	return (struct span){(const char *)copy, size};
}

static inline uint64_t time_at(const uint8_t *record)
{
	uint64_t time;
	memcpy(&time, record + 8, sizeof time);
	return time;
}

static inline void set_time(uint8_t *record, uint64_t time)
{
	memcpy(record + 8, &time, sizeof time);
}

/* What a record says, so that it stays a record. */
static inline void mutate_record(struct mutation *m, uint8_t *records, size_t count, bool dma)
{
	static const uint8_t dma_kinds[] = {1, 5, 6, 1, 5, 0};
	uint8_t *one = records + 16 * draw_below(m, count);
	const uint8_t *other = records + 16 * draw_below(m, count);
	switch (draw_below(m, 8)) {
	case 0:
		set_time(one, time_at(other));
		break;
	case 1:
		set_time(one, time_at(other) + (draw(m) >> (24 + draw_below(m, 40))));
		break;
	case 2:
		set_time(one, mutate_number(m, time_at(one)));
		break;
	case 3: /* the address, or the size of a transfer */
		memcpy(one, other, 3);
		break;
	case 4: /* engine */
		one[3] = dma ? (uint8_t)(0x80 | draw_below(m, 32))
			     : (uint8_t)((one[3] & 0x83) | draw_below(m, 6) << 2);
		break;
	case 5: /* kind */
		if (dma)
			one[4] = (uint8_t)((one[4] & 0xf0) |
					   dma_kinds[draw_below(m, sizeof dma_kinds)]);
		else
			one[3] = (uint8_t)((one[3] & ~3) | draw_below(m, 4));
		break;
	case 6: /* changes all records */
		for (size_t i = 0; i < count; i++)
			memcpy(records + 16 * i + 3, other + 3, draw_below(m, 2) ? 2 : 13);
		break;
	default:
		one[draw_below(m, 16)] = (uint8_t)draw(m);
	}
}

static inline void mutate_word(struct mutation *m, uint8_t *words, size_t count)
{
	static const uint8_t opcodes[] = {0x01, 0x02, 0x21, 0x42, 0x43, 0x46, 0xa0,
					  0xa6, 0xa6, 0xb8, 0x02, 0x92, 0xa9};
	uint8_t *word = words + 64 * draw_below(m, count);
	size_t at = draw_below(m, 64), width = (size_t)1 << draw_below(m, 4);
	uint64_t number = 0;
	at -= at % width;
	switch (draw_below(m, 4)) {
	case 0:
		word[0] = opcodes[draw_below(m, sizeof opcodes)];
		break;
	case 1: /* what a note says */
		word[36] = (uint8_t)draw_below(m, 4);
		break;
	default:
		memcpy(&number, word + at, width);
		number = mutate_number(m, number);
		memcpy(word + at, &number, width);
	}
}

static inline void mutate_block(struct mutation *m, struct field *field)
{
	bool words = field->kind == TREE_STREAM, dma = tree_number(field, 1) == 4;
	size_t piece = words ? 64 : 16, count = field->block.len / piece;
	if (!count || draw_below(m, 3) == 0) {
		field->block = mutate_pieces(m, field->block, piece);
		return;
	}
	uint8_t *copy = copy_bytes(m, field->block, 0);
	for (size_t i = 1 + draw_below(m, 4); i-- > 0;)
		if (words)
			mutate_word(m, copy, count);
		else
			mutate_record(m, copy, count, dma);
	field->block.ptr = (const char *)copy;
}

/* --- the header --- */

static inline struct field *copy_field(struct arena *arena, const struct field *field)
{
	struct field *copy = arena_alloc(arena, sizeof *copy);
	*copy = *field;
	copy->fields = NULL;
	copy->count = copy->capacity = 0;
	for (size_t i = 0; i < field->count; i++)
		tree_insert(arena, copy, i, copy_field(arena, field->fields[i]));
	return copy;
}

static inline void mutate_content(struct mutation *m, struct field *field)
{
	if (field->kind == TREE_SEGMENT || field->kind == TREE_STREAM)
		mutate_block(m, field);
	else if (field->kind != TREE_LEAF)
		return;
	else if (field->wire == 2)
		field->bytes = mutate_plain(m, field->bytes);
	else
		field->value = mutate_number(m, field->value);
}

static inline void remove_field(struct field *parent, size_t at)
{
	parent->count--;
	memmove(parent->fields + at, parent->fields + at + 1,
		(parent->count - at) * sizeof(struct field *));
}

static inline void mutate_shape(struct mutation *m, struct field *parent, struct field *field)
{
	struct arena *arena = m->tree.arena;
	size_t at = 0, other = draw_below(m, parent->count);
	while (parent->fields[at] != field)
		at++;
	switch (draw_below(m, 6)) {
	case 0:
		remove_field(parent, at);
		break;
	case 1:
	case 2: /* with everything in it, and its own bytes in the data area */
		for (size_t i = draw_below(m, 8) ? 1 : draw_below(m, 80); i-- > 0;)
			tree_insert(arena, parent, other, copy_field(arena, field));
		break;
	case 3:
		parent->fields[at] = parent->fields[other];
		parent->fields[other] = field;
		break;
	case 4:
		field->number = (uint32_t)(1 + draw_below(m, 20));
		break;
	default: /* a number becomes bytes, and the other way round */
		field->wire = field->wire == 0 ? 2 : field->wire == 2 ? draw_below(m, 2) : 0;
		field->kind = TREE_LEAF;
		field->has_block = false;
		field->count = 0;
	}
}

/* One of a kind, so that the many queues do not get all the mutations. */
static inline size_t draw_field(struct mutation *m)
{
	size_t at = draw_below(m, m->count);
	enum tree_kind kind = (enum tree_kind)draw_below(m, TREE_MESSAGE + 1);
	for (size_t i = 0; draw_below(m, 4) && i < m->count; i++) {
		size_t next = (at + i) % m->count;
		if (m->all[next]->kind == kind)
			return next;
	}
	return at;
}

static inline void mutate_tree(struct mutation *m)
{
	static const uint8_t versions[] = {4, 5, 6, 6, 3, 7};
	m->count = 0;
	list_fields(m, m->tree.header);
	if (!m->count)
		return;
	size_t at = draw_field(m);
	size_t choice = draw_below(m, 64);
	if (choice == 0)
		m->tree.version = versions[draw_below(m, sizeof versions)];
	else if (choice == 1)
		m->tree.header_lie = (int64_t)draw_below(m, 64) - 32;
	else if (choice == 2)
		m->all[at]->lies = true;
	else if (choice < 14)
		mutate_shape(m, m->parents[at], m->all[at]);
	else
		mutate_content(m, m->all[at]);
}

static inline struct mutation *mutation_new(struct arena *arena, unsigned seed)
{
	struct mutation *m = arena_alloc(arena, sizeof *m);
	m->random = seed;
	return m;
}

static inline size_t ntff_mutate(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
	struct arena arena = {0};
	struct mutation *m = mutation_new(&arena, seed);
	struct span all = {(const char *)bytes, size};
	size_t result = 0;
	bool structured = tree_read(&arena, all, &m->tree);
	m->tree.arena = &arena;
	/* What is read points into the bytes: they are replaced at the end only. */
	if (structured && draw_below(m, 16)) {
		uint8_t *out = arena_alloc(&arena, room);
		for (size_t i = 1 + draw_below(m, 4); i-- > 0;)
			mutate_tree(m);
		result = tree_write(&m->tree, out, room);
		if (result)
			memcpy(bytes, out, result);
	}
	if (!result) {
		struct span plain = mutate_plain(m, all);
		result = plain.len < room ? plain.len : room;
		memcpy(bytes, plain.ptr, result);
	}
	arena_free(&arena);
	return result;
}

/* The first file with a field of the second in the place of one of the same kind. */
static inline size_t ntff_cross(struct span one, struct span two, uint8_t *out, size_t room,
				unsigned seed)
{
	struct arena arena = {0};
	struct mutation *m = mutation_new(&arena, seed), *other = mutation_new(&arena, seed);
	size_t result = 0;
	if (tree_read(&arena, one, &m->tree) && tree_read(&arena, two, &other->tree)) {
		list_fields(m, m->tree.header);
		list_fields(other, other->tree.header);
		size_t at = m->count ? draw_field(m) : 0;
		for (size_t tries = 0; m->count && other->count && tries < 64; tries++) {
			const struct field *from = other->all[draw_field(other)];
			if (from->kind != m->all[at]->kind ||
			    (from->kind == TREE_LEAF && from->number != m->all[at]->number))
				continue;
			*m->all[at] = *copy_field(&arena, from);
			result = tree_write(&m->tree, out, room);
			break;
		}
	}
	arena_free(&arena);
	return result;
}

#endif
