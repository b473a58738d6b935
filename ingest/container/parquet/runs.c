/* Decodes runs and differences. */
#include "ingest/container/parquet/runs.h"

enum { byte_bits = 8 };

bool parquet_varint(struct span *rest, uint64_t *number)
{
	*number = 0;
	for (unsigned shift = 0; shift < 64 && rest->len; shift += 7) {
		uint8_t byte = (uint8_t)rest->ptr[0];
		*rest = span_from(*rest, 1);
		*number |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return true;
	}
	return false;
}

/* A number of `width` bits, at most 64, from bit `bit` of the bytes on, the lowest bit first. The
 * bytes must be there. */
static uint64_t bits_at(const char *bytes, unsigned bit, unsigned width)
{
	uint64_t number = 0;
	for (unsigned got = 0; got < width;) {
		unsigned at = bit + got, inside = at % byte_bits;
		uint64_t part = (uint64_t)(uint8_t)bytes[at / byte_bits] >> inside;
		number |= part << got;
		got += byte_bits - inside;
	}
	return width < 64 ? number & (((uint64_t)1 << width) - 1) : number;
}

/* --- runs --- */

/* Reads the head of the next run; false at the end of the bytes. */
static bool next_run(struct parquet_runs *runs)
{
	uint64_t head;
	size_t size = (runs->width + byte_bits - 1) / byte_bits;
	if (!parquet_varint(&runs->rest, &head))
		return false;
	runs->is_packed = head & 1;
	runs->bit = 0;
	if (runs->is_packed) {
		if (head >> 1 > UINT32_MAX)
			return false;
		runs->left = (head >> 1) * byte_bits;
		return true;
	}
	if (runs->rest.len < size)
		return false;
	runs->left = head >> 1;
	runs->value = (uint32_t)bits_at(runs->rest.ptr, 0, runs->width);
	runs->rest = span_from(runs->rest, size);
	return true;
}

/* Takes those of the first `count` numbers that begin eight bytes or more before the end: they are
 * cut out of whole words. */
static size_t take_words(struct parquet_runs *runs, uint32_t *numbers, size_t count)
{
	const uint64_t mask = ((uint64_t)1 << runs->width) - 1;
	const char *bytes = runs->rest.ptr;
	size_t bit = runs->bit, i = 0;
	for (; i < count && bit / byte_bits + sizeof mask <= runs->rest.len; i++) {
		uint64_t word;
		memcpy(&word, bytes + bit / byte_bits, sizeof word);
		numbers[i] = (uint32_t)(word >> bit % byte_bits & mask);
		bit += runs->width;
	}
	runs->bit = bit % byte_bits;
	runs->rest = span_from(runs->rest, bit / byte_bits);
	return i;
}

/* Takes numbers of a packed run, whose last group may lack the bytes of numbers that are not
 * used. */
static size_t take_packed(struct parquet_runs *runs, uint32_t *numbers, size_t count)
{
	uint64_t there =
		runs->width ? (runs->rest.len * byte_bits - runs->bit) / runs->width : count;
	count = count < there ? count : (size_t)there;
	for (size_t i = take_words(runs, numbers, count); i < count; i++) {
		numbers[i] = (uint32_t)bits_at(runs->rest.ptr, runs->bit, runs->width);
		unsigned bit = runs->bit + runs->width;
		runs->bit = bit % byte_bits;
		runs->rest.ptr += bit / byte_bits;
		runs->rest.len -= bit / byte_bits;
	}
	return count;
}

size_t parquet_runs_take(struct parquet_runs *runs, uint32_t *numbers, size_t count)
{
	size_t taken = 0;
	while (taken < count) {
		if (runs->left == 0 && !next_run(runs))
			break;
		size_t want = count - taken, got;
		want = want < runs->left ? want : (size_t)runs->left;
		if (runs->is_packed) {
			got = take_packed(runs, numbers + taken, want);
			if (got < want)
				return taken + got;
		} else {
			for (got = 0; got < want; got++)
				numbers[taken + got] = runs->value;
		}
		runs->left -= got;
		taken += got;
	}
	return taken;
}

/* --- differences --- */

bool parquet_delta_begin(struct parquet_delta *delta, struct span bytes)
{
	uint64_t block, minis, count, first;
	if (!parquet_varint(&bytes, &block) || !parquet_varint(&bytes, &minis) ||
	    !parquet_varint(&bytes, &count) || !parquet_varint(&bytes, &first))
		return false;
	if (block == 0 || block > 1 << 20 || minis == 0 || minis > block || block % minis)
		return false;
	*delta = (struct parquet_delta){
		.rest = bytes,
		.left = count,
		.count = count,
		.last = first >> 1 ^ (0 - (first & 1)),
		.block = (unsigned)block,
		.minis = (unsigned)minis,
		.mini = (unsigned)minis,
		.first = true,
	};
	return true;
}

/* Leaves the current part, whose bytes are all there even if not all of its numbers are used. */
static bool next_part(struct parquet_delta *delta)
{
	uint64_t least;
	if (++delta->mini >= delta->minis) {
		if (!parquet_varint(&delta->rest, &least) || delta->rest.len < delta->minis)
			return false;
		delta->least = least >> 1 ^ (0 - (least & 1));
		delta->widths = (const unsigned char *)delta->rest.ptr;
		delta->rest.ptr += delta->minis;
		delta->rest.len -= delta->minis;
		delta->mini = 0;
	}
	delta->mini_left = delta->block / delta->minis;
	delta->bit = 0;
	unsigned width = delta->widths[delta->mini];
	return width <= 64 &&
	       delta->rest.len >= ((uint64_t)width * delta->mini_left + byte_bits - 1) / byte_bits;
}

/* Steps over the current part once it is used up, or the numbers end. */
static void end_part(struct parquet_delta *delta)
{
	unsigned width = delta->widths[delta->mini];
	size_t size = ((size_t)width * (delta->block / delta->minis) + byte_bits - 1) / byte_bits;
	delta->rest.ptr += size;
	delta->rest.len -= size;
	delta->mini_left = 0;
}

size_t parquet_delta_take(struct parquet_delta *delta, uint64_t *numbers, size_t count)
{
	size_t taken = 0;
	if (count && delta->left && delta->first) {
		delta->first = false;
		delta->left--;
		numbers[taken++] = delta->last;
	}
	for (; taken < count && delta->left; taken++) {
		if (delta->mini_left == 0 && !next_part(delta)) {
			delta->left = 0; /* what follows has no meaning */
			break;
		}
		unsigned width = delta->widths[delta->mini];
		delta->last += delta->least + bits_at(delta->rest.ptr, delta->bit, width);
		delta->bit += width;
		delta->left--;
		if (--delta->mini_left == 0 || delta->left == 0)
			end_part(delta);
		numbers[taken] = delta->last;
	}
	return taken;
}

struct span parquet_delta_rest(const struct parquet_delta *delta)
{
	return delta->rest;
}
