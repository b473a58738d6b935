/*
 * The rows are not filtered: equal pixels stay equal bytes, whatever stands around
 * them. Each place takes the longest match of three: with the pixel before it, with
 * the row above, and with where its two pixels stood last.
 */
#include "render/png.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "render/deflate.h"

enum { PIXEL = 3, PLACE_BITS = 14, CHECK_MODULUS = 65521 };

struct writer {
	const struct png *png;
	size_t row_bytes;
	struct deflate deflate;
	size_t places[1 << PLACE_BITS]; /* of two pixels: the index of the first, and 1 */
};

/* --- checksums --- */

static uint32_t crc_of(const char *bytes, size_t len)
{
	uint32_t table[256], crc = 0xffffffff;
	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] & 1 ? 0xedb88320 ^ table[i] >> 1 : table[i] >> 1;
	}
	for (size_t i = 0; i < len; i++)
		crc = table[(crc ^ (unsigned char)bytes[i]) & 0xff] ^ crc >> 8;
	return ~crc;
}

/* What Adler-32 sees of a row's bytes, of which the first is 0: their sum, and one in which each
 * counts as often as there are bytes from it to the end. */
struct row_sums {
	uint64_t plain, weighted;
};

static struct row_sums sums_of(const uint32_t *row, size_t width)
{
	enum { FEW = 512 }; /* sums of so many pixels stay below 2^32 */
	struct row_sums sums = {0, 0};
	for (size_t from = 0; from < width; from += FEW) {
		uint32_t few = width - from < FEW ? (uint32_t)(width - from) : FEW;
		uint32_t plain = 0, ahead = 0, minus = 0;
		for (uint32_t i = 0; i < few; i++) {
			uint32_t pixel = row[from + i], blue = pixel & 0xff;
			uint32_t red = pixel >> 16 & 0xff, green = pixel >> 8 & 0xff;
			plain += red + green + blue;
			ahead += (red + green + blue) * i;
			minus += green + 2 * blue;
		}
		sums.plain += plain;
		sums.weighted += PIXEL * ((uint64_t)plain * (width - from) - ahead) - minus;
	}
	return sums;
}

struct adler {
	uint64_t low, high;
};

static void adler_add(struct adler *adler, const struct row_sums *sums, size_t row_bytes)
{
	adler->high = (adler->high + adler->low * row_bytes + sums->weighted) % CHECK_MODULUS;
	adler->low = (adler->low + sums->plain) % CHECK_MODULUS;
}

/* --- matches --- */

struct match {
	size_t pixels, distance;
};

/* How many pixels are the same. */
static size_t common(const uint32_t *a, const uint32_t *b, size_t limit)
{
	size_t i = 0;
	while (i + 4 <= limit && memcmp(a + i, b + i, 4 * sizeof *a) == 0)
		i += 4;
	while (i < limit && a[i] == b[i])
		i++;
	return i;
}

static size_t *place_of(struct writer *writer, const uint32_t *pixels)
{
	uint32_t hash = (pixels[0] * 0x9e3779b1u) ^ (pixels[1] * 0x85ebca6bu);
	return &writer->places[hash * 0xc2b2ae35u >> (32 - PLACE_BITS)];
}

/* Where the next two pixels stood last; never beyond the end of that row. */
static struct match find_again(struct writer *writer, size_t y, size_t x)
{
	size_t width = writer->png->width, index = y * width + x;
	const uint32_t *pixels = writer->png->pixels;
	size_t *place = place_of(writer, pixels + index), known = *place;
	*place = index + 1;
	if (!known)
		return (struct match){0, 0};
	size_t from = known - 1, column = from % width;
	size_t distance = (y - from / width) * writer->row_bytes + PIXEL * x - PIXEL * column;
	size_t limit = width - (column > x ? column : x);
	if (distance > DEFLATE_DISTANCE_MAX)
		return (struct match){0, 0};
	return (struct match){common(pixels + index, pixels + from, limit), distance};
}

static struct match find(struct writer *writer, size_t y, size_t x)
{
	size_t width = writer->png->width, limit = width - x;
	const uint32_t *at = writer->png->pixels + y * width + x;
	struct match best = {0, 0};
	if (x)
		best = (struct match){common(at, at - 1, limit), PIXEL};
	if (y && writer->row_bytes <= DEFLATE_DISTANCE_MAX) {
		struct match above = {common(at, at - width, limit), writer->row_bytes};
		if (above.pixels >= 2 && above.pixels > best.pixels)
			best = above;
	}
	if (limit >= 2 && best.pixels < DEFLATE_LENGTH_MAX / PIXEL) {
		struct match again = find_again(writer, y, x);
		if (again.pixels >= 2 && again.pixels > best.pixels)
			best = again;
	}
	return best;
}

static void write_row(struct writer *writer, size_t y)
{
	size_t width = writer->png->width;
	const uint32_t *row = writer->png->pixels + y * width;
	deflate_byte(&writer->deflate, 0);
	for (size_t x = 0; x < width;) {
		struct match match = find(writer, y, x);
		if (match.pixels) {
			deflate_match(&writer->deflate, PIXEL * match.pixels, match.distance);
			x += match.pixels;
			continue;
		}
		for (int shift = 16; shift >= 0; shift -= 8)
			deflate_byte(&writer->deflate, row[x] >> shift & 0xff);
		x++;
	}
}

/* --- the file --- */

static void add_number(struct strbuf *out, uint32_t number)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		strbuf_addch(out, (char)(number >> shift & 0xff));
}

/* What was added since `start`, the place of the chunk's length, becomes a chunk. */
static void end_chunk(struct strbuf *out, size_t start)
{
	size_t len = out->len - start - 8;
	for (size_t i = 0; i < 4; i++)
		out->buf[start + i] = (char)(len >> (24 - 8 * i) & 0xff);
	add_number(out, crc_of(out->buf + start + 4, len + 4));
}

static size_t begin_chunk(struct strbuf *out, const char *type)
{
	size_t start = out->len;
	add_number(out, 0);
	strbuf_add(out, type, 4);
	return start;
}

static void add_header(const struct png *png, struct strbuf *out)
{
	static const char depth_and_colour[] = {8, 2, 0, 0, 0};
	strbuf_add(out, "\x89PNG\r\n\x1a\n", 8);
	size_t start = begin_chunk(out, "IHDR");
	add_number(out, (uint32_t)png->width);
	add_number(out, (uint32_t)png->height);
	strbuf_add(out, depth_and_colour, sizeof depth_and_colour);
	end_chunk(out, start);
}

static void add_pixels(const struct png *png, struct strbuf *out)
{
	struct writer *writer = calloc(1, sizeof *writer);
	struct adler adler = {1, 0};
	struct row_sums sums = {0, 0};
	size_t start = begin_chunk(out, "IDAT");
	if (!writer)
		abort();
	writer->png = png;
	writer->row_bytes = 1 + PIXEL * png->width;
	writer->deflate.out = out;
	strbuf_add(out, "\x78\x01", 2);
	for (size_t y = 0; y < png->height; y++) {
		const uint32_t *row = png->pixels + y * png->width;
		if (!y || memcmp(row, row - png->width, png->width * sizeof *row) != 0)
			sums = sums_of(row, png->width);
		adler_add(&adler, &sums, writer->row_bytes);
		write_row(writer, y);
	}
	deflate_end(&writer->deflate);
	free(writer);
	add_number(out, (uint32_t)(adler.high << 16 | adler.low));
	end_chunk(out, start);
}

void png_write(const struct png *png, struct strbuf *out)
{
	assert(png->width && png->height);
	add_header(png, out);
	add_pixels(png, out);
	end_chunk(out, begin_chunk(out, "IEND"));
}
