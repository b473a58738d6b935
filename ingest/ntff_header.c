/* The header of an NTFF: one table of fields for each kind of message. */
#include "ingest/ntff.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "ingest/kept.h"
#include "ingest/protobuf.h"

/* Many times what real files have; a file that has more is not one. */
enum {
	name_limit = 256,
	uuid_size = 16,
	queue_limit = 4096,
	patch_limit = 4096,
	memory_limit = 256,
	segment_limit = 1024,
	buffer_limit = 64,
	unknown_limit = 64,
	text_limit = 65536,
	field_limit = 1 << 20, /* of the whole header: what a hostile one costs */
	path_limit = 64
};

struct parse {
	struct arena *arena;
	struct ntff *ntff;
	struct protobuf_source *source;
	size_t text_count, field_count;
};

enum field_kind { FIELD_NUMBER, FIELD_TEXT, FIELD_MESSAGE, FIELD_PRIVATE };

/* `owner` is what the message is read into. */
typedef int enter_message(struct parse *p, void *owner, const struct protobuf_field *field,
			  const char *path, struct error *err);

struct field_row {
	uint32_t number;
	enum field_kind kind;
	size_t offset; /* of a uint64_t or const char * in the owner */
	enter_message *enter;
};

static void note_unknown(struct parse *p, const char *path, const struct protobuf_field *field)
{
	struct ntff *ntff = p->ntff;
	char full[path_limit + 16];
	snprintf(full, sizeof full, "%s%s%" PRIu32, path, path[0] ? "." : "", field->number);
	for (size_t i = 0; i < ntff->unknown_count; i++)
		if (strcmp(ntff->unknowns[i].path, full) == 0) {
			ntff->unknowns[i].count++;
			return;
		}
	if (ntff->unknown_count == unknown_limit) {
		ntff->more_unknowns = true;
		return;
	}
	ntff->unknowns = arena_grow(p->arena, ntff->unknowns, ntff->unknown_count,
				    &ntff->unknown_capacity, sizeof *ntff->unknowns);
	struct ntff_unknown *unknown = &ntff->unknowns[ntff->unknown_count++];
	*unknown = (struct ntff_unknown){
		.path = arena_strdup(p->arena, full),
		.wire = (int)field->wire,
		.count = 1,
		.value = field->value,
		.size = field->bytes.end - field->bytes.at,
	};
	struct error ignored;
	struct span bytes;
	if (field->wire == PROTOBUF_BYTES &&
	    protobuf_copy(p->arena, field, sizeof unknown->bytes, &bytes, &ignored) == 0 &&
	    bytes.len)
		memcpy(unknown->bytes, bytes.ptr, bytes.len);
}

static int too_many(struct error *err, const char *what, int limit)
{
	return error_set(err, ERR_FORMAT, "the header has more than %d %s", limit, what);
}

/* Names come from the host: what is no clean line of text is made one. */
static const char *clean_text(struct arena *arena, struct span bytes)
{
	if (utf8_is_line(bytes))
		return kept_text(arena, bytes);
	char *text = arena_strndup(arena, bytes.ptr, bytes.len);
	for (size_t i = 0; i < bytes.len; i++)
		if (text[i] < ' ' || text[i] > '~')
			text[i] = '?';
	return text;
}

static int read_text(struct parse *p, const struct protobuf_field *field, const char **text,
		     struct error *err)
{
	char bytes[name_limit];
	uint64_t len = field->bytes.end - field->bytes.at;
	size_t size = len < name_limit ? (size_t)len : name_limit;
	if (p->text_count++ == text_limit)
		return too_many(err, "texts", text_limit);
	if (random_access_read(p->source->bytes, field->bytes.at, bytes, size, err) < 0)
		return -1;
	size_t whole = utf8_valid_prefix((struct span){bytes, size});
	if (size < len && whole < size &&
	    utf8_is_cut_off((struct span){bytes + whole, size - whole}))
		size = whole;
	*text = clean_text(p->arena, (struct span){bytes, size});
	return 0;
}

static int read_field(struct parse *p, const struct field_row *row,
		      const struct protobuf_field *field, void *owner, const char *path,
		      struct error *err)
{
	char *place = (char *)owner + row->offset;
	char below[path_limit];
	switch (row->kind) {
	case FIELD_NUMBER:
		*(uint64_t *)(void *)place = field->value;
		break;
	case FIELD_TEXT:
		return read_text(p, field, (const char **)(void *)place, err);
	case FIELD_MESSAGE:
		snprintf(below, sizeof below, "%s%s%" PRIu32, path, path[0] ? "." : "",
			 field->number);
		return row->enter(p, owner, field, below, err);
	case FIELD_PRIVATE:
		break;
	}
	return 0;
}

/* Reads the fields of the table, which ends with number 0, and notes all others. */
static int walk(struct parse *p, const struct protobuf_field *message, const struct field_row *rows,
		void *owner, const char *path, struct error *err)
{
	struct protobuf rest = message->bytes;
	struct protobuf_field field;
	int more;
	while ((more = protobuf_next(&rest, &field, err)) == 1) {
		const struct field_row *row = rows;
		while (row->number && row->number != field.number)
			row++;
		if (p->field_count++ == field_limit)
			return error_set(err, ERR_FORMAT,
					 "byte %" PRIu64 ": the header has more than %d fields",
					 rest.at, field_limit);
		bool fits = row->kind == FIELD_PRIVATE ||
			    field.wire ==
				    (row->kind == FIELD_NUMBER ? PROTOBUF_VARINT : PROTOBUF_BYTES);
		if (!row->number || !fits)
			note_unknown(p, path, &field);
		else if (read_field(p, row, &field, owner, path, err) < 0)
			return -1;
	}
	return more;
}

/* --- clocks --- */

static const struct field_row clock_fields[] = {
	{1, FIELD_NUMBER, offsetof(struct ntff_clock, base), NULL},
	{2, FIELD_NUMBER, offsetof(struct ntff_clock, den), NULL},
	{3, FIELD_NUMBER, offsetof(struct ntff_clock, num), NULL},
	{0, FIELD_NUMBER, 0, NULL},
};

static int enter_clock(struct parse *p, void *owner, const struct protobuf_field *field,
		       const char *path, struct error *err)
{
	struct ntff_core *core = owner;
	/* The fields are numbered by unit: vector before GpSimd, unlike the engines. */
	static const int engine_of[] = {-1,          NTFF_TENSOR, NTFF_SCALAR,
					NTFF_VECTOR, NTFF_GPSIMD, NTFF_SYNC};
	struct ntff_clock *clock = field->number <= 5
					   ? &core->engine_clocks[engine_of[field->number]]
				   : field->number == 6 ? &core->event_clock
				   : field->number == 7 ? &core->throttle_clock
							: NULL;
	if (!clock && core->dma_clock_count == ntff_dma_engines)
		return too_many(err, "DMA clocks of a core", ntff_dma_engines);
	if (!clock)
		clock = &core->dma_clocks[core->dma_clock_count++];
	return walk(p, field, clock_fields, clock, path, err);
}

static const struct field_row clocks_fields[] = {
	{1, FIELD_MESSAGE, 0, enter_clock}, {2, FIELD_MESSAGE, 0, enter_clock},
	{3, FIELD_MESSAGE, 0, enter_clock}, {4, FIELD_MESSAGE, 0, enter_clock},
	{5, FIELD_MESSAGE, 0, enter_clock}, {6, FIELD_MESSAGE, 0, enter_clock},
	{7, FIELD_MESSAGE, 0, enter_clock}, {8, FIELD_MESSAGE, 0, enter_clock},
	{0, FIELD_NUMBER, 0, NULL},
};

static int enter_clocks(struct parse *p, void *owner, const struct protobuf_field *field,
			const char *path, struct error *err)
{
	return walk(p, field, clocks_fields, owner, path, err);
}

/* --- programs --- */

struct stream_message {
	uint64_t engine, address, offset, size;
	struct protobuf bytes;
	bool inline_bytes;
};

static int enter_stream_bytes(struct parse *p, void *owner, const struct protobuf_field *field,
			      const char *path, struct error *err)
{
	struct stream_message *stream = owner;
	(void)p, (void)path, (void)err;
	stream->bytes = field->bytes;
	stream->inline_bytes = true;
	return 0;
}

static const struct field_row stream_fields[] = {
	{1, FIELD_NUMBER, offsetof(struct stream_message, engine), NULL},
	{2, FIELD_NUMBER, offsetof(struct stream_message, address), NULL},
	{3, FIELD_MESSAGE, 0, enter_stream_bytes},
	{7, FIELD_NUMBER, offsetof(struct stream_message, offset), NULL},
	{8, FIELD_NUMBER, offsetof(struct stream_message, size), NULL},
	{0, FIELD_NUMBER, 0, NULL},
};

/* Turns an offset into the data area into one into the file. */
static int place(const struct parse *p, uint64_t offset, uint64_t size, uint64_t *at,
		 const char *what, struct error *err)
{
	const struct ntff *ntff = p->ntff;
	uint64_t room = ntff->size - ntff->data_at;
	if (offset > room || size > room - offset)
		return error_set(err, ERR_FORMAT,
				 "%s of %" PRIu64 " bytes at byte %" PRIu64
				 " of the data area, which has %" PRIu64
				 " bytes: the file is cut off or damaged",
				 what, size, offset, room);
	*at = ntff->data_at + offset;
	return 0;
}

static int enter_stream(struct parse *p, void *owner, const struct protobuf_field *field,
			const char *path, struct error *err)
{
	struct ntff_core *core = owner;
	struct stream_message message = {0};
	if (walk(p, field, stream_fields, &message, path, err) < 0)
		return -1;
	if (message.engine >= NTFF_ENGINES) {
		note_unknown(p, path, field);
		return 0;
	}
	struct ntff_stream *stream = &core->streams[message.engine];
	*stream = (struct ntff_stream){message.address, message.bytes.at,
				       message.bytes.end - message.bytes.at};
	if (message.inline_bytes)
		return 0;
	stream->size = message.size;
	return place(p, message.offset, message.size, &stream->at, "a program", err);
}

static const struct field_row patch_fields[] = {
	{1, FIELD_NUMBER, offsetof(struct ntff_patch, offset), NULL},
	{2, FIELD_NUMBER, offsetof(struct ntff_patch, count), NULL},
	{3, FIELD_NUMBER, offsetof(struct ntff_patch, kind), NULL},
	{0, FIELD_NUMBER, 0, NULL},
};

struct patches_message {
	struct ntff_core *core;
	uint64_t engine;
};

static int enter_patch(struct parse *p, void *owner, const struct protobuf_field *field,
		       const char *path, struct error *err)
{
	struct patches_message *message = owner;
	struct ntff_core *core = message->core;
	struct ntff_patch patch = {.engine = message->engine};
	if (walk(p, field, patch_fields, &patch, path, err) < 0)
		return -1;
	if (core->patch_count == patch_limit)
		return too_many(err, "patched parts of programs", patch_limit);
	core->patches = arena_grow(p->arena, core->patches, core->patch_count,
				   &core->patch_capacity, sizeof *core->patches);
	core->patches[core->patch_count++] = patch;
	return 0;
}

static const struct field_row patches_fields[] = {
	{1, FIELD_NUMBER, offsetof(struct patches_message, engine), NULL},
	{2, FIELD_MESSAGE, 0, enter_patch},
	{0, FIELD_NUMBER, 0, NULL},
};

static int enter_patches(struct parse *p, void *owner, const struct protobuf_field *field,
			 const char *path, struct error *err)
{
	struct patches_message message = {.core = owner};
	return walk(p, field, patches_fields, &message, path, err);
}

/* --- segments, queues, memory --- */

static const struct field_row segment_fields[] = {
	{1, FIELD_NUMBER, offsetof(struct ntff_segment, type), NULL},
	{3, FIELD_NUMBER, offsetof(struct ntff_segment, subtype), NULL},
	{4, FIELD_NUMBER, offsetof(struct ntff_segment, index), NULL},
	{5, FIELD_NUMBER, offsetof(struct ntff_segment, at), NULL},
	{6, FIELD_NUMBER, offsetof(struct ntff_segment, size), NULL},
	{7, FIELD_NUMBER, offsetof(struct ntff_segment, nc), NULL},
	{0, FIELD_NUMBER, 0, NULL},
};

static int read_segment(struct parse *p, const struct protobuf_field *field, const char *path,
			struct ntff_segment **list, size_t *count, size_t *capacity,
			struct error *err)
{
	struct ntff_segment segment = {0};
	if (walk(p, field, segment_fields, &segment, path, err) < 0 ||
	    place(p, segment.at, segment.size, &segment.at, "a trace", err) < 0)
		return -1;
	if (segment.size % ntff_record_size != 0)
		return error_set(err, ERR_FORMAT,
				 "the trace at byte %" PRIu64 " has %" PRIu64
				 " bytes, no whole number of records of %d",
				 segment.at, segment.size, (int)ntff_record_size);
	if (*count == segment_limit)
		return too_many(err, "traces", segment_limit);
	*list = arena_grow(p->arena, *list, *count, capacity, sizeof **list);
	(*list)[(*count)++] = segment;
	return 0;
}

static int enter_core_segment(struct parse *p, void *owner, const struct protobuf_field *field,
			      const char *path, struct error *err)
{
	struct ntff_core *core = owner;
	return read_segment(p, field, path, &core->segments, &core->segment_count,
			    &core->segment_capacity, err);
}

static int enter_segment(struct parse *p, void *owner, const struct protobuf_field *field,
			 const char *path, struct error *err)
{
	struct ntff *ntff = owner;
	return read_segment(p, field, path, &ntff->strays, &ntff->stray_count,
			    &ntff->stray_capacity, err);
}

static const struct field_row queue_fields[] = {
	{1, FIELD_NUMBER, offsetof(struct ntff_queue, engine), NULL},
	{2, FIELD_NUMBER, offsetof(struct ntff_queue, ring), NULL},
	{3, FIELD_NUMBER, offsetof(struct ntff_queue, type), NULL},
	{4, FIELD_TEXT, offsetof(struct ntff_queue, name), NULL},
	{5, FIELD_NUMBER, offsetof(struct ntff_queue, event), NULL},
	{6, FIELD_NUMBER, offsetof(struct ntff_queue, axi_port), NULL},
	{7, FIELD_NUMBER, offsetof(struct ntff_queue, dram_channel), NULL},
	{0, FIELD_NUMBER, 0, NULL},
};

static int enter_queue(struct parse *p, void *owner, const struct protobuf_field *field,
		       const char *path, struct error *err)
{
	struct ntff_core *core = owner;
	struct ntff_queue queue = {.name = ""};
	if (core->queue_count == queue_limit)
		return too_many(err, "DMA queues of a core", queue_limit);
	if (walk(p, field, queue_fields, &queue, path, err) < 0)
		return -1;
	core->queues = arena_grow(p->arena, core->queues, core->queue_count, &core->queue_capacity,
				  sizeof *core->queues);
	core->queues[core->queue_count++] = queue;
	return 0;
}

static const struct field_row memory_fields[] = {
	{2, FIELD_NUMBER, offsetof(struct ntff_memory, bytes), NULL},
	{3, FIELD_TEXT, offsetof(struct ntff_memory, name), NULL},
	{0, FIELD_NUMBER, 0, NULL},
};

static int enter_memory(struct parse *p, void *owner, const struct protobuf_field *field,
			const char *path, struct error *err)
{
	struct ntff_core *core = owner;
	struct ntff_memory memory = {0};
	if (core->memory_count == memory_limit)
		return too_many(err, "kinds of memory", memory_limit);
	if (walk(p, field, memory_fields, &memory, path, err) < 0)
		return -1;
	core->memory = arena_grow(p->arena, core->memory, core->memory_count,
				  &core->memory_capacity, sizeof *core->memory);
	core->memory[core->memory_count++] = memory;
	return 0;
}

/* --- cores --- */

static const struct field_row core_fields[] = {
	{1, FIELD_TEXT, offsetof(struct ntff_core, name), NULL},
	{3, FIELD_NUMBER, offsetof(struct ntff_core, nc), NULL},
	{4, FIELD_MESSAGE, 0, enter_stream},
	{5, FIELD_MESSAGE, 0, enter_patches},
	{6, FIELD_MESSAGE, 0, enter_core_segment},
	{7, FIELD_MESSAGE, 0, enter_queue},
	{10, FIELD_MESSAGE, 0, enter_clocks},
	{11, FIELD_MESSAGE, 0, enter_memory},
	{14, FIELD_NUMBER, offsetof(struct ntff_core, duration), NULL},
	{0, FIELD_NUMBER, 0, NULL},
};

static int enter_core(struct parse *p, void *owner, const struct protobuf_field *field,
		      const char *path, struct error *err)
{
	struct ntff *ntff = owner;
	struct ntff_core core = {.name = ""};
	if (ntff->core_count == ntff_core_limit)
		return too_many(err, "cores", ntff_core_limit);
	if (walk(p, field, core_fields, &core, path, err) < 0)
		return -1;
	ntff->cores = arena_grow(p->arena, ntff->cores, ntff->core_count, &ntff->core_capacity,
				 sizeof *ntff->cores);
	ntff->cores[ntff->core_count++] = core;
	return 0;
}

static const struct field_row subgraphs_fields[] = {
	{1, FIELD_MESSAGE, 0, enter_core},
	{0, FIELD_NUMBER, 0, NULL},
};

static int enter_subgraphs(struct parse *p, void *owner, const struct protobuf_field *field,
			   const char *path, struct error *err)
{
	return walk(p, field, subgraphs_fields, owner, path, err);
}

/* --- the NEFF, versions, the window --- */

static int enter_uuid(struct parse *p, void *owner, const struct protobuf_field *field,
		      const char *path, struct error *err)
{
	struct ntff *ntff = owner;
	uint64_t len = field->bytes.end - field->bytes.at;
	size_t size = len < uuid_size ? (size_t)len : uuid_size;
	(void)path;
	if (size < ntff->uuid_size)
		return 0;
	ntff->uuid_size = size;
	return random_access_read(p->source->bytes, field->bytes.at, ntff->uuid, size, err);
}

static const struct field_row node_fields[] = {
	{4, FIELD_MESSAGE, 0, enter_subgraphs},
	{5, FIELD_MESSAGE, 0, enter_uuid},
	{0, FIELD_NUMBER, 0, NULL},
};

static int enter_node(struct parse *p, void *owner, const struct protobuf_field *field,
		      const char *path, struct error *err)
{
	return walk(p, field, node_fields, owner, path, err);
}

static const struct field_row version_fields[] = {
	{1, FIELD_NUMBER, offsetof(struct ntff_version, major), NULL},
	{2, FIELD_NUMBER, offsetof(struct ntff_version, minor), NULL},
	{3, FIELD_NUMBER, offsetof(struct ntff_version, patch), NULL},
	{5, FIELD_TEXT, offsetof(struct ntff_version, hash), NULL},
	{0, FIELD_NUMBER, 0, NULL},
};

static int enter_version(struct parse *p, void *owner, const struct protobuf_field *field,
			 const char *path, struct error *err)
{
	struct ntff *ntff = owner;
	struct ntff_version *version = field->number == 8    ? &ntff->runtime
				       : field->number == 11 ? &ntff->driver
							     : &ntff->collectives;
	*version = (struct ntff_version){.hash = "", .known = true};
	return walk(p, field, version_fields, version, path, err);
}

static const struct field_row buffer_fields[] = {
	{1, FIELD_NUMBER, offsetof(struct ntff_buffer, group), NULL},
	{2, FIELD_NUMBER, offsetof(struct ntff_buffer, type), NULL},
	{3, FIELD_NUMBER, offsetof(struct ntff_buffer, bytes), NULL},
	{0, FIELD_NUMBER, 0, NULL},
};

static int enter_buffer(struct parse *p, void *owner, const struct protobuf_field *field,
			const char *path, struct error *err)
{
	struct ntff *ntff = owner;
	struct ntff_buffer buffer = {0};
	if (ntff->buffer_count == buffer_limit)
		return too_many(err, "notification buffers", buffer_limit);
	if (walk(p, field, buffer_fields, &buffer, path, err) < 0)
		return -1;
	ntff->buffers = arena_grow(p->arena, ntff->buffers, ntff->buffer_count,
				   &ntff->buffer_capacity, sizeof *ntff->buffers);
	ntff->buffers[ntff->buffer_count++] = buffer;
	return 0;
}

static const struct field_row window_fields[] = {
	{1, FIELD_MESSAGE, 0, enter_uuid},
	{2, FIELD_NUMBER, offsetof(struct ntff, window_start), NULL},
	{3, FIELD_NUMBER, offsetof(struct ntff, window_end), NULL},
	{0, FIELD_NUMBER, 0, NULL},
};

static int enter_window(struct parse *p, void *owner, const struct protobuf_field *field,
			const char *path, struct error *err)
{
	struct ntff *ntff = owner;
	ntff->has_window = true;
	return walk(p, field, window_fields, owner, path, err);
}

static const struct field_row header_fields[] = {
	{1, FIELD_TEXT, offsetof(struct ntff, neff_name), NULL},
	{2, FIELD_MESSAGE, 0, enter_uuid},
	{4, FIELD_MESSAGE, 0, enter_node},
	{5, FIELD_NUMBER, offsetof(struct ntff, physical_cores), NULL},
	{7, FIELD_NUMBER, offsetof(struct ntff, capture_time), NULL},
	{8, FIELD_MESSAGE, 0, enter_version},
	{9, FIELD_TEXT, offsetof(struct ntff, instance_type), NULL},
	{11, FIELD_MESSAGE, 0, enter_version},
	{12, FIELD_MESSAGE, 0, enter_version},
	{13, FIELD_MESSAGE, 0, enter_buffer},
	{15, FIELD_MESSAGE, 0, enter_window},
	{16, FIELD_MESSAGE, 0, enter_segment},
	{17, FIELD_PRIVATE, 0, NULL}, /* the instance's id */
	{18, FIELD_PRIVATE, 0, NULL}, /* a process id */
	{0, FIELD_NUMBER, 0, NULL},
};

/* --- all of it --- */

static uint64_t u64_at(const unsigned char *bytes)
{
	uint64_t number = 0;
	for (size_t i = 8; i-- > 0;)
		number = number << 8 | bytes[i];
	return number;
}

/* A version byte, the size of the header, and its first field: the NEFF's name. */
bool ntff_detect(struct span head)
{
	const unsigned char *bytes = (const unsigned char *)head.ptr;
	return head.len > ntff_header_at && bytes[0] >= 3 && bytes[0] < 16 &&
	       u64_at(bytes + 1) < (uint64_t)1 << 40 && bytes[ntff_header_at] == 0x0a;
}

bool ntff_is_known_version(int version)
{
	return version >= 4 && version <= 6;
}

/* Since version 6 the traces of all cores are listed together. */
static void hand_out_segments(struct arena *arena, struct ntff *ntff)
{
	size_t left = 0;
	for (size_t i = 0; i < ntff->stray_count; i++) {
		struct ntff_segment *segment = &ntff->strays[i];
		size_t at = 0;
		while (at < ntff->core_count && ntff->cores[at].nc != segment->nc)
			at++;
		if (at == ntff->core_count) {
			ntff->strays[left++] = *segment;
			continue;
		}
		struct ntff_core *core = &ntff->cores[at];
		core->segments = arena_grow(arena, core->segments, core->segment_count,
					    &core->segment_capacity, sizeof *core->segments);
		core->segments[core->segment_count++] = *segment;
	}
	ntff->stray_count = left;
}

/* Every byte belongs to one trace at most: a small file cannot make much work. */
static int check_segments(const struct ntff *ntff, struct error *err)
{
	uint64_t room = ntff->size - ntff->data_at;
	for (size_t i = 0; i < ntff->core_count; i++)
		for (size_t k = 0; k < ntff->cores[i].segment_count; k++) {
			uint64_t size = ntff->cores[i].segments[k].size;
			if (size > room)
				return error_set(
					err, ERR_FORMAT,
					"the traces overlap: together they are larger than "
					"the file");
			room -= size;
		}
	return 0;
}

int ntff_read_header(struct arena *arena, struct random_access *bytes, struct ntff *ntff,
		     struct error *err)
{
	unsigned char fixed[9];
	struct ntff out = {.size = random_access_size(bytes)};
	struct protobuf_source source = {.bytes = bytes};
	struct parse p = {arena, &out, &source, 0, 0};
	if (random_access_read(bytes, 0, fixed, sizeof fixed, err) < 0)
		return -1;
	out.version = fixed[0];
	out.header_size = u64_at(fixed + 1);
	if (out.size < ntff_header_at || out.header_size > out.size - ntff_header_at)
		return error_set(err, ERR_FORMAT,
				 "the trace is cut off: its header has %" PRIu64
				 " bytes from byte %d on, the file has %" PRIu64,
				 out.header_size, (int)ntff_header_at, out.size);
	out.data_at = ntff_header_at + out.header_size;
	struct protobuf_field header = {.bytes = {&source, ntff_header_at, out.data_at}};
	if (walk(&p, &header, header_fields, &out, "", err) < 0)
		return error_prefix(err, "header");
	hand_out_segments(arena, &out);
	if (check_segments(&out, err) < 0)
		return error_prefix(err, "header");
	*ntff = out;
	return 0;
}
