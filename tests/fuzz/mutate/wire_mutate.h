/* Mutations that a message of Protocol Buffers survives, and a report of Nsight Compute: one field
 * somewhere in the tree changes, is doubled or goes, and all lengths around it follow. */
#ifndef TESTS_FUZZ_WIRE_MUTATE_H
#define TESTS_FUZZ_WIRE_MUTATE_H

#include <stdint.h>
#include <string.h>

#include "base/base.h"
#include "ingest/protobuf/wire.h"

/* libFuzzer's own; absent where the corpus is only replayed. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t room) __attribute__((weak));

struct wire_dice {
	uint64_t state;
};

/* splitmix64, below `limit` */
static inline size_t wire_roll(struct wire_dice *dice, size_t limit)
{
	uint64_t z = dice->state += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	z ^= z >> 31;
	return limit ? (size_t)(z % limit) : 0;
}

static inline void wire_put_varint(struct strbuf *out, uint64_t number)
{
	for (; number > 127; number >>= 7)
		strbuf_addch(out, (char)(unsigned char)((number & 127) | 128));
	strbuf_addch(out, (char)number);
}

static inline void wire_put_fixed(struct strbuf *out, uint64_t number, size_t size)
{
	for (size_t i = 0; i < size; i++)
		strbuf_addch(out, (char)(unsigned char)(number >> 8 * i));
}

static inline void wire_put(struct strbuf *out, const struct wire_field *field)
{
	wire_put_varint(out, (uint64_t)field->number << 3 | field->type);
	if (field->type == WIRE_VARINT) {
		wire_put_varint(out, field->integer);
	} else if (field->type == WIRE_BYTES) {
		wire_put_varint(out, field->bytes.len);
		strbuf_addspan(out, field->bytes);
	} else {
		wire_put_fixed(out, field->integer, field->type == WIRE_FIXED64 ? 8 : 4);
	}
}

/* Fields of a valid message; 0: it is none, or empty. */
static inline size_t wire_count(struct span message)
{
	struct wire wire = wire_of(message);
	struct wire_field field;
	size_t count = 0;
	while (wire_next(&wire, &field))
		count++;
	return wire.damaged ? 0 : count;
}

static inline uint64_t wire_new_number(struct wire_dice *dice, uint64_t old)
{
	static const double doubles[] = {0, -1, 1e308, 1e-320, NAN, INFINITY, 1e12};
	uint64_t bits;
	switch (wire_roll(dice, 6)) {
	case 0:
		return old + 1;
	case 1:
		return old - 1;
	case 2:
		return old ^ (uint64_t)1 << wire_roll(dice, 64);
	case 3:
		return wire_roll(dice, 16);
	case 4:
		return UINT64_MAX >> wire_roll(dice, 64);
	default:
		memcpy(&bits, &doubles[wire_roll(dice, sizeof doubles / sizeof *doubles)],
		       sizeof bits);
		return bits;
	}
}

static inline void wire_mutate_bytes(struct strbuf *out, struct span bytes)
{
	size_t room = bytes.len + 64;
	uint8_t *copy = malloc(room);
	if (bytes.len)
		memcpy(copy, bytes.ptr, bytes.len);
	size_t len = LLVMFuzzerMutate ? LLVMFuzzerMutate(copy, bytes.len, room) : bytes.len;
	strbuf_add(out, (const char *)copy, len);
	free(copy);
}

enum { wire_depth_limit = 12 };

static inline void wire_mutate_message(struct strbuf *out, struct span message,
				       struct wire_dice *dice, int depth)
{
	size_t count = wire_count(message), chosen = wire_roll(dice, count), at = 0;
	struct wire wire = wire_of(message);
	struct wire_field field;
	if (count == 0 || depth == wire_depth_limit) {
		wire_mutate_bytes(out, message);
		return;
	}
	for (; wire_next(&wire, &field); at++) {
		size_t what = at == chosen ? wire_roll(dice, 10) : 9;
		struct strbuf inside = {0};
		if (what == 0)
			continue;
		if (what == 1)
			wire_put(out, &field);
		if (what == 2)
			field.number = 1 + (uint32_t)wire_roll(dice, 36);
		if (at == chosen && what > 2 && field.type == WIRE_BYTES) {
			wire_mutate_message(&inside, field.bytes, dice, depth + 1);
			field.bytes = strbuf_span(&inside);
		} else if (at == chosen && what > 2) {
			field.integer = wire_new_number(dice, field.integer);
		}
		wire_put(out, &field);
		strbuf_free(&inside);
	}
}

/* --- a report of Nsight Compute: blocks of sized messages --- */

static inline bool wire_take_sized(struct span *rest, struct span *message)
{
	uint32_t len = 0;
	if (rest->len < 4)
		return false;
	for (size_t i = 4; i-- > 0;)
		len = len << 8 | (unsigned char)rest->ptr[i];
	if (len > rest->len - 4)
		return false;
	*message = (struct span){rest->ptr + 4, len};
	*rest = (struct span){rest->ptr + 4 + len, rest->len - 4 - len};
	return true;
}

static inline void wire_put_sized(struct strbuf *out, struct span message)
{
	wire_put_fixed(out, message.len, 4);
	strbuf_addspan(out, message);
}

/* The header of a block with another size of its content. */
static inline void wire_put_block_header(struct strbuf *out, struct span header, size_t size)
{
	struct wire wire = wire_of(header);
	struct wire_field field;
	struct strbuf changed = {0};
	while (wire_next(&wire, &field)) {
		if (field.number == 5)
			field.integer = size;
		wire_put(&changed, &field);
	}
	wire_put_sized(out, strbuf_span(&changed));
	strbuf_free(&changed);
}

static inline size_t wire_block_size(struct span header)
{
	struct wire wire = wire_of(header);
	struct wire_field field;
	size_t size = 0;
	while (wire_next(&wire, &field))
		if (field.number == 5)
			size = (size_t)field.integer;
	return size;
}

/* Changes one message of a block, or its header. False: the bytes are not a report. */
static inline bool wire_mutate_report(struct strbuf *out, struct span report,
				      struct wire_dice *dice)
{
	struct span rest = report, header;
	if (rest.len < 4 || memcmp(rest.ptr, "NVR", 4) != 0)
		return false;
	strbuf_add(out, rest.ptr, 4);
	rest = span_from(rest, 4);
	if (!wire_take_sized(&rest, &header))
		return false;
	wire_put_sized(out, header);
	while (wire_take_sized(&rest, &header)) {
		struct strbuf content = {0}, changed = {0};
		size_t size = wire_block_size(header);
		struct span entry, entries = {rest.ptr, size < rest.len ? size : rest.len};
		rest = (struct span){rest.ptr + entries.len, rest.len - entries.len};
		bool in_header = wire_roll(dice, 4) == 0;
		while (wire_take_sized(&entries, &entry)) {
			struct strbuf one = {0};
			if (!in_header && wire_roll(dice, 2) == 0)
				wire_mutate_message(&one, entry, dice, 0);
			else
				strbuf_addspan(&one, entry);
			wire_put_sized(&content, strbuf_span(&one));
			strbuf_free(&one);
		}
		if (in_header)
			wire_mutate_message(&changed, header, dice, 0);
		else
			strbuf_addspan(&changed, header);
		wire_put_block_header(out, strbuf_span(&changed), content.len);
		strbuf_addspan(out, strbuf_span(&content));
		strbuf_free(&content);
		strbuf_free(&changed);
	}
	strbuf_addspan(out, rest);
	return true;
}

/* The mutator of libFuzzer; one of eight inputs is changed as plain bytes. */
static inline size_t wire_mutate(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
	struct wire_dice dice = {seed};
	struct strbuf out = {0};
	struct span all = {(const char *)bytes, size};
	if (wire_roll(&dice, 8) == 0)
		return LLVMFuzzerMutate ? LLVMFuzzerMutate(bytes, size, room) : size;
	if (!wire_mutate_report(&out, all, &dice)) {
		strbuf_reset(&out);
		wire_mutate_message(&out, all, &dice, 0);
	}
	size_t len = out.len < room ? out.len : room;
	memcpy(bytes, strbuf_text(&out), len);
	strbuf_free(&out);
	return len;
}

#endif
