/* Pictures that are packed are what zlib unpacks, and their checksums are those of zlib. */
#include "unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "base/span.h"
#include "render/scene/deflate.h"
#include "render/scene/png.h"
#include "unit/random.h"

/* --- tokens --- */

/* The tokens' bytes, beside the packed ones. */
struct stream {
	struct deflate *deflate;
	struct strbuf packed, plain;
};

static void begin(struct stream *stream)
{
	*stream = (struct stream){.deflate = calloc(1, sizeof *stream->deflate)};
	stream->deflate->out = &stream->packed;
}

static void put_byte(struct stream *stream, unsigned char byte)
{
	deflate_byte(stream->deflate, byte);
	strbuf_addch(&stream->plain, (char)byte);
}

static void put_match(struct stream *stream, size_t length, size_t distance)
{
	deflate_match(stream->deflate, length, distance);
	for (size_t i = 0; i < length; i++)
		strbuf_addch(&stream->plain, stream->plain.buf[stream->plain.len - distance]);
}

/* The packed bytes unpacked; `bits` says what stands around them (zlib.h, inflateInit2). */
static struct strbuf unpack(struct span packed, size_t most, int bits)
{
	struct strbuf out = {0};
	z_stream zlib = {.next_in = (Bytef *)(uintptr_t)packed.ptr, .avail_in = (uInt)packed.len};
	strbuf_repeat(&out, " ", most + 1);
	zlib.next_out = (Bytef *)out.buf;
	zlib.avail_out = (uInt)out.len;
	ck_assert_int_eq(inflateInit2(&zlib, bits), Z_OK);
	ck_assert_int_eq(inflate(&zlib, Z_FINISH), Z_STREAM_END);
	ck_assert_uint_eq(zlib.avail_in, 0);
	strbuf_truncate(&out, out.len - zlib.avail_out);
	inflateEnd(&zlib);
	return out;
}

static void end(struct stream *stream)
{
	deflate_end(stream->deflate);
	struct strbuf found = unpack(strbuf_span(&stream->packed), stream->plain.len, -15);
	ck_assert(span_eq(strbuf_span(&found), strbuf_span(&stream->plain)));
	strbuf_free(&found);
	strbuf_free(&stream->packed);
	strbuf_free(&stream->plain);
	free(stream->deflate);
}

START_TEST(lengths_and_distances_are_all_right)
{
	struct stream stream;
	begin(&stream);
	for (size_t i = 0; i < DEFLATE_DISTANCE_MAX; i++)
		put_byte(&stream, (unsigned char)random_below(256));
	for (size_t length = DEFLATE_LENGTH_MIN; length <= 3 * DEFLATE_LENGTH_MAX; length++)
		put_match(&stream, length, 1 + random_below(DEFLATE_DISTANCE_MAX));
	for (size_t distance = 1; distance <= DEFLATE_DISTANCE_MAX; distance++)
		put_match(&stream, DEFLATE_LENGTH_MIN, distance);
	end(&stream);
}
END_TEST

START_TEST(streams_of_next_to_nothing_are_whole)
{
	struct stream stream;
	begin(&stream);
	end(&stream);
	begin(&stream);
	put_byte(&stream, 255);
	end(&stream);
	begin(&stream);
	put_byte(&stream, 0);
	put_match(&stream, 3, 1);
	end(&stream);
}
END_TEST

/* Counts that grow like Fibonacci's numbers make the deepest tree: deeper than codes may be. */
START_TEST(codes_are_not_too_long)
{
	struct stream stream;
	size_t count = 1, next = 1;
	begin(&stream);
	for (unsigned byte = 0; byte < 22; byte++) {
		for (size_t i = 0; i < count; i++)
			put_byte(&stream, (unsigned char)byte);
		size_t sum = count + next;
		count = next;
		next = sum;
	}
	ck_assert_uint_lt(stream.plain.len, DEFLATE_BLOCK);
	end(&stream);
}
END_TEST

/* --- pictures --- */

static uint32_t number_at(const char *bytes)
{
	uint32_t number = 0;
	for (size_t i = 0; i < 4; i++)
		number = number << 8 | (unsigned char)bytes[i];
	return number;
}

/* The next chunk's content; its checksum is right. */
static struct span take_chunk(struct span *rest, const char *type)
{
	ck_assert_uint_ge(rest->len, 12);
	size_t len = number_at(rest->ptr);
	ck_assert_uint_ge(rest->len - 12, len);
	ck_assert(memcmp(rest->ptr + 4, type, 4) == 0);
	ck_assert_uint_eq(number_at(rest->ptr + 8 + len),
			  crc32(0, (const Bytef *)rest->ptr + 4, (uInt)len + 4));
	struct span content = {rest->ptr + 8, len};
	rest->ptr += 12 + len;
	rest->len -= 12 + len;
	return content;
}

/* What is painted from: every row once, from the top down. */
struct picture {
	const uint32_t *pixels;
	size_t width, height, painted;
};

static void paint(void *context, size_t y, size_t count, uint32_t *rows)
{
	struct picture *picture = context;
	ck_assert_uint_eq(y, picture->painted);
	ck_assert_uint_ge(count, 1);
	ck_assert_uint_le(count, picture->height - y);
	memcpy(rows, picture->pixels + y * picture->width, count * picture->width * sizeof *rows);
	picture->painted += count;
}

static void pack(const struct picture *picture, struct strbuf *file)
{
	struct picture source = *picture;
	png_write(&(struct png){picture->width, picture->height, paint, &source}, file);
	ck_assert_uint_eq(source.painted, picture->height);
}

static void check_rows(const struct picture *png, const struct strbuf *rows)
{
	const unsigned char *at = (const unsigned char *)rows->buf;
	ck_assert_uint_eq(rows->len, png->height * (1 + 3 * png->width));
	size_t wrong = 0;
	for (size_t y = 0; y < png->height; y++) {
		wrong += *at++ != 0;
		for (size_t x = 0; x < png->width; x++, at += 3)
			wrong += ((uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2]) !=
				 (png->pixels[y * png->width + x] & 0xffffff);
	}
	ck_assert_uint_eq(wrong, 0);
}

/* Returns the length of the file. */
static size_t check_picture(const struct picture *png)
{
	struct strbuf file = {0}, again = {0};
	strbuf_addstr(&file, "before");
	pack(png, &file);
	pack(png, &again);
	struct span rest = {file.buf + 6, file.len - 6};
	ck_assert(span_eq(rest, strbuf_span(&again)));
	ck_assert(memcmp(file.buf, "before\x89PNG\r\n\x1a\n", 14) == 0);
	rest = (struct span){rest.ptr + 8, rest.len - 8};
	struct span header = take_chunk(&rest, "IHDR");
	ck_assert_uint_eq(header.len, 13);
	ck_assert_uint_eq(number_at(header.ptr), png->width);
	ck_assert_uint_eq(number_at(header.ptr + 4), png->height);
	ck_assert(memcmp(header.ptr + 8, "\x08\x02\x00\x00\x00", 5) == 0);
	struct strbuf rows =
		unpack(take_chunk(&rest, "IDAT"), png->height * (1 + 3 * png->width), 15);
	check_rows(png, &rows);
	ck_assert_uint_eq(take_chunk(&rest, "IEND").len, 0);
	ck_assert_uint_eq(rest.len, 0);
	size_t len = again.len;
	strbuf_free(&rows);
	strbuf_free(&file);
	strbuf_free(&again);
	return len;
}

static uint32_t flat(size_t x, size_t y)
{
	(void)x;
	(void)y;
	return 0xfefdfc;
}

static uint32_t noise(size_t x, size_t y)
{
	(void)x;
	(void)y;
	return (uint32_t)random_below(1u << 24);
}

static uint32_t stripes(size_t x, size_t y)
{
	return x % 7 == 0 ? 0x112233 : y % 40 < 2 ? 0xff0000 : 0xffffff;
}

/* The same words again and again, each row of them different. */
static uint32_t words(size_t x, size_t y)
{
	return y % 3 ? (uint32_t)((x % 50) * 5 * 0x010101 + y % 20) : 0xffffff;
}

static uint32_t few_colours(size_t x, size_t y)
{
	static const uint32_t colours[] = {0, 0xffffff, 0xd55e00};
	(void)x;
	(void)y;
	return colours[random_below(3)];
}

/* What stands above the colour is nobody's business. */
static uint32_t marked(size_t x, size_t y)
{
	return (uint32_t)random_below(256) << 24 | stripes(x, y);
}

START_TEST(pictures_are_what_was_put_in)
{
	static const struct {
		uint32_t (*pixel)(size_t x, size_t y);
		size_t width, height, most; /* bytes of the file */
	} rows[] = {
		{flat, 1, 1, 150},
		{flat, 1, 700, 1000},
		{flat, 2, 2, 150},
		{flat, 1640, 900, 32000},
		{noise, 1, 1, 150},
		{noise, 3, 5, 200},
		{noise, 300, 300, 275000},
		{stripes, 333, 200, 1500},
		{stripes, 10922, 3, 600}, /* the widest of which a row lies within reach */
		{stripes, 10923, 3, 600},
		{stripes, 20000, 3, 600},
		{words, 500, 300, 20000},
		{few_colours, 700, 90, 32000},
		{marked, 333, 20, 5000},
		{words, 1640, 170, 40000}, /* painted in several pieces */
		{stripes, 20000, 16, 3000},
		{flat, 1, 265000, 310000},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t count = rows[i].width * rows[i].height;
		uint32_t *pixels = malloc(count * sizeof *pixels);
		for (size_t k = 0; k < count; k++)
			pixels[k] = rows[i].pixel(k % rows[i].width, k / rows[i].width);
		struct picture png = {pixels, rows[i].width, rows[i].height, 0};
		size_t len = check_picture(&png);
		ck_assert_msg(len <= rows[i].most, "row %zu: %zu bytes", i, len);
		free(pixels);
	}
}
END_TEST

UNIT_MAIN("png", lengths_and_distances_are_all_right, streams_of_next_to_nothing_are_whole,
	  codes_are_not_too_long, pictures_are_what_was_put_in)
