/* Inflates with zlib. */
#include "ingest/bytes/inflate.h"

#include <limits.h>

#include <zlib.h>

struct inflate {
	z_stream z;
};

struct inflate *inflate_new(struct error *err)
{
	(void)err;
	struct inflate *stream = memory_allocate(1, sizeof *stream);
	if (inflateInit2(&stream->z, 15 + 16) != Z_OK)
		abort();
	return stream;
}

void inflate_reset(struct inflate *stream)
{
	inflateReset(&stream->z);
}

const char *inflate_step(struct inflate *stream, struct span *packed, struct room *room,
			 bool *ended)
{
	z_stream *z = &stream->z;
	size_t left = room->size - room->used;
	z->next_in = (Bytef *)packed->ptr;
	z->avail_in = packed->len < UINT_MAX ? (uInt)packed->len : UINT_MAX;
	z->next_out = (Bytef *)room->ptr + room->used;
	z->avail_out = left < UINT_MAX ? (uInt)left : UINT_MAX;
	int status = inflate(z, Z_NO_FLUSH);
	size_t consumed = (size_t)(z->next_in - (Bytef *)packed->ptr);
	*packed = span_from(*packed, consumed);
	room->used = (size_t)(z->next_out - (Bytef *)room->ptr);
	*ended = status == Z_STREAM_END;
	if (status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR)
		return NULL;
	return z->msg ? z->msg : "decompression failed";
}

size_t inflate_ahead(const struct inflate *stream)
{
	(void)stream;
	return 0;
}

void inflate_free(struct inflate *stream)
{
	if (stream)
		inflateEnd(&stream->z);
	free(stream);
}
