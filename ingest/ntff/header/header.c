/* The header of an NTFF, except for the parts that describe a core. */
#include "ingest/ntff/header/header.h"

#include "base/text/text.h"
#include "ingest/ntff/header/fields.h"

/* Versions before 6 cut the UUID off at a zero byte; the longest one of the header is kept. */
static int enter_uuid(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
		      const char *path, struct error *err)
{
	struct ntff *ntff = owner;
	uint64_t len = field->bytes.end - field->bytes.at;
	size_t size = len < sizeof ntff->uuid ? (size_t)len : sizeof ntff->uuid;
	(void)path;
	if (size < ntff->uuid_size)
		return 0;
	ntff->uuid_size = size;
	return random_access_read(p->source->bytes, field->bytes.at, ntff->uuid, size, err);
}

static const struct ntff_field_row subgraphs_fields[] = {
	NTFF_ITEMS(1, struct ntff, cores, core, .fields = ntff_header_core_fields,
		   .limit = ntff_core_limit, .what = "cores"),
	{.number = 0},
};

static const struct ntff_field_row node_fields[] = {
	{4, NTFF_MESSAGE, .fields = subgraphs_fields},
	{5, NTFF_MESSAGE, .enter = enter_uuid},
	{.number = 0},
};

static const struct ntff_field_row version_fields[] = {
	{1, NTFF_NUMBER, .offset = offsetof(struct ntff_version, major)},
	{2, NTFF_NUMBER, .offset = offsetof(struct ntff_version, minor)},
	{3, NTFF_NUMBER, .offset = offsetof(struct ntff_version, patch)},
	{5, NTFF_NAME, .offset = offsetof(struct ntff_version, hash)},
	{.number = 0},
};

static const struct ntff_field_row buffer_fields[] = {
	{1, NTFF_NUMBER, .offset = offsetof(struct ntff_buffer, group)},
	{2, NTFF_NUMBER, .offset = offsetof(struct ntff_buffer, type)},
	{3, NTFF_NUMBER, .offset = offsetof(struct ntff_buffer, bytes)},
	{.number = 0},
};

static const struct ntff_field_row window_fields[] = {
	{1, NTFF_MESSAGE, .enter = enter_uuid},
	{2, NTFF_NUMBER, .offset = offsetof(struct ntff, window_start)},
	{3, NTFF_NUMBER, .offset = offsetof(struct ntff, window_end)},
	{.number = 0},
};

static int enter_window(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
			const char *path, struct error *err)
{
	struct ntff *ntff = owner;
	ntff->has_window = true;
	return ntff_header_walk(p, field, window_fields, owner, path, err);
}

static const struct ntff_field_row header_fields[] = {
	{1, NTFF_TEXT, .offset = offsetof(struct ntff, neff_name)},
	{2, NTFF_MESSAGE, .enter = enter_uuid},
	{4, NTFF_MESSAGE, .fields = node_fields},
	{5, NTFF_NUMBER, .offset = offsetof(struct ntff, physical_cores)},
	{7, NTFF_NUMBER, .offset = offsetof(struct ntff, capture_time)},
	NTFF_STRUCT(8, struct ntff, runtime, version_fields),
	{9, NTFF_TEXT, .offset = offsetof(struct ntff, instance_type)},
	NTFF_STRUCT(11, struct ntff, driver, version_fields),
	NTFF_STRUCT(12, struct ntff, collectives, version_fields),
	NTFF_ITEMS(13, struct ntff, buffers, buffer, .fields = buffer_fields, .limit = 64,
		   .what = "notification buffers"),
	{15, NTFF_MESSAGE, .enter = enter_window},
	NTFF_ITEMS(16, struct ntff, strays, stray, .fields = ntff_header_segment_fields,
		   .limit = ntff_segment_limit, .what = "traces",
		   .check = ntff_header_check_segment),
	{17, NTFF_PRIVATE, .offset = 0}, /* the instance's id */
	{18, NTFF_PRIVATE, .offset = 0}, /* a process id */
	{.number = 0},
};

/* --- all of it --- */

/* The file begins with a version byte and the size of the header, whose first field is the NEFF's
 * name. */
bool ntff_header_detect(struct span head)
{
	return head.len > ntff_header_at && head.ptr[0] >= 3 && head.ptr[0] < 16 &&
	       word_at(head.ptr + 1) < (uint64_t)1 << 40 && head.ptr[ntff_header_at] == 0x0a;
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
		*arena_next(arena, core->segments, core->segment_count, core->segment_capacity) =
			*segment;
	}
	ntff->stray_count = left;
}

static int by_position(const void *a, const void *b)
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
	array_sort(list, count, sizeof *list, by_position);
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
	char fixed[9];
	struct ntff out = {.size = random_access_size(bytes)};
	struct protobuf_source source = {.bytes = bytes};
	struct ntff_parse p = {arena, &out, &source, 0, 0};
	if (random_access_read(bytes, 0, fixed, sizeof fixed, err) < 0)
		return -1;
	out.version = (unsigned char)fixed[0];
	out.header_size = word_at(fixed + 1);
	if (out.size < ntff_header_at || out.header_size > out.size - ntff_header_at)
		return error_set(err, ERR_FORMAT,
				 "truncated file: its header has %" PRIu64
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
