/* The header of an NTFF, except for the parts that describe a core. */
#include "ingest/ntff/header/header.h"

#include "ingest/ntff/header/fields.h"

enum { uuid_size = 16, buffer_limit = 64 };

static const struct ntff_field_row subgraphs_fields[] = {
	{1, NTFF_MESSAGE, 0, ntff_header_enter_core},
	{0, NTFF_NUMBER, 0, NULL},
};

static int enter_subgraphs(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
			   const char *path, struct error *err)
{
	return ntff_header_walk(p, field, subgraphs_fields, owner, path, err);
}

/* --- the NEFF, versions, the window --- */

static int enter_uuid(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
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

static const struct ntff_field_row node_fields[] = {
	{4, NTFF_MESSAGE, 0, enter_subgraphs},
	{5, NTFF_MESSAGE, 0, enter_uuid},
	{0, NTFF_NUMBER, 0, NULL},
};

static int enter_node(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
		      const char *path, struct error *err)
{
	return ntff_header_walk(p, field, node_fields, owner, path, err);
}

static const struct ntff_field_row version_fields[] = {
	{1, NTFF_NUMBER, offsetof(struct ntff_version, major), NULL},
	{2, NTFF_NUMBER, offsetof(struct ntff_version, minor), NULL},
	{3, NTFF_NUMBER, offsetof(struct ntff_version, patch), NULL},
	{5, NTFF_TEXT, offsetof(struct ntff_version, hash), NULL},
	{0, NTFF_NUMBER, 0, NULL},
};

static int enter_version(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
			 const char *path, struct error *err)
{
	struct ntff *ntff = owner;
	struct ntff_version *version = field->number == 8    ? &ntff->runtime
				       : field->number == 11 ? &ntff->driver
							     : &ntff->collectives;
	*version = (struct ntff_version){.hash = "", .known = true};
	return ntff_header_walk(p, field, version_fields, version, path, err);
}

static const struct ntff_field_row buffer_fields[] = {
	{1, NTFF_NUMBER, offsetof(struct ntff_buffer, group), NULL},
	{2, NTFF_NUMBER, offsetof(struct ntff_buffer, type), NULL},
	{3, NTFF_NUMBER, offsetof(struct ntff_buffer, bytes), NULL},
	{0, NTFF_NUMBER, 0, NULL},
};

static int enter_buffer(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
			const char *path, struct error *err)
{
	struct ntff *ntff = owner;
	struct ntff_buffer buffer = {0};
	if (ntff->buffer_count == buffer_limit)
		return ntff_header_too_many(err, "notification buffers", buffer_limit);
	if (ntff_header_walk(p, field, buffer_fields, &buffer, path, err) < 0)
		return -1;
	ntff->buffers = arena_grow(p->arena, ntff->buffers, ntff->buffer_count,
				   &ntff->buffer_capacity, sizeof *ntff->buffers);
	ntff->buffers[ntff->buffer_count++] = buffer;
	return 0;
}

static int enter_segment(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
			 const char *path, struct error *err)
{
	struct ntff *ntff = owner;
	struct ntff_segment segment;
	if (ntff_header_read_segment(p, field, path, &segment, err) < 0)
		return -1;
	if (ntff->stray_count == ntff_segment_limit)
		return ntff_header_too_many(err, "traces", ntff_segment_limit);
	ntff->strays = arena_grow(p->arena, ntff->strays, ntff->stray_count, &ntff->stray_capacity,
				  sizeof *ntff->strays);
	ntff->strays[ntff->stray_count++] = segment;
	return 0;
}

static const struct ntff_field_row window_fields[] = {
	{1, NTFF_MESSAGE, 0, enter_uuid},
	{2, NTFF_NUMBER, offsetof(struct ntff, window_start), NULL},
	{3, NTFF_NUMBER, offsetof(struct ntff, window_end), NULL},
	{0, NTFF_NUMBER, 0, NULL},
};

static int enter_window(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
			const char *path, struct error *err)
{
	struct ntff *ntff = owner;
	ntff->has_window = true;
	return ntff_header_walk(p, field, window_fields, owner, path, err);
}

static const struct ntff_field_row header_fields[] = {
	{1, NTFF_TEXT, offsetof(struct ntff, neff_name), NULL},
	{2, NTFF_MESSAGE, 0, enter_uuid},
	{4, NTFF_MESSAGE, 0, enter_node},
	{5, NTFF_NUMBER, offsetof(struct ntff, physical_cores), NULL},
	{7, NTFF_NUMBER, offsetof(struct ntff, capture_time), NULL},
	{8, NTFF_MESSAGE, 0, enter_version},
	{9, NTFF_TEXT, offsetof(struct ntff, instance_type), NULL},
	{11, NTFF_MESSAGE, 0, enter_version},
	{12, NTFF_MESSAGE, 0, enter_version},
	{13, NTFF_MESSAGE, 0, enter_buffer},
	{15, NTFF_MESSAGE, 0, enter_window},
	{16, NTFF_MESSAGE, 0, enter_segment},
	{17, NTFF_PRIVATE, 0, NULL}, /* the instance's id */
	{18, NTFF_PRIVATE, 0, NULL}, /* a process id */
	{0, NTFF_NUMBER, 0, NULL},
};

/* --- all of it --- */

static uint64_t u64_at(const unsigned char *bytes)
{
	uint64_t number = 0;
	for (size_t i = 8; i-- > 0;)
		number = number << 8 | bytes[i];
	return number;
}

/* The file begins with a version byte and the size of the header, whose first field is the NEFF's
 * name. */
bool ntff_header_detect(struct span head)
{
	const unsigned char *bytes = (const unsigned char *)head.ptr;
	return head.len > ntff_header_at && bytes[0] >= 3 && bytes[0] < 16 &&
	       u64_at(bytes + 1) < (uint64_t)1 << 40 && bytes[ntff_header_at] == 0x0a;
}

bool ntff_header_is_known_version(int version)
{
	return version >= 4 && version <= 6;
}

/* Since version 6 the traces of all cores are in one list: assigns each to its core. */
static void assign_segments(struct arena *arena, struct ntff *ntff)
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

static int by_place(const void *a, const void *b)
{
	const struct ntff_segment *x = *(const struct ntff_segment *const *)a;
	const struct ntff_segment *y = *(const struct ntff_segment *const *)b;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* Lists the traces that contain records; returns their number. */
static size_t list_segments(const struct ntff *ntff, const struct ntff_segment **list)
{
	size_t count = 0;
	for (size_t i = 0; i < ntff->core_count; i++)
		for (size_t k = 0; k < ntff->cores[i].segment_count; k++)
			if (ntff->cores[i].segments[k].size)
				list[count++] = &ntff->cores[i].segments[k];
	for (size_t i = 0; i < ntff->stray_count; i++)
		if (ntff->strays[i].size)
			list[count++] = &ntff->strays[i];
	return count;
}

/* Each byte may belong to one trace only. This bounds the work that a small file can cause. */
static int check_segments(struct arena *arena, const struct ntff *ntff, struct error *err)
{
	size_t capacity = ntff->stray_count;
	for (size_t i = 0; i < ntff->core_count; i++)
		capacity += ntff->cores[i].segment_count;
	const struct ntff_segment **list = arena_array(arena, capacity, sizeof *list);
	size_t count = list_segments(ntff, list);
	if (count)
		qsort(list, count, sizeof *list, by_place);
	for (size_t i = 1; i < count; i++)
		if (list[i]->at - list[i - 1]->at < list[i - 1]->size)
			return error_set(err, ERR_FORMAT,
					 "the traces at bytes %" PRIu64 " and %" PRIu64
					 " overlap: the header is damaged: " NTFF_AGAIN,
					 list[i - 1]->at, list[i]->at);
	return 0;
}

int ntff_header_read(struct arena *arena, struct random_access *bytes, struct ntff *ntff,
		     struct error *err)
{
	unsigned char fixed[9];
	struct ntff out = {.size = random_access_size(bytes)};
	struct protobuf_source source = {.bytes = bytes};
	struct ntff_parse p = {arena, &out, &source, 0, 0};
	if (random_access_read(bytes, 0, fixed, sizeof fixed, err) < 0)
		return -1;
	out.version = fixed[0];
	out.header_size = u64_at(fixed + 1);
	if (out.size < ntff_header_at || out.header_size > out.size - ntff_header_at)
		return error_set(err, ERR_FORMAT,
				 "the file is cut off: its header has %" PRIu64
				 " bytes from byte %d on, and the file ends at byte %" PRIu64
				 ": " NTFF_AGAIN,
				 out.header_size, (int)ntff_header_at, out.size);
	out.data_at = ntff_header_at + out.header_size;
	struct protobuf_field header = {.bytes = {&source, ntff_header_at, out.data_at}};
	if (ntff_header_walk(&p, &header, header_fields, &out, "", err) < 0)
		return error_prefix(err, "header");
	assign_segments(arena, &out);
	if (check_segments(arena, &out, err) < 0)
		return error_prefix(err, "header");
	*ntff = out;
	return 0;
}
