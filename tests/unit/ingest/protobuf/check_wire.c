/* Fields of messages: the examples of the specification, limits of numbers, and damage. */
#include "ingest/protobuf/wire.h"

#include "tests/unit/unit.h"

static struct wire message_of(const char *bytes, size_t len)
{
	return wire_of((struct span){bytes, len});
}

#define MESSAGE(bytes) message_of(bytes, sizeof(bytes) - 1)

START_TEST(reads_the_examples_of_the_specification)
{
	struct wire_field field;
	struct wire wire = MESSAGE("\x08\x96\x01\x12\x07testing\x1a\x03\x08\x96\x01");
	ck_assert(wire_next(&wire, &field));
	ck_assert_uint_eq(field.number, 1);
	ck_assert_uint_eq(field.integer, 150);
	ck_assert(wire_next(&wire, &field));
	ck_assert_uint_eq(field.number, 2);
	ck_assert(span_is(field.bytes, "testing"));
	ck_assert(wire_next(&wire, &field));
	struct wire inside = wire_inside(&field);
	ck_assert(wire_next(&inside, &field));
	ck_assert_uint_eq(field.integer, 150);
	ck_assert(!wire_next(&inside, &field) && !inside.damaged);
	ck_assert(!wire_next(&wire, &field) && !wire.damaged);
}
END_TEST

START_TEST(reads_numbers)
{
	struct wire_field field;
	struct wire wire = MESSAGE("\x09\0\0\0\0\0\0\xf8\x3f"
				   "\x15\0\0\x20\xc0"
				   "\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
	ck_assert(wire_next(&wire, &field));
	ck_assert_double_eq(wire_double(&field), 1.5);
	ck_assert(wire_next(&wire, &field));
	ck_assert_double_eq(wire_double(&field), -2.5);
	ck_assert(wire_next(&wire, &field));
	ck_assert(field.integer == UINT64_MAX);
	ck_assert(isnan(wire_double(&field)));
	struct wire none = wire_inside(&field);
	ck_assert(!wire_next(&none, &field) && !none.damaged);
	ck_assert(!wire_next(&wire, &field) && !wire.damaged);
}
END_TEST

static const struct {
	const char *what, *bytes;
	size_t len;
} damaged[] = {
	{"a key without a value", "\x08", 1},
	{"a varint that does not end", "\x08\xff\xff", 3},
	{"a varint of more than 64 bits", "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11},
	{"a varint of eleven bytes", "\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 12},
	{"bytes beyond the end",
	 "\x12\x03"
	 "ab",
	 4},
	{"a length of 2^63", "\x12\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 11},
	{"a double of seven bytes", "\x09\0\0\0\0\0\0\0", 8},
	{"a float of three bytes", "\x15\0\0\0", 4},
	{"field 0", "\x00\x01", 2},
	{"a field above 32 bits", "\x88\x80\x80\x80\x80\x80\x01\x01", 8},
	{"a group", "\x0b\x0c", 2},
	{"an unknown type", "\x0e\x01", 2},
};

START_TEST(refuses_damage)
{
	for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
		struct wire_field field;
		struct wire wire = message_of(damaged[i].bytes, damaged[i].len);
		ck_assert_msg(!wire_next(&wire, &field) && wire.damaged, "%s", damaged[i].what);
		ck_assert_msg(!wire_next(&wire, &field), "%s: goes on", damaged[i].what);
	}
}
END_TEST

UNIT_MAIN("wire", reads_the_examples_of_the_specification, reads_numbers, refuses_damage)
