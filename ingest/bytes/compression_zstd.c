/* zstd: a sequence of frames, some of which are skippable. */
#include "ingest/bytes/compression.h"

#include <limits.h>

#include "ingest/bytes/library_zstd.h"

/* 128 MiB, the default limit of the `zstd` command. */
enum { window_log_limit = 27 };

struct zstd {
	ZSTD_DCtx *context;
	bool in_frame;
	size_t wanted; /* bytes that would complete the block, so that errors name the right offset
			*/
};

/* Whether the bytes begin with a magic number; only as many bytes are compared as there are. */
static bool begins_frame(struct span first)
{
	static const char data[] = {'\x28', '\xb5', '\x2f', '\xfd'};
	static const char skipped[] = {'\x50', '\x2a', '\x4d', '\x18'};
	size_t len = first.len < packing_magic_size ? first.len : packing_magic_size;
	return memcmp(first.ptr, data, len) == 0 ||
	       ((first.ptr[0] & 0xf0) == skipped[0] &&
		memcmp(first.ptr + 1, skipped + 1, len - 1) == 0);
}

static bool detect(struct span first)
{
	return first.len >= packing_magic_size && begins_frame(first);
}

static void *open_zstd(struct error *err)
{
	if (lazy_zstd_open(err) < 0)
		return NULL;
	struct zstd *zstd = memory_buffer(sizeof *zstd);
	*zstd = (struct zstd){.context = ZSTD_createDCtx()};
	if (!zstd->context)
		abort();
	ZSTD_DCtx_setParameter(zstd->context, ZSTD_d_windowLogMax, window_log_limit);
	return zstd;
}

static void close_zstd(void *state)
{
	struct zstd *zstd = state;
	ZSTD_freeDCtx(zstd->context);
	free(zstd);
}

static int next_frame(struct zstd *zstd, struct byte_source *stored, bool *ended, struct error *err)
{
	if (byte_source_fill(stored, packing_magic_size, err) < 0)
		return -1;
	*ended = stored->rest.len == 0;
	if (*ended)
		return 0;
	if (!begins_frame(stored->rest))
		return compression_followed(&zstd_packing, stored, err);
	zstd->in_frame = true;
	zstd->wanted = packing_magic_size;
	return 0;
}

static int fail(const struct byte_source *stored, size_t status, struct error *err)
{
	if (ZSTD_getErrorCode(status) == ZSTD_error_frameParameter_windowTooLarge)
		return error_set(err, ERR_FORMAT,
				 "the zstd data needs a window larger than %d MiB; recompress it "
				 "with --long=%d or less",
				 1 << (window_log_limit - 20), window_log_limit);
	return compression_damaged(&zstd_packing, byte_source_position(stored),
				   ZSTD_getErrorName(status), err);
}

static int unpack_some(struct zstd *zstd, struct byte_source *stored, struct room *room,
		       struct error *err)
{
	if (byte_source_fill(stored, 1, err) < 0)
		return -1;
	size_t wanted = zstd->wanted < stored->rest.len ? zstd->wanted : stored->rest.len;
	ZSTD_inBuffer in = {stored->rest.ptr, wanted, 0};
	ZSTD_outBuffer out = {room->ptr, room->size, room->used};
	size_t status = ZSTD_decompressStream(zstd->context, &out, &in);
	if (ZSTD_isError(status))
		return fail(stored, status, err);
	if (status != 0 && stored->rest.len == 0 && out.pos == room->used)
		return compression_cut_off(&zstd_packing, stored, err);
	stored->rest = (struct span){stored->rest.ptr + in.pos, stored->rest.len - in.pos};
	room->used = out.pos;
	zstd->wanted = status;
	zstd->in_frame = status != 0;
	return 0;
}

static int unpack(void *state, struct byte_source *stored, struct room *room, struct error *err)
{
	struct zstd *zstd = state;
	size_t before = room->used;
	bool ended = false;
	while (!ended && room->used < room->size && (room->used == before || stored->rest.len)) {
		int rc = zstd->in_frame ? unpack_some(zstd, stored, room, err)
					: next_frame(zstd, stored, &ended, err);
		if (rc < 0)
			return -1;
	}
	return 0;
}

const struct compression zstd_packing = {"zstd", detect, open_zstd, unpack, close_zstd};
