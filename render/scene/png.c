/*
 * The rows are not filtered: equal pixels stay equal bytes, whatever stands around
 * them. Each place takes the longest match of three: with the pixel before it, with
 * the row above, and with where its two pixels stood last.
 */
#include "render/scene/png.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "render/scene/deflate.h"

enum { PIXEL = 3, PLACE_BITS = 14, CHECK_MODULUS = 65521, BAND_PIXELS = 1 << 17, LANES = 4 };

struct writer {
	const struct png *png;
	size_t row_bytes, band_rows, kept_rows;
	uint32_t *rows; /* those that can still be repeated, then those of the band */
	uint32_t *band;
	size_t band_y;
	struct deflate deflate;
	size_t places[1 << PLACE_BITS]; /* of two pixels: the index of the first, and 1 */
};

/* --- checksums --- */

enum { CRC_STEP = 4 }; /* bytes at a time */

/* tables[n][byte]: what a byte leaves when n more follow it. */
static void fill_tables(uint32_t tables[CRC_STEP][256])
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t crc = i;
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? 0xedb88320 ^ crc >> 1 : crc >> 1;
		tables[0][i] = crc;
	}
	for (size_t n = 1; n < CRC_STEP; n++)
		for (size_t i = 0; i < 256; i++)
			tables[n][i] = tables[0][tables[n - 1][i] & 0xff] ^ tables[n - 1][i] >> 8;
}

static uint32_t crc_of(const char *text, size_t len)
{
	uint32_t tables[CRC_STEP][256], crc = 0xffffffff;
	const unsigned char *bytes = (const unsigned char *)text;
	size_t i = 0;
	fill_tables(tables);
	for (; i + CRC_STEP <= len; i += CRC_STEP)
		crc = tables[3][(crc ^ bytes[i]) & 0xff] ^
		      tables[2][(crc >> 8 ^ bytes[i + 1]) & 0xff] ^
		      tables[1][(crc >> 16 ^ bytes[i + 2]) & 0xff] ^
		      tables[0][crc >> 24 ^ bytes[i + 3]];
	for (; i < len; i++)
		crc = tables[0][(crc ^ bytes[i]) & 0xff] ^ crc >> 8;
	return ~crc;
}

/* What Adler-32 sees of a row's bytes, of which the first is 0: their sum, and one in which each
 * counts as often as there are bytes from it to the end. */
struct row_sums {
	uint64_t plain, weighted;
};

typedef uint32_t lanes __attribute__((vector_size(LANES * sizeof(uint32_t))));

/* Adds some pixels from `from` on. In each lane the sum of all sums so far counts every pixel as
 * often as there are pixels of the lane from it to the last, without a multiplication. */
static void add_some(struct row_sums *sums, const uint32_t *row, size_t width, size_t from,
		     size_t steps)
{
	lanes pixels, plain = {0}, again = {0}, green = {0}, blue = {0};
	for (size_t step = 0; step < steps; step++) {
		memcpy(&pixels, row + from + step * LANES, sizeof pixels);
		lanes r = pixels >> 16 & 0xff, g = pixels >> 8 & 0xff, b = pixels & 0xff;
		plain += r + g + b;
		again += plain;
		green += g;
		blue += b;
	}
	for (size_t i = 0; i < LANES; i++) {
		uint64_t last = width - from - (steps - 1) * LANES - i; /* with all behind it */
		sums->plain += plain[i];
		sums->weighted +=
			PIXEL * (LANES * (uint64_t)(again[i] - plain[i]) + last * plain[i]) -
			green[i] - 2 * (uint64_t)blue[i];
	}
}

static struct row_sums sums_of(const uint32_t *row, size_t width)
{
	enum { SOME = 1024 }; /* sums of sums of so many pixels of a lane stay below 2^32 */
	struct row_sums sums = {0, 0};
	size_t x = 0;
	for (size_t steps; (steps = (width - x) / LANES) > 0; x += steps * LANES) {
		steps = steps < SOME ? steps : SOME;
		add_some(&sums, row, width, x, steps);
	}
	for (; x < width; x++) {
		uint32_t red = row[x] >> 16 & 0xff, green = row[x] >> 8 & 0xff,
			 blue = row[x] & 0xff;
		sums.plain += red + green + blue;
		sums.weighted +=
			PIXEL * (uint64_t)(width - x) * (red + green + blue) - green - 2 * blue;
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
	enum { MANY = 64, FEW = 4 };
	size_t i = 0;
	while (i + MANY <= limit && memcmp(a + i, b + i, MANY * sizeof *a) == 0)
		i += MANY;
	while (i + FEW <= limit && memcmp(a + i, b + i, FEW * sizeof *a) == 0)
		i += FEW;
	while (i < limit && a[i] == b[i])
		i++;
	return i;
}

/* Of the band, or kept. */
static const uint32_t *row_at(const struct writer *writer, size_t y)
{
	size_t width = writer->png->width;
	return y < writer->band_y ? writer->band - (writer->band_y - y) * width
				  : writer->band + (y - writer->band_y) * width;
}

static size_t *place_of(struct writer *writer, const uint32_t *pixels)
{
	uint32_t hash = (pixels[0] << 8) * 0x9e3779b1u ^ (pixels[1] << 8) * 0x85ebca6bu;
	return &writer->places[hash * 0xc2b2ae35u >> (32 - PLACE_BITS)];
}

/* Where the next two pixels stood last; never beyond the end of that row. */
static struct match find_again(struct writer *writer, const uint32_t *row, size_t y, size_t x)
{
	size_t width = writer->png->width;
	size_t *place = place_of(writer, row + x), known = *place;
	*place = y * width + x + 1;
	if (!known)
		return (struct match){0, 0};
	size_t from = (known - 1) / width, column = (known - 1) % width;
	size_t distance = (y - from) * writer->row_bytes + PIXEL * x - PIXEL * column;
	size_t limit = width - (column > x ? column : x);
	if (distance > DEFLATE_DISTANCE_MAX)
		return (struct match){0, 0};
	return (struct match){common(row + x, row_at(writer, from) + column, limit), distance};
}

static struct match find(struct writer *writer, const uint32_t *row, size_t y, size_t x)
{
	size_t width = writer->png->width, limit = width - x;
	struct match best = {0, 0};
	if (x && row[x] == row[x - 1])
		best = (struct match){common(row + x, row + x - 1, limit), PIXEL};
	if (y && row[x] == (row - width)[x] && writer->row_bytes <= DEFLATE_DISTANCE_MAX) {
		struct match above = {common(row + x, row + x - width, limit), writer->row_bytes};
		if (above.pixels >= 2 && above.pixels > best.pixels)
			best = above;
	}
	if (limit >= 2 && best.pixels < DEFLATE_LENGTH_MAX / PIXEL) {
		struct match again = find_again(writer, row, y, x);
		if (again.pixels >= 2 && again.pixels > best.pixels)
			best = again;
	}
	return best;
}

static void write_row(struct writer *writer, const uint32_t *row, size_t y)
{
	size_t width = writer->png->width;
	deflate_byte(&writer->deflate, 0);
	for (size_t x = 0; x < width;) {
		struct match match = find(writer, row, y, x);
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

static struct writer *writer_new(const struct png *png, struct strbuf *out)
{
	struct writer *writer = calloc(1, sizeof *writer);
	if (!writer)
		abort();
	size_t most = BAND_PIXELS / png->width + 1;
	writer->png = png;
	writer->row_bytes = 1 + PIXEL * png->width;
	writer->kept_rows = DEFLATE_DISTANCE_MAX / writer->row_bytes + 1;
	writer->band_rows = most < png->height ? most : png->height;
	writer->rows =
		malloc((writer->kept_rows + writer->band_rows) * png->width * sizeof *writer->rows);
	if (!writer->rows)
		abort();
	writer->band = writer->rows + writer->kept_rows * png->width;
	writer->deflate.out = out;
	return writer;
}

static void writer_free(struct writer *writer)
{
	free(writer->rows);
	free(writer);
}

/* The next band; what lay before it can be repeated in it. */
static size_t paint_band(struct writer *writer, size_t y)
{
	const struct png *png = writer->png;
	size_t rows = png->height - y < writer->band_rows ? png->height - y : writer->band_rows;
	memmove(writer->rows, writer->rows + (y - writer->band_y) * png->width,
		writer->kept_rows * png->width * sizeof *writer->rows);
	writer->band_y = y;
	png->paint(png->context, y, rows, writer->band);
	return rows;
}

static void add_pixels(const struct png *png, struct strbuf *out)
{
	struct writer *writer = writer_new(png, out);
	struct adler adler = {1, 0};
	struct row_sums sums = {0, 0};
	size_t start = begin_chunk(out, "IDAT"), end = 0;
	strbuf_add(out, "\x78\x01", 2);
	for (size_t y = 0; y < png->height; y++) {
		if (y == end)
			end += paint_band(writer, y);
		const uint32_t *row = row_at(writer, y);
		if (!y || memcmp(row, row - png->width, png->width * sizeof *row) != 0)
			sums = sums_of(row, png->width);
		adler_add(&adler, &sums, writer->row_bytes);
		write_row(writer, row, y);
	}
	deflate_end(&writer->deflate);
	writer_free(writer);
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
