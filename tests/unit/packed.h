/* Packed data for tests, and reading it in pieces. */
#ifndef TESTS_UNIT_PACKED_H
#define TESTS_UNIT_PACKED_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>
#include <zstd.h>

#include "base/strbuf.h"
#include "ingest/input/input.h"

/* Fields of a gzip header. */
enum { PACKED_NAMED = 1, PACKED_COMMENTED = 2, PACKED_EXTRA = 4, PACKED_CHECKED = 8 };

/* A text that hardly compresses. */
static inline void packed_text(struct strbuf *out, size_t size)
{
	uint32_t state = 1;
	while (out->len < size) {
		state = state * 1664525 + 1013904223;
		strbuf_addf(out, "%u\n", state);
	}
}

/* Adds a member. */
static inline void packed_gzip(struct strbuf *out, struct span text, int fields)
{
	z_stream z = {0};
	unsigned char chunk[4096], extra[] = "extra";
	gz_header header = {
		.name = fields & PACKED_NAMED ? (Bytef *)"a name" : NULL,
		.comment = fields & PACKED_COMMENTED ? (Bytef *)"a comment" : NULL,
		.extra = fields & PACKED_EXTRA ? extra : NULL,
		.extra_len = sizeof extra,
		.hcrc = (fields & PACKED_CHECKED) != 0,
	};
	ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	ck_assert_int_eq(deflateSetHeader(&z, &header), Z_OK);
	z.next_in = (Bytef *)text.ptr;
	z.avail_in = (uInt)text.len;
	do {
		z.next_out = chunk;
		z.avail_out = sizeof chunk;
		deflate(&z, Z_FINISH);
		strbuf_add(out, chunk, sizeof chunk - z.avail_out);
	} while (z.avail_out == 0);
	deflateEnd(&z);
}

/* Adds a frame. */
static inline void packed_zstd(struct strbuf *out, struct span text)
{
	size_t bound = ZSTD_compressBound(text.len);
	ZSTD_CCtx *context = ZSTD_createCCtx();
	char *packed = malloc(bound);
	ck_assert(context && packed);
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	size_t len = ZSTD_compress2(context, packed, bound, text.ptr, text.len);
	ck_assert(!ZSTD_isError(len));
	strbuf_add(out, packed, len);
	free(packed);
	ZSTD_freeCCtx(context);
}

/* How an input is read. */
struct packed_way {
	size_t piece; /* bytes at a time; 0: where they lie */
	size_t threads;
	bool head_first;
};

/* Adds everything to `out`, what comes before a failure too; closes the input. */
static inline int store_packed_read(struct input *input, struct packed_way way, struct strbuf *out,
				    struct error *err)
{
	struct span head = {NULL, 0}, bytes = {NULL, 1};
	size_t start = out->len;
	char *buffer = malloc(way.piece + 1);
	ck_assert_ptr_nonnull(buffer);
	input_set_threads(input, way.threads);
	int rc = way.head_first ? input_head(input, &head, err) : 0;
	while (rc == 0 && bytes.len) {
		if (way.piece) {
			rc = input_read(input, buffer, way.piece, &bytes.len, err);
			bytes.ptr = buffer;
		} else {
			rc = input_next(input, &bytes, err);
		}
		if (rc == 0)
			strbuf_add(out, bytes.ptr, bytes.len);
	}
	if (rc == 0 && way.head_first) {
		size_t len = out->len - start;
		ck_assert_uint_eq(head.len, len < input_head_size ? len : input_head_size);
		ck_assert(head.len == 0 || memcmp(head.ptr, out->buf + start, head.len) == 0);
	}
	free(buffer);
	input_close(input);
	return rc;
}

#endif
