/* The state of reading a document, shared by the files that implement stream.h. */
#pragma once

#include "ingest/json/scan.h"
#include "ingest/json/stream.h"

enum { seen_slots = 1024, section_limit = 64 };

/* The document that is read. It is allocated once; no memory is allocated per record. */
struct json_reading {
	const struct json_stream *stream;
	struct json_scan *scan;
	struct json_stream_counts *counts;
	uint64_t sections_seen; /* one bit per row of the table; section_limit rows */
	bool stopped;           /* the last section to be read was read */

	/* The current position, for callbacks and messages. */
	const struct json_section *section; /* NULL outside of wanted sections */
	struct span section_name;
	struct span names[json_field_limit]; /* of the section's fields */
	int name_count;
	bool in_array;
	uint64_t index;
	struct span field_name; /* empty between fields */

	struct json_value values[json_field_limit];
	uint64_t seen[seen_slots]; /* hash set of names in a record without field list */
	size_t seen_count;
	struct json_names quick_names; /* `names` in the form of simd/blocks.h */
	bool quick;                    /* quick_names is valid */
	/* Buffers for texts; not zeroed. */
	char section_text[json_text_limit + 1], field_text[json_text_limit + 1];
	char texts[json_field_limit][json_text_limit + 1];
};

/* A value that is absent. */
static const struct json_value json_value_missing = {.number = NAN, .text = {"", 0}};

/* In records.c: reads or skips all items up to the first one that needs scan.h. */
int json_records_read(struct json_reading *r, struct error *err);
/* Prepares for the current section. */
void json_records_prepare(struct json_reading *r);
