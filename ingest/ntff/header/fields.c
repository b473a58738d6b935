/* Walks over the messages of an NTFF's header, driven by tables of their fields. */
#include "ingest/ntff/header/fields.h"

#include "base/text/text.h"
#include "ingest/collect/collect.h"

/* Many times what real files have; a file beyond these limits is refused. */
enum {
	name_limit = 4096,     /* bytes of a name */
	text_limit = 8 << 20,  /* bytes of all names together */
	field_limit = 1 << 22, /* fields of the whole header: bounds the cost of a hostile one */
	unknown_limit = 64,
	path_limit = 64
};

int ntff_header_too_many(struct error *err, const char *what, size_t limit)
{
	return error_set(err, ERR_FORMAT, "more than %zu %s: the header is damaged: " NTFF_AGAIN,
			 limit, what);
}

void ntff_header_note_unknown(struct ntff_parse *p, const char *path,
			      const struct protobuf_field *field)
{
	struct ntff *ntff = p->ntff;
	for (size_t i = 0; i < ntff->unknown_count; i++)
		if (strcmp(ntff->unknowns[i].path, path) == 0) {
			ntff->unknowns[i].count++;
			return;
		}
	if (ntff->unknown_count == unknown_limit) {
		ntff->more_unknowns = true;
		return;
	}
	struct ntff_unknown unknown = {
		.path = arena_strdup(p->arena, path),
		.wire = (int)field->wire,
		.count = 1,
		.value = field->value,
		.size = field->bytes.end - field->bytes.at,
	};
	struct error ignored;
	size_t shown = sizeof unknown.bytes < unknown.size ? sizeof unknown.bytes : unknown.size;
	random_access_read(p->source->bytes, field->bytes.at, unknown.bytes, shown, &ignored);
	*arena_next(p->arena, ntff->unknowns, ntff->unknown_count, ntff->unknown_capacity) =
		unknown;
}

/* Names come from the host and may be anything: they are made one line of valid UTF-8. */
static const char *clean_text(struct arena *arena, struct span bytes)
{
	if (utf8_is_line(bytes))
		return bounded_text_of(arena, bytes);
	char *text = arena_strndup(arena, bytes.ptr, bytes.len);
	for (size_t i = 0; i < bytes.len; i++)
		if (text[i] < ' ' || text[i] > '~')
			text[i] = '?';
	return text;
}

static int read_text(struct ntff_parse *p, const struct protobuf_field *field, const char **text,
		     struct error *err)
{
	char bytes[name_limit];
	uint64_t len = field->bytes.end - field->bytes.at;
	size_t size = len < name_limit ? (size_t)len : name_limit;
	p->text_bytes += size + 1;
	if (p->text_bytes > text_limit)
		return ntff_header_too_many(err, "bytes of names", text_limit);
	if (random_access_read(p->source->bytes, field->bytes.at, bytes, size, err) < 0)
		return -1;
	size_t whole = utf8_valid_prefix((struct span){bytes, size});
	if (size < len && whole < size &&
	    utf8_is_cut_off((struct span){bytes + whole, size - whole}))
		size = whole;
	*text = clean_text(p->arena, (struct span){bytes, size});
	return 0;
}

/* The member of a struct at this offset; the caller knows its type. */
static void *member_at(void *owner, size_t offset)
{
	return (char *)owner + offset;
}

static int read_item(struct ntff_parse *p, const struct ntff_field_row *row,
		     const struct protobuf_field *field, void *owner, const char *path,
		     struct error *err)
{
	char **items = member_at(owner, row->offset);
	size_t *count = member_at(owner, row->count);
	if (*count == row->limit)
		return ntff_header_too_many(err, row->what, row->limit);
	*items = arena_grow(p->arena, *items, *count, member_at(owner, row->capacity), row->size);
	/* Fields of the item append to lists of the item only, so `item` stays valid. */
	void *item = *items + row->size * (*count)++;
	memset(item, 0, row->size);
	if (ntff_header_walk(p, field, row->fields, item, path, err) < 0)
		return -1;
	return row->check ? row->check(p, item, err) : 0;
}

static int read_field(struct ntff_parse *p, const struct ntff_field_row *row,
		      const struct protobuf_field *field, void *owner, const char *path,
		      struct error *err)
{
	void *destination = member_at(owner, row->offset);
	switch (row->kind) {
	case NTFF_NUMBER:
		*(uint64_t *)destination = field->value;
		break;
	case NTFF_TEXT:
	case NTFF_NAME:
		return read_text(p, field, destination, err);
	case NTFF_MESSAGE:
		if (row->enter)
			return row->enter(p, owner, field, path, err);
		return ntff_header_walk(p, field, row->fields, destination, path, err);
	case NTFF_ITEM:
		return read_item(p, row, field, owner, path, err);
	case NTFF_PRIVATE:
		break;
	}
	return 0;
}

static bool fits(const struct ntff_field_row *row, const struct protobuf_field *field)
{
	return row->kind == NTFF_PRIVATE ||
	       field->wire == (row->kind == NTFF_NUMBER ? NTFF_WIRE_NUMBER : NTFF_WIRE_BYTES);
}

/* Adds the position and advice to an error about the bytes of a message. Always -1. */
static int damaged(const char *path, struct error *err)
{
	struct error cause = *err;
	if (cause.kind != ERR_FORMAT)
		return -1;
	return error_set(err, ERR_FORMAT, "%s%s%s%s: the header is damaged: " NTFF_AGAIN,
			 path[0] ? "field " : "", path, path[0] ? ": " : "", cause.text);
}

int ntff_header_walk(struct ntff_parse *p, const struct protobuf_field *message,
		     const struct ntff_field_row *rows, void *owner, const char *path,
		     struct error *err)
{
	struct protobuf rest = message->bytes;
	struct protobuf_field field;
	char below[path_limit];
	int more;
	for (const struct ntff_field_row *row = rows; row->number; row++) {
		const char **name = member_at(owner, row->offset);
		if (row->kind == NTFF_NAME && !*name)
			*name = "";
	}
	while ((more = protobuf_next(&rest, &field, err)) == 1) {
		const struct ntff_field_row *row = rows;
		while (row->number && row->number != field.number)
			row++;
		if (p->field_count++ == field_limit)
			return ntff_header_too_many(err, "fields", field_limit);
		snprintf(below, sizeof below, "%s%s%" PRIu32, path, path[0] ? "." : "",
			 field.number);
		if (!row->number || !fits(row, &field))
			ntff_header_note_unknown(p, below, &field);
		else if (read_field(p, row, &field, owner, below, err) < 0)
			return -1;
	}
	return more < 0 ? damaged(path, err) : 0;
}

int ntff_header_position(const struct ntff_parse *p, const char *what, uint64_t size, uint64_t *at,
			 struct error *err)
{
	const struct ntff *ntff = p->ntff;
	uint64_t room = ntff->size - ntff->data_at, offset = *at;
	if (offset > room || size > room - offset)
		return error_set(
			err, ERR_FORMAT,
			"%s of %" PRIu64 " bytes at offset %" PRIu64
			" after the header extends beyond the end of the file, offset %" PRIu64
			" (byte %" PRIu64 "): the file is truncated or damaged: " NTFF_AGAIN,
			what, size, offset, room, ntff->size);
	*at += ntff->data_at;
	return 0;
}
