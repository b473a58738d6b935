/* Packings: what each makes of whole, cut, damaged and odd data, at every border between pieces. */
#include "ingest/bytes/compression.h"

#include <string.h>

#include "base/strbuf.h"
#include "ingest/bytes/inflate.h"
#include "ingest/input/input.h"
#include "tests/unit/packed.h"
#include "tests/unit/unit.h"

/* "hi\n" with a checksum, nothing, and a frame that is to be skipped. */
#define ZSTD_HI "\x28\xb5\x2f\xfd\x04\x58\x19\0\0\x68\x69\x0a\x34\x3d\x50\x92"
#define ZSTD_EMPTY "\x28\xb5\x2f\xfd\x24\0\1\0\0\x99\xe9\xd8\x51"
#define ZSTD_SKIPPED "\x50\x2a\x4d\x18\3\0\0\0abc"
/* A member without content. */
#define GZIP_EMPTY "\x1f\x8b\x08\0\0\0\0\0\0\3\3\0\0\0\0\0\0\0\0\0"

/* One member, the pieces of which are `piece` bytes long on both sides. */
static const char *inflate_pieces(struct span packed, size_t piece, struct strbuf *out,
				  size_t *used)
{
	struct error err;
	struct inflate *inflate = inflate_new(&err);
	ck_assert_ptr_nonnull(inflate);
	const char *why = NULL;
	char buffer[64];
	bool ended = false, stuck = false;
	*used = 0;
	while (!why && !ended && !stuck) {
		size_t left = packed.len - *used, len = left < piece ? left : piece;
		struct span part = {packed.ptr + *used, len};
		struct room room = {buffer, piece, 0};
		why = inflate_step(inflate, &part, &room, &ended);
		strbuf_add(out, buffer, room.used);
		*used += len - part.len;
		stuck = part.len == len && room.used == 0;
	}
	ck_assert_uint_eq(inflate_ahead(inflate) && !why, 0);
	inflate_free(inflate);
	return stuck && !ended ? "stuck" : why;
}

/* Every field that a header can have, cut at every place. */
START_TEST(inflates_any_header)
{
	static const size_t pieces[] = {1, 2, 3, 7, 64};
	for (int fields = 0; fields <= 15; fields++)
		for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
			struct strbuf text = {0}, gzip = {0}, out = {0};
			size_t used, whole;
			packed_text(&text, 500);
			packed_gzip(&gzip, strbuf_span(&text), fields);
			whole = gzip.len;
			strbuf_addstr(&gzip, "\x1f\x8b");
			const char *why =
				inflate_pieces(strbuf_span(&gzip), pieces[i], &out, &used);
			ck_assert_msg(!why, "fields %d, pieces of %zu: %s", fields, pieces[i], why);
			ck_assert_uint_eq(used, whole);
			ck_assert(span_eq(strbuf_span(&out), strbuf_span(&text)));
			strbuf_free(&text);
			strbuf_free(&gzip);
			strbuf_free(&out);
		}
}
END_TEST

/* A wrong byte is never taken for a right one, wherever the pieces end. */
START_TEST(finds_every_flipped_bit)
{
	struct strbuf text = {0}, gzip = {0};
	size_t found = 0;
	packed_text(&text, 300);
	packed_gzip(&gzip, strbuf_span(&text), PACKED_CHECKED | PACKED_NAMED);
	for (size_t bit = 0; bit < gzip.len * 8; bit++) {
		gzip.buf[bit / 8] ^= (char)(1 << bit % 8);
		for (size_t piece = 1; piece <= 64; piece *= 8) {
			struct strbuf out = {0};
			size_t used;
			const char *why = inflate_pieces(strbuf_span(&gzip), piece, &out, &used);
			found += why != NULL;
			ck_assert_msg(why || span_eq(strbuf_span(&out), strbuf_span(&text)),
				      "bit %zu, pieces of %zu", bit, piece);
			strbuf_free(&out);
		}
		gzip.buf[bit / 8] ^= (char)(1 << bit % 8);
	}
	/* All but the up to seven bits that fill the last byte of the content. */
	ck_assert_uint_ge(found, 3 * (gzip.len * 8 - 7));
	strbuf_free(&text);
	strbuf_free(&gzip);
}
END_TEST

#define PACKED(literal)                                                                            \
	{                                                                                          \
		(literal), sizeof(literal) - 1                                                     \
	}

/* What is read, or how the message begins. */
static const struct {
	struct span stored;
	const char *content, *message;
} cases[] = {
	{PACKED(GZIP_EMPTY), "", NULL},
	{PACKED(GZIP_EMPTY GZIP_EMPTY "\0\0"), "", NULL},
	{PACKED("\x1f\x8b\x08\xe0\0\0\0\0\0\3\3\0\0\0\0\0\0\0\0\0"), NULL,
	 "the gzip data is damaged near stored byte "},
	{PACKED("\x1f\x8b\x08\0\0\0\0\0\0\3\7"), NULL,
	 "the gzip data is damaged near stored byte 11: invalid block"},
	{PACKED("\x1f\x8b\x08\0\0\0\0\0\0\3\3\0\0\0\0\0\1\0\0\0"), NULL,
	 "the gzip data is damaged near stored byte 20: incorrect "},
	{PACKED(GZIP_EMPTY "\0" ZSTD_HI), NULL,
	 "data that is not gzip follows the gzip data at stored byte 21"},
	{PACKED(GZIP_EMPTY "\x1f\x8b\7\0\0\0\0\0\0\3\3\0\0\0\0\0\0\0\0\0"), NULL,
	 "the gzip data is damaged near stored byte "},
	{PACKED(ZSTD_HI), "hi\n", NULL},
	{PACKED(ZSTD_EMPTY), "", NULL},
	{PACKED(ZSTD_SKIPPED), "", NULL},
	{PACKED(ZSTD_SKIPPED ZSTD_HI ZSTD_EMPTY ZSTD_HI ZSTD_SKIPPED), "hi\nhi\n", NULL},
	{PACKED(ZSTD_HI "\0"), NULL,
	 "data that is not zstd follows the zstd data at stored byte 16"},
	{PACKED(ZSTD_HI GZIP_EMPTY), NULL,
	 "data that is not zstd follows the zstd data at stored byte 16"},
	{PACKED(ZSTD_HI "\x28\xb5"), NULL, "the zstd data is truncated after stored byte 18"},
	{PACKED(ZSTD_SKIPPED "\x51"), NULL, "the zstd data is truncated after stored byte 12"},
	/* Windows of 128 MiB and more, and a reserved flag. */
	{PACKED("\x28\xb5\x2f\xfd\0\x88\1\0\0"), "", NULL},
	{PACKED("\x28\xb5\x2f\xfd\0\x89\1\0\0"), NULL,
	 "the zstd data needs a window larger than 128 MiB; recompress it with --long=27 or less"},
	{PACKED("\x28\xb5\x2f\xfd\x08\x88\1\0\0"), NULL,
	 "the zstd data is damaged near stored byte "},
};

START_TEST(reads_or_refuses)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct error err = {.kind = ERR_NONE};
		struct strbuf out = {0};
		const char *message = cases[i].message;
		int rc = store_packed_read(input_of_bytes(cases[i].stored),
					   (struct packed_way){1, 1, false}, &out, &err);
		ck_assert_msg((rc < 0) == (message != NULL), "case %zu: %s", i, err.text);
		if (message)
			ck_assert_msg(strncmp(err.text, message, strlen(message)) == 0,
				      "case %zu: %s", i, err.text);
		else
			ck_assert_str_eq(strbuf_text(&out), cases[i].content);
		strbuf_free(&out);
	}
}
END_TEST

UNIT_MAIN("packing", inflates_any_header, finds_every_flipped_bit, reads_or_refuses)
