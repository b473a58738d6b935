/* The wire format field by field: valid fields, and the messages for invalid bytes. */
#include "ingest/ntff/header/protobuf.h"

#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "tests/unit/unit.h"

#define BYTES(literal)                                                                             \
	{                                                                                          \
		(literal), sizeof(literal) - 1                                                     \
	}

/* The fields as "number:wire=value" or "number:wire[size]"; an error is the last. */
static void list_fields(struct strbuf *out, struct protobuf message)
{
	struct protobuf_field field;
	struct error err = {ERR_NONE, ""};
	int more;
	while ((more = protobuf_next(&message, &field, &err)) == 1) {
		strbuf_addf(out, "%s%" PRIu32 ":%d", out->len ? " " : "", field.number,
			    (int)field.wire);
		if (field.wire == NTFF_WIRE_BYTES)
			strbuf_addf(out, "[%" PRIu64 "]", field.bytes.end - field.bytes.at);
		else
			strbuf_addf(out, "=%" PRIu64, field.value);
	}
	if (more < 0)
		strbuf_addf(out, "%s! %s", out->len ? " " : "", err.text);
}

static const struct {
	struct span bytes;
	const char *fields;
} messages[] = {
	{BYTES(""), ""},
	{BYTES("\x08\0"), "1:0=0"},
	{BYTES("\x08\x96\x01"), "1:0=150"},
	{BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "1:0=18446744073709551615"},
	/* More bytes than needed are allowed, more bits are not. */
	{BYTES("\x08\x81\x80\x80\x80\x80\x80\x80\x80\x80\0"), "1:0=1"},
	{BYTES("\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02"),
	 "! byte 1: a number of more than 64 bits"},
	{BYTES("\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"),
	 "! byte 1: a number of more than 64 bits"},
	{BYTES("\x08"), "! byte 1: a field reaches beyond its message"},
	{BYTES("\x08\x80"), "! byte 2: a field reaches beyond its message"},
	{BYTES("\x09\x01\x02\x03\x04\x05\x06\x07\x08"), "1:1=578437695752307201"},
	{BYTES("\x09\x01\x02\x03\x04\x05\x06\x07"), "! byte 8: a field reaches beyond its message"},
	{BYTES("\x15\x01\x02\x03\x84"), "2:5=2214789633"},
	{BYTES("\x15\x01\x02\x03"), "! byte 4: a field reaches beyond its message"},
	{BYTES("\x12\x03"
	       "abc\x18\x07"),
	 "2:2[3] 3:0=7"},
	{BYTES("\x12\0"), "2:2[0]"},
	{BYTES("\x18\x07\x12\x04"
	       "abc"),
	 "3:0=7 ! byte 4: a field of 4 bytes in a message that has 3 left"},
	{BYTES("\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
	       "abc"),
	 "! byte 11: a field of 18446744073709551615 bytes in a message that has 3 left"},
	{BYTES("\x98\x06\x01"), "99:0=1"},
	{BYTES("\xf8\xff\xff\xff\x0f\x01"), "536870911:0=1"},
	{BYTES("\x80\x80\x80\x80\x10\x01"), "! byte 0: invalid field number 536870912"},
	{BYTES("\x08\x01\0\x01"), "1:0=1 ! byte 2: invalid field number 0"},
	{BYTES("\x0b"), "! byte 0: field 1 is of the unknown wire type 3"},
	{BYTES("\x0c"), "! byte 0: field 1 is of the unknown wire type 4"},
	{BYTES("\x0e"), "! byte 0: field 1 is of the unknown wire type 6"},
	{BYTES("\x0f"), "! byte 0: field 1 is of the unknown wire type 7"},
};

START_TEST(fields_are_told)
{
	for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
		struct error err;
		struct input *input = input_of_bytes(messages[i].bytes);
		struct random_access *bytes = random_access_open(input, &err);
		struct protobuf_source source = {.bytes = bytes};
		struct strbuf out = {0};
		list_fields(&out, (struct protobuf){&source, 0, messages[i].bytes.len});
		ck_assert_msg(strcmp(strbuf_text(&out), messages[i].fields) == 0,
			      "message %zu: %s\nnot: %s", i, strbuf_text(&out), messages[i].fields);
		strbuf_free(&out);
		random_access_close(bytes);
		input_close(input);
	}
}
END_TEST

/* Fields that lie across the ends of the window, and a message inside. */
START_TEST(windows_move)
{
	struct strbuf data = {0}, out = {0};
	struct error err;
	while (data.len < (size_t)3 * protobuf_window)
		strbuf_add(&data, "\x12\x0a\x08\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12);
	struct input *input = input_of_bytes(strbuf_span(&data));
	struct random_access *bytes = random_access_open(input, &err);
	struct protobuf_source source = {.bytes = bytes};
	struct protobuf message = {&source, 0, data.len};
	struct protobuf_field field;
	size_t count = 0;
	while (protobuf_next(&message, &field, &err) == 1) {
		strbuf_reset(&out);
		list_fields(&out, field.bytes);
		ck_assert_str_eq(strbuf_text(&out), "1:0=144115188075855871");
		ck_assert_uint_eq(field.bytes.end - field.bytes.at, 10);
		count++;
	}
	ck_assert_uint_eq(count, data.len / 12);
	random_access_close(bytes);
	input_close(input);
	strbuf_free(&data);
	strbuf_free(&out);
}
END_TEST

/* A message may say that it is longer than the file. */
START_TEST(files_end)
{
	struct error err;
	struct input *input = input_of_bytes((struct span){"\x12\x7f", 2});
	struct random_access *bytes = random_access_open(input, &err);
	struct protobuf_source source = {.bytes = bytes};
	struct protobuf message = {&source, 0, 1000};
	struct protobuf_field field;
	char text[9];
	ck_assert_int_eq(protobuf_next(&message, &field, &err), 1);
	ck_assert_int_eq(random_access_read(bytes, field.bytes.at, text, sizeof text, &err), -1);
	ck_assert_str_eq(err.text, "truncated file: bytes 2 to 11 are needed, but it has 2");
	ck_assert_int_eq(protobuf_next(&message, &field, &err), -1);
	ck_assert_str_eq(err.text, "truncated file: bytes 129 to 130 are needed, but it has 2");
	random_access_close(bytes);
	input_close(input);
}
END_TEST

UNIT_MAIN("protobuf", fields_are_told, windows_move, files_end)
