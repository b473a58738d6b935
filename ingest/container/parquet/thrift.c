/* Reads Thrift's compact protocol from memory. */
#include "ingest/container/parquet/thrift.h"

enum { depth_limit = 32 };

static uint8_t take_byte(struct thrift *thrift)
{
	if (thrift->rest.len == 0) {
		thrift->damaged = true;
		return 0;
	}
	uint8_t byte = (uint8_t)thrift->rest.ptr[0];
	thrift->rest = span_from(thrift->rest, 1);
	return byte;
}

static uint64_t take_varint(struct thrift *thrift)
{
	uint64_t number = 0;
	for (int shift = 0; shift < 64; shift += 7) {
		uint8_t byte = take_byte(thrift);
		number |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return number;
	}
	thrift->damaged = true;
	return 0;
}

static int64_t take_zigzag(struct thrift *thrift)
{
	uint64_t number = take_varint(thrift);
	return (int64_t)(number >> 1 ^ (0 - (number & 1)));
}

static struct span take(struct thrift *thrift, uint64_t size)
{
	if (size > thrift->rest.len) {
		thrift->damaged = true;
		thrift->rest.len = 0;
		return (struct span){NULL, 0};
	}
	struct span bytes = {thrift->rest.ptr, (size_t)size};
	thrift->rest = (struct span){thrift->rest.ptr + size, thrift->rest.len - (size_t)size};
	return bytes;
}

enum thrift_type thrift_field(struct thrift *thrift, int *id)
{
	uint8_t head = take_byte(thrift);
	enum thrift_type type = (enum thrift_type)(head & 15);
	if (type > THRIFT_STRUCT)
		thrift->damaged = true;
	if (thrift->damaged || type == THRIFT_STOP)
		return THRIFT_STOP;
	*id = head >> 4 ? *id + (head >> 4) : (int)(int16_t)take_zigzag(thrift);
	return type;
}

int64_t thrift_integer(struct thrift *thrift, enum thrift_type type)
{
	if (type == THRIFT_TRUE || type == THRIFT_FALSE)
		return type == THRIFT_TRUE;
	if (type == THRIFT_BYTE)
		return (int8_t)take_byte(thrift);
	if (type >= THRIFT_I16 && type <= THRIFT_I64)
		return take_zigzag(thrift);
	thrift->damaged = true;
	return 0;
}

struct span thrift_bytes(struct thrift *thrift, enum thrift_type type)
{
	if (type == THRIFT_BINARY)
		return take(thrift, take_varint(thrift));
	thrift->damaged = true;
	return (struct span){NULL, 0};
}

/* The number of items, and their type. */
static size_t take_list(struct thrift *thrift, enum thrift_type *items)
{
	uint8_t head = take_byte(thrift);
	uint64_t count = head >> 4 == 15 ? take_varint(thrift) : head >> 4;
	*items = (enum thrift_type)(head & 15);
	if (count > thrift->rest.len || *items > THRIFT_STRUCT)
		thrift->damaged = true;
	return thrift->damaged ? 0 : (size_t)count;
}

size_t thrift_list(struct thrift *thrift, enum thrift_type type, enum thrift_type wanted)
{
	enum thrift_type items = THRIFT_STOP;
	size_t count = type == THRIFT_LIST ? take_list(thrift, &items) : 0;
	if (type != THRIFT_LIST || (count && items != wanted))
		thrift->damaged = true;
	return thrift->damaged ? 0 : count;
}

bool thrift_struct(struct thrift *thrift, enum thrift_type type)
{
	if (type != THRIFT_STRUCT)
		thrift->damaged = true;
	return !thrift->damaged;
}

static void skip(struct thrift *thrift, enum thrift_type type, int depth);

static void skip_items(struct thrift *thrift, enum thrift_type type, size_t count, int depth)
{
	/* As an item, true and false are a byte of their own. */
	if (type == THRIFT_TRUE || type == THRIFT_FALSE)
		type = THRIFT_BYTE;
	for (size_t i = 0; i < count && !thrift->damaged; i++)
		skip(thrift, type, depth);
}

static void skip_map(struct thrift *thrift, int depth)
{
	uint64_t count = take_varint(thrift);
	uint8_t types = count ? take_byte(thrift) : 0;
	if (count > thrift->rest.len)
		thrift->damaged = true;
	for (uint64_t i = 0; i < count && !thrift->damaged; i++) {
		skip_items(thrift, (enum thrift_type)(types >> 4), 1, depth);
		skip_items(thrift, (enum thrift_type)(types & 15), 1, depth);
	}
}

static void skip(struct thrift *thrift, enum thrift_type type, int depth)
{
	enum thrift_type items;
	int id = 0;
	if (depth == depth_limit)
		thrift->damaged = true;
	if (thrift->damaged)
		return;
	if (type >= THRIFT_TRUE && type <= THRIFT_I64) {
		thrift_integer(thrift, type);
	} else if (type == THRIFT_DOUBLE) {
		take(thrift, 8);
	} else if (type == THRIFT_BINARY) {
		thrift_bytes(thrift, type);
	} else if (type == THRIFT_LIST || type == THRIFT_SET) {
		size_t count = take_list(thrift, &items);
		skip_items(thrift, items, count, depth + 1);
	} else if (type == THRIFT_MAP) {
		skip_map(thrift, depth + 1);
	} else if (type == THRIFT_STRUCT) {
		while ((type = thrift_field(thrift, &id)) != THRIFT_STOP)
			skip(thrift, type, depth + 1);
	} else {
		thrift->damaged = true;
	}
}

void thrift_skip(struct thrift *thrift, enum thrift_type type)
{
	skip(thrift, type, 0);
}
