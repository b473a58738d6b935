/* Reads pages and unpacks them. */
#include "ingest/container/parquet/page.h"

#include "ingest/container/parquet/codec.h"
#include "ingest/container/parquet/thrift.h"

enum {
	head_size = 4096,       /* bytes that nearly every head fits in */
	head_limit = 1 << 20,   /* with statistics, whose texts may be long */
	page_limit = 128 << 20, /* bytes of a page */
	page_value_limit = 1 << 24
};

struct head {
	int64_t kind, size, packed_size;
	int64_t values, encoding, levels;
	int64_t definition_size, repetition_size;
	bool is_packed, has_body;
};

/* Fields of a data page, of a dictionary, and of a data page of version 2. */
static void read_body(struct thrift *thrift, struct head *head, int kind)
{
	enum { DATA = 5, DICTIONARY = 7, DATA_2 = 8 };
	enum thrift_type type;
	int64_t ignored = 0, packed = 1;
	head->has_body = true;
	for (int id = 0; (type = thrift_field(thrift, &id)) != THRIFT_STOP;) {
		int64_t *const data[8] = {
			[1] = &head->values, [2] = &head->encoding, [3] = &head->levels};
		int64_t *const data_2[8] = {[1] = &head->values,
					    [4] = &head->encoding,
					    [5] = &head->definition_size,
					    [6] = &head->repetition_size,
					    [7] = &packed};
		int64_t *const dictionary[8] = {
			[1] = &head->values, [2] = &head->encoding, [3] = &ignored};
		int64_t *const *numbers = kind == DATA     ? data
					  : kind == DATA_2 ? data_2
							   : dictionary;
		if (id > 0 && id < 8 && numbers[id])
			*numbers[id] = thrift_integer(thrift, type);
		else
			thrift_skip(thrift, type);
	}
	head->is_packed = packed;
}

static void read_head(struct thrift *thrift, struct head *head)
{
	enum thrift_type type;
	*head = (struct head){.kind = -1, .is_packed = true};
	for (int id = 0; (type = thrift_field(thrift, &id)) != THRIFT_STOP;) {
		int64_t *const numbers[4] = {
			[1] = &head->kind, [2] = &head->size, [3] = &head->packed_size};
		if (id > 0 && id < 4)
			*numbers[id] = thrift_integer(thrift, type);
		else if ((id == 5 || id == 7 || id == 8) && thrift_struct(thrift, type))
			read_body(thrift, head, id);
		else
			thrift_skip(thrift, type);
	}
}

/* NULL, or why a head cannot be true. */
static const char *check_head(const struct head *head, uint64_t left)
{
	if (head->kind < PARQUET_DATA || head->kind > PARQUET_DATA_2 ||
	    (head->kind != PARQUET_INDEX && !head->has_body))
		return "a page of an unknown kind";
	if (head->packed_size < 0 || (uint64_t)head->packed_size > left)
		return "a page that is longer than its column";
	/* What cannot be compressed becomes a little longer. */
	if (head->size < 0 || head->size > page_limit ||
	    head->packed_size > page_limit + page_limit / 8)
		return "a page of more than 128 MiB";
	if (head->values < 0 || head->values > page_value_limit)
		return "a page of more than 16,777,216 values";
	if (head->definition_size < 0 || head->repetition_size < 0 ||
	    head->definition_size > head->size ||
	    head->repetition_size > head->size - head->definition_size ||
	    head->definition_size + head->repetition_size > head->packed_size)
		return "levels that are longer than their page";
	return NULL;
}

static char *make_room(char **buffer, size_t *size, size_t wanted)
{
	if (!*buffer || *size < wanted) {
		free(*buffer);
		*size = wanted + wanted / 4 + 1;
		*buffer = memory_buffer(*size);
	}
	return *buffer;
}

/* Reads the head of a page, in which statistics may be long; *size is its size. */
static int read_head_at(struct random_access *bytes, uint64_t at, uint64_t left,
			struct parquet_room *room, struct head *head, size_t *size,
			struct error *err)
{
	size_t want = head_size;
	for (;;) {
		want = want < left ? want : (size_t)left;
		char *text = make_room(&room->packed, &room->packed_size, want);
		if (random_access_read(bytes, at, text, want, err) < 0)
			return -1;
		struct thrift thrift = {.rest = {text, want}};
		read_head(&thrift, head);
		*size = want - thrift.rest.len;
		if (!thrift.damaged)
			return 0;
		if (want == left || want >= head_limit)
			return error_set(err, ERR_FORMAT, "a damaged head of a page");
		want *= 16;
	}
}

static int unpack(const struct head *head, int codec, struct parquet_room *room, struct error *err)
{
	size_t levels = (size_t)(head->definition_size + head->repetition_size);
	struct span packed = {room->packed + levels, (size_t)head->packed_size - levels};
	char *bytes = make_room(&room->bytes, &room->bytes_size, (size_t)head->size + 1);
	memcpy(bytes, room->packed, levels);
	return parquet_unpack(head->is_packed ? codec : PARQUET_UNCOMPRESSED, packed,
			      bytes + levels, (size_t)head->size - levels, err);
}

int parquet_page_read(struct random_access *bytes, const struct parquet_chunk *chunk, uint64_t *at,
		      struct parquet_room *room, struct parquet_page *page, struct error *err)
{
	struct head head;
	size_t size;
	uint64_t begin = *at;
	int rc = read_head_at(bytes, begin, chunk->end - begin, room, &head, &size, err);
	const char *fault = rc < 0 ? NULL : check_head(&head, chunk->end - begin - size);
	if (fault)
		rc = error_set(err, ERR_FORMAT, "%s", fault);
	if (rc == 0) {
		make_room(&room->packed, &room->packed_size, (size_t)head.packed_size);
		rc = random_access_read(bytes, begin + size, room->packed, (size_t)head.packed_size,
					err);
	}
	if (rc == 0 && head.kind != PARQUET_INDEX)
		rc = unpack(&head, chunk->codec, room, err);
	if (rc < 0)
		return error_prefix(err, "byte %" PRIu64, begin);
	*at = begin + size + (uint64_t)head.packed_size;
	*page = (struct parquet_page){
		.kind = (enum parquet_page_kind)head.kind,
		.values = (uint64_t)head.values,
		.encoding = (enum parquet_encoding)head.encoding,
		.definition_size = (uint32_t)head.definition_size,
		.repetition_size = (uint32_t)head.repetition_size,
		.levels = (enum parquet_encoding)head.levels,
		.bytes = {room->bytes, head.kind == PARQUET_INDEX ? 0 : (size_t)head.size},
	};
	return 0;
}

void parquet_room_free(struct parquet_room *room)
{
	free(room->packed);
	free(room->bytes);
}
