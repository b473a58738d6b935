/* Inflates with ISA-L. Its inflate() requires a header in one piece, so headers are parsed here.
 * Reserved flags, which it ignores, are refused. */
#include "ingest/bytes/inflate.h"

#include <limits.h>

#include "ingest/bytes/library_isal.h"

enum { flags_at = 3, reserved_flags = 0xe0 };

struct inflate {
	struct isal_gzip_header header;
	size_t header_bytes; /* number of the first header bytes that were read */
	bool in_body;
	struct inflate_state z;
};

struct inflate *inflate_new(struct error *err)
{
	if (lazy_isal_open(err) < 0)
		return NULL;
	struct inflate *inflate = memory_buffer(sizeof *inflate);
	isal_inflate_init(&inflate->z);
	inflate_reset(inflate);
	return inflate;
}

void inflate_reset(struct inflate *inflate)
{
	isal_inflate_reset(&inflate->z);
	isal_gzip_header_init(&inflate->header);
	inflate->z.crc_flag = ISAL_GZIP_NO_HDR_VER;
	inflate->header_bytes = 0;
	inflate->in_body = false;
}

static const char *reason_of(int status)
{
	switch (status) {
	case ISAL_INVALID_BLOCK:
		return "invalid block";
	case ISAL_INVALID_SYMBOL:
		return "invalid code";
	case ISAL_INVALID_LOOKBACK:
		return "invalid distance too far back";
	case ISAL_INVALID_WRAPPER:
		return "incorrect header check";
	case ISAL_UNSUPPORTED_METHOD:
		return "unknown compression method";
	case ISAL_INCORRECT_CHECKSUM:
		return "incorrect data check";
	default:
		return "decompression failed";
	}
}

static bool has_reserved_flags(struct inflate *inflate, struct span packed)
{
	size_t flags = flags_at - inflate->header_bytes;
	if (inflate->header_bytes > flags_at)
		return false;
	inflate->header_bytes += packed.len < flags + 1 ? packed.len : flags + 1;
	return flags < packed.len && ((unsigned char)packed.ptr[flags] & reserved_flags) != 0;
}

static const char *read_header(struct inflate *inflate, struct span packed)
{
	if (has_reserved_flags(inflate, packed))
		return "unknown header flags set";
	int status = isal_read_gzip_header(&inflate->z, &inflate->header);
	if (status == ISAL_INCORRECT_CHECKSUM)
		return "header crc mismatch";
	inflate->in_body = status == ISAL_DECOMP_OK;
	return status < 0 ? reason_of(status) : NULL;
}

const char *inflate_step(struct inflate *inflate, struct span *packed, struct room *room,
			 bool *ended)
{
	struct inflate_state *z = &inflate->z;
	size_t left = room->size - room->used;
	const char *why = NULL;
	int status = ISAL_DECOMP_OK;
	z->next_in = (uint8_t *)packed->ptr;
	z->avail_in = packed->len < INT_MAX ? (uint32_t)packed->len : INT_MAX;
	z->next_out = (uint8_t *)room->ptr + room->used;
	z->avail_out = left < INT_MAX ? (uint32_t)left : INT_MAX;
	if (!inflate->in_body)
		why = read_header(inflate, *packed);
	if (!why && inflate->in_body)
		status = isal_inflate(z);
	size_t consumed = (size_t)(z->next_in - (uint8_t *)packed->ptr);
	*packed = span_from(*packed, consumed);
	room->used = (size_t)(z->next_out - (uint8_t *)room->ptr);
	*ended = inflate->in_body && z->block_state == ISAL_BLOCK_FINISH;
	return status < 0 ? reason_of(status) : why;
}

size_t inflate_ahead(const struct inflate *inflate)
{
	return (size_t)inflate->z.read_in_length / CHAR_BIT;
}

void inflate_free(struct inflate *inflate)
{
	free(inflate);
}
