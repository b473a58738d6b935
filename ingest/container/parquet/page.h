/* The pages of a column: their heads, and their bytes without compression. */
#pragma once

#include "base/base.h"
#include "ingest/input/random_access.h"
#include "ingest/container/parquet/footer.h"

enum parquet_page_kind {
	PARQUET_DATA = 0,
	PARQUET_INDEX = 1,
	PARQUET_DICTIONARY = 2,
	PARQUET_DATA_2 = 3
};

enum parquet_encoding {
	PARQUET_PLAIN = 0,
	PARQUET_PLAIN_DICTIONARY = 2,
	PARQUET_RLE = 3,
	PARQUET_BIT_PACKED = 4,
	PARQUET_DELTA_BINARY_PACKED = 5,
	PARQUET_DELTA_LENGTH_BYTE_ARRAY = 6,
	PARQUET_DELTA_BYTE_ARRAY = 7,
	PARQUET_RLE_DICTIONARY = 8,
	PARQUET_BYTE_STREAM_SPLIT = 9
};

struct parquet_page {
	enum parquet_page_kind kind;
	uint64_t values; /* with those that are null */
	enum parquet_encoding encoding;
	/* PARQUET_DATA_2: bytes of levels, which are not compressed; else 0. */
	uint32_t definition_size, repetition_size;
	/* How definition levels are stored; for PARQUET_DATA. */
	enum parquet_encoding levels;
	struct span bytes; /* unpacked: levels and values */
};

/* Memory for pages of one column, reused from page to page. */
struct parquet_room {
	char *packed, *bytes;
	size_t packed_size, bytes_size;
};

/* Reads the page at *at and moves *at after it. Its bytes are valid until the room is used
 * again. */
int parquet_page_read(struct random_access *bytes, const struct parquet_chunk *chunk, uint64_t *at,
		      struct parquet_room *room, struct parquet_page *page, struct error *err);
void parquet_room_free(struct parquet_room *room);
