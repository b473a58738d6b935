/* Decodes the values of pages. Numbers are little-endian. */
#include "ingest/container/parquet/values.h"

#include <float.h>

#include "base/text/text.h"

enum { byte_bits = 8, length_size = 4, split_limit = 8 };

static uint64_t little_endian(const char *bytes, size_t size)
{
	uint64_t number = 0;
	for (size_t i = 0; i < size; i++)
		number |= (uint64_t)(uint8_t)bytes[i] << (byte_bits * i);
	return number;
}

/* Bytes of a value; 0 for those of any length, and for booleans, which have a bit. */
static size_t size_of(const struct parquet_column *column)
{
	switch (column->type) {
	case PARQUET_INT32:
	case PARQUET_FLOAT:
		return 4;
	case PARQUET_INT64:
	case PARQUET_DOUBLE:
		return 8;
	case PARQUET_FIXED_BYTES:
		return (size_t)column->length;
	default:
		return 0;
	}
}

/* --- one value --- */

/* Each member is written where it stays: to copy a value just after it was made stalls processors.
 */
static void set(struct parquet_value *into, enum parquet_kind kind, double number)
{
	into->kind = kind;
	into->negative = false;
	into->is_sound = false;
	into->magnitude = 0;
	into->number = number;
	into->text.ptr = NULL;
	into->text.len = 0;
}

static void set_truth(struct parquet_value *into, uint64_t bit)
{
	set(into, PARQUET_TRUTH, NAN);
	into->magnitude = bit;
}

static void set_whole(struct parquet_value *into, const struct parquet_column *column,
		      uint64_t bits)
{
	bool small = column->type == PARQUET_INT32;
	bool negative = !column->is_unsigned && (small ? bits >> 31 & 1 : bits >> 63);
	if (small)
		bits = negative ? bits | ~(uint64_t)UINT32_MAX : bits & UINT32_MAX;
	uint64_t magnitude = negative ? 0 - bits : bits;
	double number = negative ? -(double)magnitude : (double)magnitude;
	if (column->scale > 0) {
		set(into, PARQUET_NUMBER, number / pow(10, column->scale));
		return;
	}
	set(into, PARQUET_WHOLE, number);
	into->negative = negative;
	into->magnitude = magnitude;
}

static double real(const struct parquet_column *column, const char *bytes)
{
	double number;
	float single;
	if (column->type == PARQUET_FLOAT) {
		memcpy(&single, bytes, sizeof single);
		return (double)single;
	}
	memcpy(&number, bytes, sizeof number);
	return number;
}

/* A decimal number in bytes, the highest first, in two's complement. */
static double decimal(const struct parquet_column *column, struct span bytes)
{
	double number = bytes.len && bytes.ptr[0] & 0x80 ? -1 : 0;
	for (size_t i = 0; i < bytes.len; i++)
		number = number * 256 + (uint8_t)bytes.ptr[i];
	return number / pow(10, column->scale);
}

static void set_value(struct parquet_value *into, const struct parquet_column *column,
		      struct span bytes)
{
	if (column->type == PARQUET_INT32 || column->type == PARQUET_INT64) {
		set_whole(into, column, little_endian(bytes.ptr, bytes.len));
	} else if (column->type == PARQUET_FLOAT || column->type == PARQUET_DOUBLE) {
		set(into, PARQUET_NUMBER, real(column, bytes.ptr));
	} else if (column->scale != parquet_no_scale) {
		set(into, PARQUET_NUMBER, decimal(column, bytes));
	} else {
		set(into, PARQUET_TEXT, NAN);
		into->text = bytes;
		into->is_sound = utf8_is_text(bytes);
	}
}

/* Cuts the next plain value off; false if the bytes end in it. */
static bool cut_plain(const struct parquet_column *column, struct span *rest, struct span *bytes)
{
	size_t size = size_of(column);
	if (!size) {
		if (rest->len < length_size)
			return false;
		size = (size_t)little_endian(rest->ptr, length_size);
		*rest = span_from(*rest, length_size);
	}
	if (rest->len < size)
		return false;
	*bytes = (struct span){rest->ptr, size};
	*rest = span_from(*rest, size);
	return true;
}

/* --- dictionaries --- */

/* Values that rows repeat are made once. */
static void make_known(struct parquet_dictionary *dictionary, const struct parquet_column *column)
{
	enum { known_limit = 4096 };
	struct span rest = dictionary->bytes, value;
	if (dictionary->count > known_limit)
		return;
	dictionary->known =
		memory_allocate((size_t)dictionary->count + 1, sizeof(struct parquet_value));
	for (uint64_t i = 0; i < dictionary->count && cut_plain(column, &rest, &value); i++)
		set_value(&dictionary->known[i], column, value);
}

static const char *read_places(struct parquet_dictionary *dictionary,
			       const struct parquet_column *column)
{
	struct span rest = dictionary->bytes, value;
	dictionary->places =
		memory_buffer((size_t)dictionary->count * sizeof *dictionary->places + 1);
	for (uint64_t i = 0; i < dictionary->count; i++) {
		dictionary->places[i] = (uint32_t)(rest.ptr - dictionary->bytes.ptr);
		if (!cut_plain(column, &rest, &value))
			return "a dictionary that ends inside of a value";
	}
	return NULL;
}

const char *parquet_dictionary_read(struct parquet_dictionary *dictionary,
				    const struct parquet_column *column,
				    const struct parquet_page *page)
{
	size_t size = size_of(column);
	const char *fault = NULL;
	if (page->encoding != PARQUET_PLAIN && page->encoding != PARQUET_PLAIN_DICTIONARY)
		return "a dictionary in an unknown encoding";
	if (column->type == PARQUET_BOOLEAN || page->values > page->bytes.len)
		return "a dictionary with more values than bytes";
	parquet_dictionary_free(dictionary);
	*dictionary = (struct parquet_dictionary){
		.bytes = page->bytes, .count = page->values, .is_there = true};
	if (!size)
		fault = read_places(dictionary, column);
	else if (page->values > page->bytes.len / size)
		fault = "a dictionary that ends inside of a value";
	if (!fault)
		make_known(dictionary, column);
	return fault;
}

static bool look_up(const struct parquet_values *values, uint64_t number,
		    struct parquet_value *into)
{
	const struct parquet_dictionary *dictionary = values->dictionary;
	size_t size = size_of(values->column);
	struct span rest = dictionary->bytes, value;
	if (number >= dictionary->count)
		return false;
	size_t at = size ? (size_t)number * size : dictionary->places[number];
	rest = span_from(rest, at);
	if (!cut_plain(values->column, &rest, &value))
		return false;
	set_value(into, values->column, value);
	return true;
}

void parquet_dictionary_free(struct parquet_dictionary *dictionary)
{
	free(dictionary->places);
	free(dictionary->known);
}

/* --- encodings --- */

static bool is_whole(const struct parquet_values *values)
{
	return values->column->type == PARQUET_INT32 || values->column->type == PARQUET_INT64;
}

static bool is_bytes(const struct parquet_values *values)
{
	return values->column->type == PARQUET_BYTE_ARRAY ||
	       values->column->type == PARQUET_FIXED_BYTES;
}

static const char *begin_dictionary(struct parquet_values *values)
{
	if (!values->dictionary->is_there)
		return "values of a dictionary that is missing";
	if (values->rest.len == 0)
		return NULL; /* all values of the page are null */
	unsigned width = (uint8_t)values->rest.ptr[0];
	if (width > 32)
		return "values of an impossible width";
	values->runs = (struct parquet_runs){.rest = {values->rest.ptr + 1, values->rest.len - 1},
					     .width = width};
	return NULL;
}

static const char *begin_truths(struct parquet_values *values)
{
	if (values->column->type != PARQUET_BOOLEAN || values->rest.len < length_size)
		return "values in an unknown encoding";
	values->runs = (struct parquet_runs){
		.rest = {values->rest.ptr + length_size, values->rest.len - length_size},
		.width = 1};
	return NULL;
}

/* Reads all lengths, because what follows begins after them. */
static const char *read_lengths(struct parquet_delta *delta, struct span *rest, uint64_t count,
				uint64_t **lengths, uint64_t *got)
{
	if (!parquet_delta_begin(delta, *rest) || delta->count > count)
		return "lengths that are damaged";
	*lengths = memory_buffer((size_t)delta->count * sizeof **lengths + 1);
	*got = parquet_delta_take(delta, *lengths, (size_t)delta->count);
	*rest = parquet_delta_rest(delta);
	return *got == delta->count ? NULL : "lengths that are damaged";
}

static const char *begin_byte_arrays(struct parquet_values *values, uint64_t count)
{
	const char *fault = NULL;
	uint64_t shared = 0;
	if (!is_bytes(values) || (values->encoding == PARQUET_DELTA_LENGTH_BYTE_ARRAY &&
				  values->column->type == PARQUET_FIXED_BYTES))
		return "values in an unknown encoding";
	if (values->encoding == PARQUET_DELTA_BYTE_ARRAY)
		fault = read_lengths(&values->prefixes, &values->rest, count, &values->shared,
				     &shared);
	if (!fault)
		fault = read_lengths(&values->delta, &values->rest, count, &values->lengths,
				     &values->length_count);
	if (!fault && values->shared && shared != values->length_count)
		fault = "lengths that are damaged";
	return fault;
}

static const char *begin_split(struct parquet_values *values)
{
	size_t size = size_of(values->column);
	if (!size || size > split_limit || values->rest.len % size)
		return "values in an unknown encoding";
	values->stride = values->rest.len / size;
	return NULL;
}

const char *parquet_values_begin(struct parquet_values *values, const struct parquet_column *column,
				 const struct parquet_dictionary *dictionary,
				 enum parquet_encoding encoding, struct span bytes, uint64_t count)
{
	struct strbuf text = values->text, last = values->last;
	free(values->lengths);
	free(values->shared);
	strbuf_reset(&last);
	*values = (struct parquet_values){.column = column,
					  .dictionary = dictionary,
					  .encoding = encoding,
					  .rest = bytes,
					  .text = text,
					  .last = last};
	switch (encoding) {
	case PARQUET_PLAIN:
		return NULL;
	case PARQUET_PLAIN_DICTIONARY:
	case PARQUET_RLE_DICTIONARY:
		return begin_dictionary(values);
	case PARQUET_RLE:
		return begin_truths(values);
	case PARQUET_DELTA_BINARY_PACKED:
		return is_whole(values) && parquet_delta_begin(&values->delta, bytes)
			       ? NULL
			       : "differences that are damaged";
	case PARQUET_DELTA_LENGTH_BYTE_ARRAY:
	case PARQUET_DELTA_BYTE_ARRAY:
		return begin_byte_arrays(values, count);
	case PARQUET_BYTE_STREAM_SPLIT:
		return begin_split(values);
	default:
		return "values in an unknown encoding";
	}
}

/* --- batches --- */

static size_t take_plain(struct parquet_values *values, struct parquet_value *into, size_t count)
{
	size_t taken = 0;
	struct span bytes;
	if (values->column->type == PARQUET_BOOLEAN) {
		for (; taken < count && values->rest.len; taken++) {
			set_truth(&into[taken], (uint8_t)values->rest.ptr[0] >> values->bit & 1);
			values->bit = (values->bit + 1) % byte_bits;
			values->rest.ptr += values->bit == 0;
			values->rest.len -= values->bit == 0;
		}
		return taken;
	}
	for (; taken < count && cut_plain(values->column, &values->rest, &bytes); taken++)
		set_value(&into[taken], values->column, bytes);
	return taken;
}

enum { part = 128 };

/* Numbers of a dictionary, or booleans. */
static size_t take_runs(struct parquet_values *values, struct parquet_value *into, size_t count)
{
	uint32_t numbers[part];
	size_t taken = 0, got = part;
	while (taken < count && got) {
		size_t want = count - taken < part ? count - taken : part;
		got = parquet_runs_take(&values->runs, numbers, want);
		for (size_t i = 0; i < got; i++, taken++) {
			if (values->encoding == PARQUET_RLE)
				set_truth(&into[taken], numbers[i]);
			else if (!look_up(values, numbers[i], &into[taken]))
				return taken;
		}
	}
	return taken;
}

/* Values that were made with the dictionary. */
static size_t take_known(struct parquet_values *values, const struct parquet_value **at,
			 size_t count)
{
	const struct parquet_dictionary *dictionary = values->dictionary;
	uint32_t numbers[part];
	size_t taken = 0, got = part;
	while (taken < count && got) {
		size_t want = count - taken < part ? count - taken : part;
		got = parquet_runs_take(&values->runs, numbers, want);
		for (size_t i = 0; i < got; i++, taken++) {
			if (numbers[i] >= dictionary->count)
				return taken;
			at[taken] = &dictionary->known[numbers[i]];
		}
	}
	return taken;
}

static size_t take_differences(struct parquet_values *values, struct parquet_value *into,
			       size_t count)
{
	uint64_t numbers[part];
	size_t taken = 0, got = part;
	while (taken < count && got) {
		size_t want = count - taken < part ? count - taken : part;
		got = parquet_delta_take(&values->delta, numbers, want);
		for (size_t i = 0; i < got; i++)
			set_whole(&into[taken++], values->column, numbers[i]);
	}
	return taken;
}

static size_t take_lengths(struct parquet_values *values, struct parquet_value *into, size_t count)
{
	size_t taken = 0;
	for (; taken < count && values->at < values->length_count; taken++, values->at++) {
		uint64_t len = values->lengths[values->at];
		if (len > values->rest.len)
			break;
		set_value(&into[taken], values->column, (struct span){values->rest.ptr, len});
		values->rest = span_from(values->rest, len);
	}
	return taken;
}

/* Each text begins with a part of the one before. Texts are put together in one buffer, which moves
 * as it grows; so their places are set at the end. */
static size_t take_shared(struct parquet_values *values, struct parquet_value *into, size_t count)
{
	enum { batch_bytes = 256 << 20 };
	size_t taken = 0;
	strbuf_reset(&values->text);
	for (; taken < count && values->at < values->length_count; taken++, values->at++) {
		uint64_t len = values->lengths[values->at], shared = values->shared[values->at];
		if (len > values->rest.len || shared > values->last.len)
			break;
		if (values->text.len > batch_bytes) {
			values->fault = "texts of more than 256 MiB in a few rows";
			break;
		}
		strbuf_truncate(&values->last, (size_t)shared);
		strbuf_add(&values->last, values->rest.ptr, (size_t)len);
		values->rest = span_from(values->rest, len);
		into[taken].text.len = values->last.len;
		strbuf_addspan(&values->text, strbuf_span(&values->last));
	}
	const char *at = strbuf_text(&values->text);
	for (size_t i = 0; i < taken; i++) {
		struct span text = {at, into[i].text.len};
		at += text.len;
		bool fits = values->column->type != PARQUET_FIXED_BYTES ||
			    text.len == (size_t)values->column->length;
		if (!fits)
			return i;
		set_value(&into[i], values->column, text);
	}
	return taken;
}

static size_t take_split(struct parquet_values *values, struct parquet_value *into, size_t count)
{
	char bytes[split_limit] = {0};
	size_t size = size_of(values->column), taken = 0;
	if (size == 0 || size > split_limit)
		return 0;
	for (; taken < count && values->at < values->stride; taken++, values->at++) {
		for (size_t i = 0; i < size; i++)
			bytes[i] = values->rest.ptr[i * values->stride + values->at];
		set_value(&into[taken], values->column, (struct span){bytes, size});
	}
	return taken;
}

static size_t take(struct parquet_values *values, struct parquet_value *into, size_t count)
{
	switch (values->encoding) {
	case PARQUET_PLAIN:
		return take_plain(values, into, count);
	case PARQUET_PLAIN_DICTIONARY:
	case PARQUET_RLE_DICTIONARY:
	case PARQUET_RLE:
		return take_runs(values, into, count);
	case PARQUET_DELTA_BINARY_PACKED:
		return take_differences(values, into, count);
	case PARQUET_DELTA_LENGTH_BYTE_ARRAY:
		return take_lengths(values, into, count);
	case PARQUET_DELTA_BYTE_ARRAY:
		return take_shared(values, into, count);
	default:
		return take_split(values, into, count);
	}
}

size_t parquet_values_take(struct parquet_values *values, struct parquet_value *into,
			   const struct parquet_value **at, size_t count)
{
	bool is_numbered = values->encoding == PARQUET_PLAIN_DICTIONARY ||
			   values->encoding == PARQUET_RLE_DICTIONARY;
	if (is_numbered && values->dictionary->known)
		return take_known(values, at, count);
	size_t taken = take(values, into, count);
	for (size_t i = 0; i < taken; i++)
		at[i] = &into[i];
	return taken;
}

void parquet_values_free(struct parquet_values *values)
{
	free(values->lengths);
	free(values->shared);
	strbuf_free(&values->text);
	strbuf_free(&values->last);
}
