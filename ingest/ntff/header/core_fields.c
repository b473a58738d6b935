/* The part of an NTFF's header that describes one core: clocks, programs, traces,
 * queues, memory. */
#include "ingest/ntff/header/fields.h"

/* The limits of lists are many times what real files have; a file beyond them is refused. */

/* --- clocks --- */

static const struct ntff_field_row clock_fields[] = {
	{1, NTFF_NUMBER, .offset = offsetof(struct ntff_clock, base)},
	{2, NTFF_NUMBER, .offset = offsetof(struct ntff_clock, den)},
	{3, NTFF_NUMBER, .offset = offsetof(struct ntff_clock, num)},
	{.number = 0},
};

static int enter_dma_clock(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
			   const char *path, struct error *err)
{
	struct ntff_core *core = owner;
	if (core->dma_clock_count == ntff_dma_engines)
		return ntff_header_too_many(err, "DMA clocks of a core", ntff_dma_engines);
	return ntff_header_walk(p, field, clock_fields, &core->dma_clocks[core->dma_clock_count++],
				path, err);
}

/* The file numbers clocks by unit, where vector comes before GpSimd; as engines it is the
 * reverse. */
static const struct ntff_field_row clocks_fields[] = {
	NTFF_STRUCT(1, struct ntff_core, engine_clocks[NTFF_TENSOR], clock_fields),
	NTFF_STRUCT(2, struct ntff_core, engine_clocks[NTFF_SCALAR], clock_fields),
	NTFF_STRUCT(3, struct ntff_core, engine_clocks[NTFF_VECTOR], clock_fields),
	NTFF_STRUCT(4, struct ntff_core, engine_clocks[NTFF_GPSIMD], clock_fields),
	NTFF_STRUCT(5, struct ntff_core, engine_clocks[NTFF_SYNC], clock_fields),
	NTFF_STRUCT(6, struct ntff_core, event_clock, clock_fields),
	NTFF_STRUCT(7, struct ntff_core, throttle_clock, clock_fields),
	{8, NTFF_MESSAGE, .enter = enter_dma_clock},
	{.number = 0},
};

/* --- programs --- */

/* A program's bytes are inside the message, or elsewhere in the file. */
struct stream_message {
	uint64_t engine, address, offset, size;
	struct protobuf bytes;
	bool inline_bytes;
};

static int enter_stream_bytes(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
			      const char *path, struct error *err)
{
	struct stream_message *stream = owner;
	(void)p, (void)path, (void)err;
	stream->bytes = field->bytes;
	stream->inline_bytes = true;
	return 0;
}

static const struct ntff_field_row stream_fields[] = {
	{1, NTFF_NUMBER, .offset = offsetof(struct stream_message, engine)},
	{2, NTFF_NUMBER, .offset = offsetof(struct stream_message, address)},
	{3, NTFF_MESSAGE, .enter = enter_stream_bytes},
	{7, NTFF_NUMBER, .offset = offsetof(struct stream_message, offset)},
	{8, NTFF_NUMBER, .offset = offsetof(struct stream_message, size)},
	{.number = 0},
};

static int enter_stream(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
			const char *path, struct error *err)
{
	struct ntff_core *core = owner;
	struct stream_message message = {0};
	if (ntff_header_walk(p, field, stream_fields, &message, path, err) < 0)
		return -1;
	if (message.engine >= NTFF_ENGINES) {
		ntff_header_note_unknown(p, path, field);
		return 0;
	}
	struct ntff_stream *stream = &core->streams[message.engine];
	*stream = (struct ntff_stream){message.address, message.bytes.at,
				       message.bytes.end - message.bytes.at};
	if (message.inline_bytes)
		return 0;
	stream->at = message.offset;
	stream->size = message.size;
	return ntff_header_position(p, "a program", message.size, &stream->at, err);
}

static const struct ntff_field_row patch_fields[] = {
	{1, NTFF_NUMBER, .offset = offsetof(struct ntff_patch, offset)},
	{2, NTFF_NUMBER, .offset = offsetof(struct ntff_patch, count)},
	{3, NTFF_NUMBER, .offset = offsetof(struct ntff_patch, kind)},
	{.number = 0},
};

/* The patches of one engine. The list is that of the core, with those of other engines. */
struct patches_message {
	uint64_t engine;
	struct ntff_patch *patches;
	size_t patch_count, patch_capacity;
};

static const struct ntff_field_row patches_fields[] = {
	{1, NTFF_NUMBER, .offset = offsetof(struct patches_message, engine)},
	NTFF_ITEMS(2, struct patches_message, patches, patch, .fields = patch_fields, .limit = 4096,
		   .what = "patched parts of programs"),
	{.number = 0},
};

static int enter_patches(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
			 const char *path, struct error *err)
{
	struct ntff_core *core = owner;
	struct patches_message all = {0, core->patches, core->patch_count, core->patch_capacity};
	if (ntff_header_walk(p, field, patches_fields, &all, path, err) < 0)
		return -1;
	for (size_t i = core->patch_count; i < all.patch_count; i++)
		all.patches[i].engine = all.engine;
	core->patches = all.patches;
	core->patch_count = all.patch_count;
	core->patch_capacity = all.patch_capacity;
	return 0;
}

/* --- segments, queues, memory --- */

const struct ntff_field_row ntff_header_segment_fields[] = {
	{1, NTFF_NUMBER, .offset = offsetof(struct ntff_segment, type)},
	{3, NTFF_NUMBER, .offset = offsetof(struct ntff_segment, subtype)},
	{4, NTFF_NUMBER, .offset = offsetof(struct ntff_segment, index)},
	{5, NTFF_NUMBER, .offset = offsetof(struct ntff_segment, at)},
	{6, NTFF_NUMBER, .offset = offsetof(struct ntff_segment, size)},
	{7, NTFF_NUMBER, .offset = offsetof(struct ntff_segment, nc)},
	{.number = 0},
};

int ntff_header_check_segment(const struct ntff_parse *p, void *item, struct error *err)
{
	struct ntff_segment *segment = item;
	if (ntff_header_position(p, "a trace", segment->size, &segment->at, err) < 0)
		return -1;
	if (segment->size % ntff_record_size != 0)
		return error_set(err, ERR_FORMAT,
				 "the trace at byte %" PRIu64 " has %" PRIu64
				 " bytes, not a whole number of %d-byte records; the file is "
				 "damaged: " NTFF_AGAIN,
				 segment->at, segment->size, (int)ntff_record_size);
	return 0;
}

static const struct ntff_field_row queue_fields[] = {
	{1, NTFF_NUMBER, .offset = offsetof(struct ntff_queue, engine)},
	{2, NTFF_NUMBER, .offset = offsetof(struct ntff_queue, ring)},
	{3, NTFF_NUMBER, .offset = offsetof(struct ntff_queue, type)},
	{4, NTFF_NAME, .offset = offsetof(struct ntff_queue, name)},
	{5, NTFF_NUMBER, .offset = offsetof(struct ntff_queue, event)},
	{6, NTFF_NUMBER, .offset = offsetof(struct ntff_queue, axi_port)},
	{7, NTFF_NUMBER, .offset = offsetof(struct ntff_queue, dram_channel)},
	{.number = 0},
};

static const struct ntff_field_row memory_fields[] = {
	{2, NTFF_NUMBER, .offset = offsetof(struct ntff_memory, bytes)},
	{3, NTFF_TEXT, .offset = offsetof(struct ntff_memory, name)},
	{.number = 0},
};

/* --- cores --- */

const struct ntff_field_row ntff_header_core_fields[] = {
	{1, NTFF_NAME, .offset = offsetof(struct ntff_core, name)},
	{3, NTFF_NUMBER, .offset = offsetof(struct ntff_core, nc)},
	{4, NTFF_MESSAGE, .enter = enter_stream},
	{5, NTFF_MESSAGE, .enter = enter_patches},
	NTFF_ITEMS(6, struct ntff_core, segments, segment, .fields = ntff_header_segment_fields,
		   .limit = ntff_segment_limit, .what = "traces of a core",
		   .check = ntff_header_check_segment),
	NTFF_ITEMS(7, struct ntff_core, queues, queue, .fields = queue_fields, .limit = 4096,
		   .what = "DMA queues of a core"),
	{10, NTFF_MESSAGE, .fields = clocks_fields},
	NTFF_ITEMS(11, struct ntff_core, memory, memory, .fields = memory_fields, .limit = 256,
		   .what = "kinds of memory"),
	{14, NTFF_NUMBER, .offset = offsetof(struct ntff_core, duration)},
	{.number = 0},
};
