/* Reads keys and values of a message. */
#include "ingest/protobuf/wire.h"

struct wire wire_of(struct span message)
{
	return (struct wire){.rest = message};
}

static bool take_varint(struct span *rest, uint64_t *integer)
{
	*integer = 0;
	for (unsigned i = 0; i < 10 && i < rest->len; i++) {
		uint64_t byte = (unsigned char)rest->ptr[i];
		*integer |= (byte & 0x7f) << (7 * i);
		if (byte < 0x80) {
			*rest = (struct span){rest->ptr + i + 1, rest->len - i - 1};
			return i < 9 || byte < 2; /* 64 bits */
		}
	}
	return false;
}

static bool take_bytes(struct span *rest, uint64_t size, struct span *bytes)
{
	if (size > rest->len)
		return false;
	*bytes = (struct span){rest->ptr, (size_t)size};
	*rest = (struct span){rest->ptr + size, rest->len - (size_t)size};
	return true;
}

/* Little-endian. */
static bool take_fixed(struct span *rest, size_t size, uint64_t *integer)
{
	struct span bytes;
	if (!take_bytes(rest, size, &bytes))
		return false;
	*integer = 0;
	for (size_t i = size; i-- > 0;)
		*integer = *integer << 8 | (unsigned char)bytes.ptr[i];
	return true;
}

static bool take_value(struct span *rest, struct wire_field *field)
{
	switch (field->type) {
	case WIRE_VARINT:
		return take_varint(rest, &field->integer);
	case WIRE_FIXED64:
		return take_fixed(rest, 8, &field->integer);
	case WIRE_FIXED32:
		return take_fixed(rest, 4, &field->integer);
	case WIRE_BYTES:
		return take_varint(rest, &field->integer) &&
		       take_bytes(rest, field->integer, &field->bytes);
	}
	return false;
}

bool wire_next(struct wire *wire, struct wire_field *field)
{
	uint64_t key;
	*field = (struct wire_field){.bytes = {"", 0}};
	if (wire->damaged || wire->rest.len == 0)
		return false;
	wire->damaged = !take_varint(&wire->rest, &key) || key >> 3 == 0 || key >> 32;
	if (wire->damaged)
		return false;
	field->number = (uint32_t)(key >> 3);
	field->type = (enum wire_type)(key & 7);
	wire->damaged = !take_value(&wire->rest, field);
	return !wire->damaged;
}

double wire_double(const struct wire_field *field)
{
	double number = NAN;
	uint32_t bits = (uint32_t)field->integer;
	float single;
	if (field->type == WIRE_FIXED64) {
		memcpy(&number, &field->integer, sizeof number);
	} else if (field->type == WIRE_FIXED32) {
		memcpy(&single, &bits, sizeof single);
		number = (double)single;
	}
	return number;
}

struct wire wire_inside(const struct wire_field *field)
{
	return wire_of(field->type == WIRE_BYTES ? field->bytes : (struct span){"", 0});
}
