/* Reads sections, records and values with json_scan; the rules are in the header. */
#include "ingest/json/stream.h"

#include "base/hash/hash.h"
#include "ingest/json/internal.h"

/* --- values --- */

static int read_number(struct json_reading *r, struct json_value *value, struct error *err)
{
	struct span text;
	bool whole;
	if (json_scan_number(r->scan, &text, &whole, err) < 0)
		return -1;
	size_t i = value->negative = text.ptr[0] == '-';
	uint64_t n = 0;
	bool exact = whole;
	for (; exact && i < text.len; i++)
		exact = !__builtin_mul_overflow(n, 10, &n) &&
			!__builtin_add_overflow(n, (uint64_t)(text.ptr[i] - '0'), &n);
	value->kind = JSON_VALUE_NUMBER;
	value->exact = exact;
	value->magnitude = exact ? n : 0;
	/* strtod() stops at the byte after the number, because its syntax was checked. */
	value->number = exact ? (value->negative ? -(double)n : (double)n) : strtod(text.ptr, NULL);
	if (!isfinite(value->number))
		return json_scan_fail(
			r->scan, text.ptr, err, "the number %.*s%s is beyond the range of a double",
			text.len < 40 ? (int)text.len : 40, text.ptr, text.len < 40 ? "" : "...");
	return 0;
}

static int read_text(struct json_reading *r, struct json_value *value, char *room,
		     struct error *err)
{
	struct span raw;
	bool escaped;
	if (json_scan_text(r->scan, &raw, &escaped, err) < 0)
		return -1;
	value->kind = JSON_VALUE_TEXT;
	value->text = (struct span){room, raw.len};
	if (escaped)
		value->text.len = json_string_decode(raw, room);
	else
		memcpy(room, raw.ptr, raw.len);
	return 0;
}

static int read_literal(struct json_reading *r, struct json_value *value, struct error *err)
{
	const char *literal;
	if (json_scan_literal(r->scan, &literal, err) < 0)
		return -1;
	if (literal == json_true || literal == json_false) {
		value->kind = JSON_VALUE_BOOL;
		value->truth = literal == json_true;
	}
	r->counts->not_numbers += literal == json_nan;
	return 0;
}

/* Reads any value; `room` is a buffer for a text of up to json_text_limit bytes. */
static int read_value(struct json_reading *r, struct json_value *value, char *room,
		      struct error *err)
{
	int c = json_scan_peek(r->scan, err);
	*value = json_value_missing;
	if (c < 0)
		return -1;
	if (c == '"')
		return read_text(r, value, room, err);
	if (c == '{' || c == '[') {
		value->kind = JSON_VALUE_CONTAINER;
		return json_scan_skip(r->scan, err);
	}
	if (c == '-' && json_scan_ensure(r->scan, 2, err) < 0)
		return -1;
	if ((c >= '0' && c <= '9') || (c == '-' && r->scan->at[1] != 'I'))
		return read_number(r, value, err);
	return read_literal(r, value, err);
}

/* Reads the name of a member, decoded into `room`, and its colon. */
static int read_name(struct json_reading *r, struct span *name, char *room, struct error *err)
{
	struct json_value value;
	if (read_text(r, &value, room, err) < 0)
		return -1;
	*name = value.text;
	return json_scan_colon(r->scan, err);
}

/* --- records --- */

static int check_type(const struct json_field *field, struct json_value *value, uint64_t offset,
		      struct error *err)
{
	static const char *const names[] = {"nothing", "a number", "a string", "true or false",
					    "an object or array"};
	if (field->type == JSON_FIELD_TEXT && value->kind != JSON_VALUE_TEXT)
		*value = json_value_missing;
	if (field->type != JSON_FIELD_NUMBER || value->kind == JSON_VALUE_NUMBER ||
	    value->kind == JSON_VALUE_MISSING)
		return 0;
	return error_set(err, ERR_FORMAT, "byte %" PRIu64 ": expected a number, found %s", offset,
			 names[value->kind]);
}

static int find_field(const struct json_reading *r, struct span name)
{
	for (int i = 0; i < r->name_count; i++)
		if (r->names[i].len == name.len && r->names[i].ptr[0] == name.ptr[0] &&
		    memcmp(r->names[i].ptr, name.ptr, name.len) == 0)
			return i;
	return -1;
}

static int read_field(struct json_reading *r, int index, struct error *err)
{
	const struct json_field *field = &r->section->fields[index];
	struct json_value *value = &r->values[index];
	r->field_name = span_of(field->name);
	if (json_scan_peek(r->scan, err) < 0)
		return -1;
	uint64_t offset = json_scan_offset(r->scan);
	if (read_value(r, value, r->texts[index], err) < 0 ||
	    check_type(field, value, offset, err) < 0)
		return -1;
	r->field_name = (struct span){NULL, 0};
	return 0;
}

/* Reads the members of a record whose section has a list of fields. */
static int read_fields(struct json_reading *r, struct error *err)
{
	unsigned seen = 0;
	int rc;
	for (int i = 0; i < r->name_count; i++)
		r->values[i] = json_value_missing;
	while ((rc = json_scan_next(r->scan, err)) > 0) {
		struct span raw;
		bool escaped;
		if (json_scan_text(r->scan, &raw, &escaped, err) < 0)
			return -1;
		if (escaped)
			raw = (struct span){r->field_text, json_string_decode(raw, r->field_text)};
		int index = find_field(r, raw);
		if (json_scan_colon(r->scan, err) < 0)
			return -1;
		if (index < 0) {
			if (json_scan_skip(r->scan, err) < 0)
				return -1;
			continue;
		}
		r->counts->duplicates += seen >> index & 1;
		seen |= 1u << index;
		if (read_field(r, index, err) < 0)
			return -1;
	}
	return rc;
}

/* Counts repeated names by their hashes. Gives up if the record has very many members. */
static void count_duplicate(struct json_reading *r, struct span name)
{
	uint64_t hash = table_hash_of(name) | 1; /* 0 means a free slot */
	if (r->seen_count > seen_slots / 2)
		return;
	size_t at = (size_t)(hash >> 32) % seen_slots;
	while (r->seen[at] && r->seen[at] != hash)
		at = (at + 1) % seen_slots;
	r->counts->duplicates += r->seen[at] == hash;
	r->seen_count += r->seen[at] == 0;
	r->seen[at] = hash;
}

/* Reads all members of a record one by one. */
static int read_members(struct json_reading *r, struct error *err)
{
	int rc;
	memset(r->seen, 0, sizeof r->seen);
	r->seen_count = 0;
	while ((rc = json_scan_next(r->scan, err)) > 0) {
		struct json_value value;
		r->field_name = (struct span){NULL, 0};
		if (read_name(r, &r->field_name, r->field_text, err) < 0 ||
		    json_scan_peek(r->scan, err) < 0)
			return -1;
		count_duplicate(r, r->field_name);
		uint64_t offset = json_scan_offset(r->scan);
		if (read_value(r, &value, r->texts[0], err) < 0)
			return -1;
		if (r->section->member(r->stream->context, r->section_name, r->field_name, &value,
				       err) < 0)
			return error_prefix(err, "byte %" PRIu64, offset);
	}
	r->field_name = (struct span){NULL, 0};
	return rc;
}

static int read_record(struct json_reading *r, struct error *err)
{
	const struct json_section *section = r->section;
	uint64_t offset = json_scan_offset(r->scan);
	if (json_scan_open(r->scan, err) < 0 ||
	    (section->fields ? read_fields(r, err) : read_members(r, err)) < 0)
		return -1;
	if (section->fields)
		section->record(r->stream->context, r->values);
	else if (section->end(r->stream->context, r->section_name, err) < 0)
		return error_prefix(err, "byte %" PRIu64, offset);
	return 0;
}

/* --- sections --- */

/* Reads a record: an object, or null, which is ignored. */
static int read_record_or_null(struct json_reading *r, int c, struct error *err)
{
	if (c == '{')
		return read_record(r, err);
	const char *literal;
	if (c == 'n')
		return json_scan_literal(r->scan, &literal, err);
	return json_scan_fail(r->scan, r->scan->at, err, "expected an object");
}

static void list_names(struct json_reading *r)
{
	const struct json_field *fields = r->section ? r->section->fields : NULL;
	r->name_count = 0;
	for (; fields && fields[r->name_count].name; r->name_count++) {
		assert(r->name_count < json_field_limit);
		r->names[r->name_count] = span_of(fields[r->name_count].name);
	}
}

/* Reads an item of a section's array. */
static int read_item(struct json_reading *r, struct error *err)
{
	int c = json_scan_peek(r->scan, err);
	if (c < 0)
		return -1;
	if (!r->section)
		return json_scan_skip(r->scan, err);
	if (read_record_or_null(r, c, err) < 0)
		return -1;
	r->index++;
	return 0;
}

/* Reads the array of a section after its bracket. */
static int read_items(struct json_reading *r, struct error *err)
{
	for (;;) {
		if (json_records_read(r, err) < 0)
			return -1;
		int rc = json_scan_next(r->scan, err);
		if (rc <= 0)
			return rc;
		if (read_item(r, err) < 0)
			return -1;
	}
}

static int read_section(struct json_reading *r, struct error *err)
{
	int c = json_scan_peek(r->scan, err);
	if (c < 0)
		return -1;
	if (!r->section && c != '[')
		return json_scan_skip(r->scan, err);
	list_names(r);
	json_records_prepare(r);
	r->in_array = c == '[';
	if (c != '[')
		return read_record_or_null(r, c, err);
	if (json_scan_open(r->scan, err) < 0)
		return -1;
	return read_items(r, err);
}

static int find_section(struct json_reading *r, struct error *err)
{
	const struct json_section *sections = r->stream->sections;
	r->section = NULL;
	r->in_array = false;
	r->index = 0;
	for (size_t i = 0; sections[i].name; i++) {
		bool is_any = strcmp(sections[i].name, "*") == 0;
		if (!is_any && !span_is(r->section_name, sections[i].name))
			continue;
		assert(i < section_limit);
		if (!is_any && r->sections_seen >> i & 1)
			return json_scan_fail(r->scan, r->scan->at, err, "duplicate section \"%s\"",
					      sections[i].name);
		r->sections_seen |= (uint64_t)1 << i;
		r->section = &sections[i];
		return 0;
	}
	return 0;
}

/* Reads all sections after the opening bracket of the document. */
static int read_sections(struct json_reading *r, struct error *err)
{
	int rc;
	while ((rc = json_scan_next(r->scan, err)) > 0) {
		if (read_name(r, &r->section_name, r->section_text, err) < 0 ||
		    find_section(r, err) < 0 || read_section(r, err) < 0)
			return -1;
		r->section = NULL;
		if (r->stream->until && span_is(r->section_name, r->stream->until)) {
			r->stopped = true;
			return 0;
		}
	}
	return rc;
}

/* --- the document --- */

static int skip_mark(struct json_reading *r, struct error *err)
{
	static const char mark[] = "\xef\xbb\xbf";
	if (json_scan_ensure(r->scan, 3, err) < 0)
		return -1;
	if (r->scan->end - r->scan->at >= 3 && memcmp(r->scan->at, mark, 3) == 0)
		r->scan->at += 3;
	return 0;
}

/* Skips lines before the first one that begins with '{'. */
static int skip_preamble(struct json_reading *r, struct error *err)
{
	for (;;) {
		int rc = json_scan_at_end(r->scan, err);
		if (rc || *r->scan->at == '{')
			return rc < 0 ? -1 : 0;
		const char *newline;
		while (!(newline =
				 memchr(r->scan->at, '\n', (size_t)(r->scan->end - r->scan->at)))) {
			r->scan->at = r->scan->end;
			if (json_scan_ensure(r->scan, 1, err) < 0)
				return -1;
			if (r->scan->at == r->scan->end)
				return 0;
		}
		r->scan->at = newline;
	}
}

static int read_document(struct json_reading *r, struct error *err)
{
	if (skip_mark(r, err) < 0 || (r->stream->skip_preamble && skip_preamble(r, err) < 0))
		return -1;
	int rc = json_scan_at_end(r->scan, err);
	if (rc < 0)
		return -1;
	if (rc)
		return json_scan_fail(r->scan, r->scan->at, err, "not a JSON document");
	if (*r->scan->at != '{')
		return json_scan_fail(r->scan, r->scan->at, err,
				      "the document must start with '{'");
	if (json_scan_open(r->scan, err) < 0 || read_sections(r, err) < 0)
		return -1;
	if (r->stopped)
		return 0;
	rc = json_scan_at_end(r->scan, err);
	if (rc == 0)
		return json_scan_fail(r->scan, r->scan->at, err,
				      "trailing data after the end of the document");
	return rc < 0 ? -1 : 0;
}

/* Makes a name fit for a message: short, without control characters. */
static void printable(struct span name, char out[65])
{
	size_t len = name.len < 64 ? name.len : 64;
	while (len < name.len && len > 0 && (name.ptr[len] & 0xc0) == 0x80)
		len--;
	for (size_t i = 0; i < len; i++)
		out[i] =
			(unsigned char)name.ptr[i] < ' ' || name.ptr[i] == 0x7f ? '?' : name.ptr[i];
	out[len] = '\0';
}

/* Prepends the path, e.g. "summary[0].total_time: ", to the message. */
static void add_path(const struct json_reading *r, struct error *err)
{
	char section[65], field[65], index[32] = "";
	printable(r->section_name, section);
	printable(r->field_name, field);
	if (r->in_array)
		snprintf(index, sizeof index, "[%" PRIu64 "]", r->index);
	error_prefix(err, "%s%s%s%s", section, index, *field ? "." : "", field);
}

int json_stream_read(const struct json_stream *stream, struct input *input,
		     struct json_stream_counts *counts, struct error *err)
{
	struct json_reading *r = memory_buffer(sizeof *r);
	memset(r, 0, offsetof(struct json_reading, section_text));
	r->stream = stream;
	r->counts = counts;
	r->scan = json_scan_new(input, stream->room ? stream->room : json_buffer_size);
	*counts = (struct json_stream_counts){0};
	int rc = read_document(r, err);
	if (rc < 0 && r->section)
		add_path(r, err);
	if (json_source_check(&r->scan->source, err) < 0)
		rc = -1;
	json_scan_free(r->scan);
	free(r);
	return rc;
}
