/* Any bytes as a Parquet file, of which every column is read that can be, one alone row by row, and
 * all together in batches of rows: the values must be the same. */
#include "ingest/container/parquet/parquet.h"
#include "tests/fuzz/mutate/parquet_mutate.h"
#include "tests/fuzz/mutate/reader_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
	return parquet_mutate(bytes, size, room, seed);
}

enum { row_limit = 20000, column_limit = 64 };

static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3;
	return hash;
}

static uint64_t hash_value(const struct parquet_value *value)
{
	uint64_t hash = mix(0xcbf29ce484222325, &value->kind, sizeof value->kind);
	REQUIRE(value->kind <= PARQUET_TEXT);
	REQUIRE((value->kind == PARQUET_WHOLE || value->kind == PARQUET_NUMBER) ||
		isnan(value->number));
	REQUIRE(value->kind == PARQUET_TEXT || value->text.len == 0);
	if (value->kind == PARQUET_NUMBER)
		return mix(hash, &value->number, sizeof value->number);
	hash = mix(hash, &value->magnitude, sizeof value->magnitude);
	return mix(hash, value->text.ptr, value->text.len);
}

/* Adds what each chosen column has to its hash; returns the number of rows that could be read. */
static uint64_t read_columns(struct parquet *file, const size_t *columns, size_t count,
			     uint64_t limit, uint64_t *hashes)
{
	struct error err;
	uint64_t rows = 0;
	REQUIRE(parquet_choose(file, columns, count, &err) == 0);
	for (size_t i = 0; i < count; i++)
		hashes[i] = 0;
	while (rows < limit && parquet_next(file, &err) > 0) {
		for (size_t i = 0; i < count; i++)
			hashes[i] = hashes[i] * 31 + hash_value(parquet_value(file, i));
		rows++;
	}
	return rows;
}

static uint64_t read_together(struct parquet *file, const size_t *columns, size_t count,
			      uint64_t *hashes)
{
	struct error err;
	uint64_t rows = 0;
	size_t more;
	REQUIRE(parquet_choose(file, columns, count, &err) == 0);
	for (size_t i = 0; i < count; i++)
		hashes[i] = 0;
	while (rows < row_limit && parquet_next_rows(file, &more, &err) > 0) {
		more = more < row_limit - rows ? more : (size_t)(row_limit - rows);
		for (size_t i = 0; i < count; i++)
			for (size_t row = 0; row < more; row++)
				hashes[i] =
					hashes[i] * 31 + hash_value(parquet_values(file, i)[row]);
		rows += more;
	}
	return rows;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct error err;
	size_t columns[column_limit], count = 0;
	uint64_t all[column_limit], one;
	struct input *input = input_of_bytes((struct span){(const char *)bytes, size});
	struct parquet *file = parquet_open(input, &err);
	REQUIRE(file || err.kind);
	for (size_t i = 0; file && i < parquet_column_count(file) && count < column_limit; i++)
		if (parquet_can_choose(file, i))
			columns[count++] = i;
	uint64_t rows = file ? read_together(file, columns, count, all) : 0;
	for (size_t i = 0; i < count; i++) {
		REQUIRE(read_columns(file, &columns[i], 1, rows, &one) == rows);
		REQUIRE(one == all[i]);
	}
	parquet_close(file);
	input_close(input);
	return 0;
}
