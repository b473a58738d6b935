/* The part of an NTFF's header that describes one core: clocks, programs, traces,
 * queues, memory. */
#include "ingest/ntff/header/fields.h"

/* Many times what real files have; a file beyond these limits is refused. */
enum { queue_limit = 4096, patch_limit = 4096, memory_limit = 256 };

/* --- clocks --- */

static const struct ntff_field_row clock_fields[] = {
	{1, NTFF_NUMBER, offsetof(struct ntff_clock, base), NULL},
	{2, NTFF_NUMBER, offsetof(struct ntff_clock, den), NULL},
	{3, NTFF_NUMBER, offsetof(struct ntff_clock, num), NULL},
	{0, NTFF_NUMBER, 0, NULL},
};

static int enter_clock(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
		       const char *path, struct error *err)
{
	struct ntff_core *core = owner;
	/* The file numbers these fields by unit, where vector comes before GpSimd; as engines it is
	 * the reverse. */
	static const int engine_of[] = {-1,          NTFF_TENSOR, NTFF_SCALAR,
					NTFF_VECTOR, NTFF_GPSIMD, NTFF_SYNC};
	struct ntff_clock *clock = &core->event_clock;
	if (field->number <= 5)
		clock = &core->engine_clocks[engine_of[field->number]];
	else if (field->number == 7)
		clock = &core->throttle_clock;
	else if (field->number == 8 && core->dma_clock_count == ntff_dma_engines)
		return ntff_header_too_many(err, "DMA clocks of a core", ntff_dma_engines);
	else if (field->number == 8)
		clock = &core->dma_clocks[core->dma_clock_count++];
	return ntff_header_walk(p, field, clock_fields, clock, path, err);
}

static const struct ntff_field_row clocks_fields[] = {
	{1, NTFF_MESSAGE, 0, enter_clock}, {2, NTFF_MESSAGE, 0, enter_clock},
	{3, NTFF_MESSAGE, 0, enter_clock}, {4, NTFF_MESSAGE, 0, enter_clock},
	{5, NTFF_MESSAGE, 0, enter_clock}, {6, NTFF_MESSAGE, 0, enter_clock},
	{7, NTFF_MESSAGE, 0, enter_clock}, {8, NTFF_MESSAGE, 0, enter_clock},
	{0, NTFF_NUMBER, 0, NULL},
};

static int enter_clocks(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
			const char *path, struct error *err)
{
	return ntff_header_walk(p, field, clocks_fields, owner, path, err);
}

/* --- programs --- */

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
	{1, NTFF_NUMBER, offsetof(struct stream_message, engine), NULL},
	{2, NTFF_NUMBER, offsetof(struct stream_message, address), NULL},
	{3, NTFF_MESSAGE, 0, enter_stream_bytes},
	{7, NTFF_NUMBER, offsetof(struct stream_message, offset), NULL},
	{8, NTFF_NUMBER, offsetof(struct stream_message, size), NULL},
	{0, NTFF_NUMBER, 0, NULL},
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
	{1, NTFF_NUMBER, offsetof(struct ntff_patch, offset), NULL},
	{2, NTFF_NUMBER, offsetof(struct ntff_patch, count), NULL},
	{3, NTFF_NUMBER, offsetof(struct ntff_patch, kind), NULL},
	{0, NTFF_NUMBER, 0, NULL},
};

struct patches_message {
	struct ntff_core *core;
	uint64_t engine;
};

static int enter_patch(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
		       const char *path, struct error *err)
{
	struct patches_message *message = owner;
	struct ntff_core *core = message->core;
	struct ntff_patch patch = {.engine = message->engine};
	if (ntff_header_walk(p, field, patch_fields, &patch, path, err) < 0)
		return -1;
	if (core->patch_count == patch_limit)
		return ntff_header_too_many(err, "patched parts of programs", patch_limit);
	core->patches = arena_grow(p->arena, core->patches, core->patch_count,
				   &core->patch_capacity, sizeof *core->patches);
	core->patches[core->patch_count++] = patch;
	return 0;
}

static const struct ntff_field_row patches_fields[] = {
	{1, NTFF_NUMBER, offsetof(struct patches_message, engine), NULL},
	{2, NTFF_MESSAGE, 0, enter_patch},
	{0, NTFF_NUMBER, 0, NULL},
};

static int enter_patches(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
			 const char *path, struct error *err)
{
	struct patches_message message = {.core = owner};
	return ntff_header_walk(p, field, patches_fields, &message, path, err);
}

/* --- segments, queues, memory --- */

static const struct ntff_field_row segment_fields[] = {
	{1, NTFF_NUMBER, offsetof(struct ntff_segment, type), NULL},
	{3, NTFF_NUMBER, offsetof(struct ntff_segment, subtype), NULL},
	{4, NTFF_NUMBER, offsetof(struct ntff_segment, index), NULL},
	{5, NTFF_NUMBER, offsetof(struct ntff_segment, at), NULL},
	{6, NTFF_NUMBER, offsetof(struct ntff_segment, size), NULL},
	{7, NTFF_NUMBER, offsetof(struct ntff_segment, nc), NULL},
	{0, NTFF_NUMBER, 0, NULL},
};

int ntff_header_read_segment(struct ntff_parse *p, const struct protobuf_field *field,
			     const char *path, struct ntff_segment *segment, struct error *err)
{
	*segment = (struct ntff_segment){0};
	if (ntff_header_walk(p, field, segment_fields, segment, path, err) < 0 ||
	    ntff_header_position(p, "a trace", segment->size, &segment->at, err) < 0)
		return -1;
	if (segment->size % ntff_record_size != 0)
		return error_set(err, ERR_FORMAT,
				 "the trace at byte %" PRIu64 " has %" PRIu64
				 " bytes, no whole number of records of %d: the file is "
				 "damaged: " NTFF_AGAIN,
				 segment->at, segment->size, (int)ntff_record_size);
	return 0;
}

static int enter_segment(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
			 const char *path, struct error *err)
{
	struct ntff_core *core = owner;
	struct ntff_segment segment;
	if (ntff_header_read_segment(p, field, path, &segment, err) < 0)
		return -1;
	if (core->segment_count == ntff_segment_limit)
		return ntff_header_too_many(err, "traces of a core", ntff_segment_limit);
	core->segments = arena_grow(p->arena, core->segments, core->segment_count,
				    &core->segment_capacity, sizeof *core->segments);
	core->segments[core->segment_count++] = segment;
	return 0;
}

static const struct ntff_field_row queue_fields[] = {
	{1, NTFF_NUMBER, offsetof(struct ntff_queue, engine), NULL},
	{2, NTFF_NUMBER, offsetof(struct ntff_queue, ring), NULL},
	{3, NTFF_NUMBER, offsetof(struct ntff_queue, type), NULL},
	{4, NTFF_TEXT, offsetof(struct ntff_queue, name), NULL},
	{5, NTFF_NUMBER, offsetof(struct ntff_queue, event), NULL},
	{6, NTFF_NUMBER, offsetof(struct ntff_queue, axi_port), NULL},
	{7, NTFF_NUMBER, offsetof(struct ntff_queue, dram_channel), NULL},
	{0, NTFF_NUMBER, 0, NULL},
};

static int enter_queue(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
		       const char *path, struct error *err)
{
	struct ntff_core *core = owner;
	struct ntff_queue queue = {.name = ""};
	if (core->queue_count == queue_limit)
		return ntff_header_too_many(err, "DMA queues of a core", queue_limit);
	if (ntff_header_walk(p, field, queue_fields, &queue, path, err) < 0)
		return -1;
	core->queues = arena_grow(p->arena, core->queues, core->queue_count, &core->queue_capacity,
				  sizeof *core->queues);
	core->queues[core->queue_count++] = queue;
	return 0;
}

static const struct ntff_field_row memory_fields[] = {
	{2, NTFF_NUMBER, offsetof(struct ntff_memory, bytes), NULL},
	{3, NTFF_TEXT, offsetof(struct ntff_memory, name), NULL},
	{0, NTFF_NUMBER, 0, NULL},
};

static int enter_memory(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
			const char *path, struct error *err)
{
	struct ntff_core *core = owner;
	struct ntff_memory memory = {0};
	if (core->memory_count == memory_limit)
		return ntff_header_too_many(err, "kinds of memory", memory_limit);
	if (ntff_header_walk(p, field, memory_fields, &memory, path, err) < 0)
		return -1;
	core->memory = arena_grow(p->arena, core->memory, core->memory_count,
				  &core->memory_capacity, sizeof *core->memory);
	core->memory[core->memory_count++] = memory;
	return 0;
}

/* --- cores --- */

static const struct ntff_field_row core_fields[] = {
	{1, NTFF_TEXT, offsetof(struct ntff_core, name), NULL},
	{3, NTFF_NUMBER, offsetof(struct ntff_core, nc), NULL},
	{4, NTFF_MESSAGE, 0, enter_stream},
	{5, NTFF_MESSAGE, 0, enter_patches},
	{6, NTFF_MESSAGE, 0, enter_segment},
	{7, NTFF_MESSAGE, 0, enter_queue},
	{10, NTFF_MESSAGE, 0, enter_clocks},
	{11, NTFF_MESSAGE, 0, enter_memory},
	{14, NTFF_NUMBER, offsetof(struct ntff_core, duration), NULL},
	{0, NTFF_NUMBER, 0, NULL},
};

int ntff_header_enter_core(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
			   const char *path, struct error *err)
{
	struct ntff *ntff = owner;
	struct ntff_core core = {.name = ""};
	if (ntff->core_count == ntff_core_limit)
		return ntff_header_too_many(err, "cores", ntff_core_limit);
	if (ntff_header_walk(p, field, core_fields, &core, path, err) < 0)
		return -1;
	ntff->cores = arena_grow(p->arena, ntff->cores, ntff->core_count, &ntff->core_capacity,
				 sizeof *ntff->cores);
	ntff->cores[ntff->core_count++] = core;
	return 0;
}
