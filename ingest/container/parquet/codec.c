/* Unpacks pages with the libraries that read compressed files, and Snappy. */
#include "ingest/container/parquet/codec.h"

#include "ingest/bytes/bytes.h"
#include "ingest/container/parquet/library_snappy.h"

static int fail_size(struct error *err)
{
	return error_set(err, ERR_FORMAT, "a page that has another size than its head says");
}

static int copy(struct span packed, char *bytes, size_t size, struct error *err)
{
	if (packed.len != size)
		return fail_size(err);
	if (size)
		memcpy(bytes, packed.ptr, size);
	return 0;
}

static int unpack_snappy(struct span packed, char *bytes, size_t size, struct error *err)
{
	size_t length = 0;
	if (lazy_snappy_open(err) < 0)
		return -1;
	if (snappy_uncompressed_length(packed.ptr, packed.len, &length) != SNAPPY_OK ||
	    length != size ||
	    snappy_uncompress(packed.ptr, packed.len, bytes, &length) != SNAPPY_OK)
		return error_set(err, ERR_FORMAT, "a page whose Snappy data is damaged");
	return 0;
}

static int unpack_stream(const struct compression *packing, struct span packed, char *bytes,
			 size_t size, struct error *err)
{
	struct byte_source stored = {.fd = -1, .stop_fd = -1, .memory = packed};
	struct room room = {bytes, size + 1, 0};
	void *state = packing->open(err);
	int rc = state ? 0 : -1;
	/* Until nothing more comes, so that checksums at the end are verified. */
	for (size_t before = 1; rc == 0 && room.used <= size && room.used != before;) {
		before = room.used;
		rc = packing->unpack(state, &stored, &room, err);
	}
	if (rc == 0 && room.used != size)
		rc = fail_size(err);
	if (state)
		packing->close(state);
	byte_source_free(&stored);
	return rc;
}

int parquet_unpack(int codec, struct span packed, char *bytes, size_t size, struct error *err)
{
	enum { SNAPPY = 1, GZIP = 2, ZSTD = 6 };
	static const char *const names[] = {[3] = "LZO", [4] = "Brotli", [5] = "LZ4", [7] = "LZ4"};
	/* A page whose values are all null may have no bytes at all. */
	if (codec == PARQUET_UNCOMPRESSED || (size == 0 && packed.len == 0))
		return copy(packed, bytes, size, err);
	if (codec == SNAPPY)
		return unpack_snappy(packed, bytes, size, err);
	if (codec == GZIP)
		return unpack_stream(&gzip_packing, packed, bytes, size, err);
	if (codec == ZSTD)
		return unpack_stream(&zstd_packing, packed, bytes, size, err);
	bool named = codec > 0 && codec < (int)(sizeof names / sizeof *names) && names[codec];
	return error_set(err, ERR_FORMAT,
			 "columns compressed with %s; write the file with Snappy, zstd, gzip or "
			 "without compression",
			 named ? names[codec] : "an unknown method");
}
