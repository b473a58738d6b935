/* A log is a row of entries, each a record with its values or a section with its name, and the
 * bytes of their texts behind it. */
#include "ingest/json/parallel_log.h"

#include <stdlib.h>
#include <string.h>

struct entry {
	size_t size;                               /* with all that belongs to it */
	const struct json_logged_section *section; /* NULL: no record */
	uint64_t offset, index;
	struct json_stream_counts counts;
};

struct record_entry {
	struct entry entry;
	struct json_value values[];
};

struct section_entry {
	struct entry entry;
	struct json_logged_section section;
};

struct json_log json_log_new(size_t size)
{
	struct json_log log = {malloc(size), size, 0};
	if (!log.memory)
		abort();
	return log;
}

void json_log_free(struct json_log *log)
{
	free(log->memory);
}

static void *add(struct json_log *log, size_t size)
{
	size = (size + 7) / 8 * 8;
	if (size > log->size - log->used)
		return NULL;
	struct entry *entry = (struct entry *)(log->memory + log->used);
	entry->size = size;
	log->used += size;
	return entry;
}

static struct span copy_text(struct span text, char **room)
{
	struct span copy = {*room, text.len};
	memcpy(*room, text.ptr, text.len);
	*room += text.len;
	return copy;
}

struct json_logged_section *json_log_section(struct json_log *log,
					     const struct json_section *section, struct span name)
{
	struct section_entry *entry = add(log, sizeof *entry + name.len);
	if (!entry)
		return NULL;
	char *room = (char *)(entry + 1);
	entry->entry.section = NULL;
	entry->section = (struct json_logged_section){section, 0, copy_text(name, &room)};
	return &entry->section;
}

bool json_log_record(struct json_log *log, struct json_reading *r,
		     const struct json_logged_section *section, uint64_t offset)
{
	size_t count = (size_t)r->name_count, texts = 0;
	for (size_t i = 0; i < count; i++)
		if (r->values[i].kind == JSON_VALUE_TEXT)
			texts += r->values[i].text.len;
	struct record_entry *entry = add(log, sizeof *entry + count * sizeof *r->values + texts);
	if (!entry)
		return false;
	char *room = (char *)(entry->values + count);
	entry->entry.section = section;
	entry->entry.offset = offset;
	entry->entry.index = r->index;
	entry->entry.counts = *r->counts;
	memcpy(entry->values, r->values, count * sizeof *r->values);
	for (size_t i = 0; i < count; i++)
		if (r->values[i].kind == JSON_VALUE_TEXT)
			entry->values[i].text = copy_text(r->values[i].text, &room);
	return true;
}

void json_log_begin(struct json_log *log, uint64_t index)
{
	((struct section_entry *)log->memory)->section.index = index;
}

int json_log_replay(const struct json_log *log, size_t used, struct json_reading *r,
		    struct error *err)
{
	const struct json_stream_counts before = *r->counts;
	const struct entry *entry;
	for (size_t at = 0; at < used; at += entry->size) {
		entry = (const struct entry *)(log->memory + at);
		if (!entry->section)
			continue;
		r->section = entry->section->section;
		r->section_name = entry->section->name;
		r->index = entry->section->index + entry->index;
		r->counts->not_numbers = before.not_numbers + entry->counts.not_numbers;
		r->counts->duplicates = before.duplicates + entry->counts.duplicates;
		if (r->section->record &&
		    r->section->record(r->stream->context, r->section_name,
				       ((const struct record_entry *)entry)->values, err) < 0)
			return json_reading_refused(entry->offset, err);
	}
	return 0;
}
