/* gzip: a sequence of members, which zeros may follow. */
#include "ingest/bytes/compression.h"

#include "ingest/bytes/inflate.h"

struct gzip {
	struct inflate *inflate;
	bool in_member;
};

static bool detect(struct span first)
{
	static const char magic[] = {'\x1f', '\x8b', 8};
	return first.len >= sizeof magic && memcmp(first.ptr, magic, sizeof magic) == 0;
}

static void *open_gzip(struct error *err)
{
	struct inflate *inflate = inflate_new(err);
	if (!inflate)
		return NULL;
	struct gzip *gzip = memory_buffer(sizeof *gzip);
	*gzip = (struct gzip){inflate, true};
	return gzip;
}

static void close_gzip(void *state)
{
	struct gzip *gzip = state;
	inflate_free(gzip->inflate);
	free(gzip);
}

/* Starts the next member; *ended if only zeros follow. */
static int next_member(struct gzip *gzip, struct byte_source *stored, bool *ended,
		       struct error *err)
{
	for (;;) {
		if (byte_source_fill(stored, 1, err) < 0)
			return -1;
		*ended = stored->rest.len == 0;
		if (*ended || stored->rest.ptr[0] != '\0')
			break;
		stored->rest = span_from(stored->rest, 1);
	}
	if (*ended)
		return 0;
	if (stored->rest.ptr[0] != '\x1f')
		return compression_followed(&gzip_packing, stored, err);
	inflate_reset(gzip->inflate);
	gzip->in_member = true;
	return 0;
}

static int inflate_some(struct gzip *gzip, struct byte_source *stored, struct room *room,
			struct error *err)
{
	if (byte_source_fill(stored, 1, err) < 0)
		return -1;
	size_t packed = stored->rest.len, unpacked = room->used;
	bool ended;
	const char *why = inflate_step(gzip->inflate, &stored->rest, room, &ended);
	bool stuck = stored->rest.len == packed && room->used == unpacked && !ended;
	if (!why && stuck && packed == 0)
		return compression_cut_off(&gzip_packing, stored, err);
	if (!why && stuck)
		why = "decompression failed";
	if (why)
		return compression_damaged(
			&gzip_packing, byte_source_position(stored) - inflate_ahead(gzip->inflate),
			why, err);
	gzip->in_member = !ended;
	return 0;
}

static int unpack(void *state, struct byte_source *stored, struct room *room, struct error *err)
{
	struct gzip *gzip = state;
	size_t before = room->used;
	bool ended = false;
	while (!ended && room->used < room->size && (room->used == before || stored->rest.len)) {
		int rc = gzip->in_member ? inflate_some(gzip, stored, room, err)
					 : next_member(gzip, stored, &ended, err);
		if (rc < 0)
			return -1;
	}
	return 0;
}

const struct compression gzip_packing = {"gzip", detect, open_gzip, unpack, close_gzip};
