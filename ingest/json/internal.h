/* What the parts of stream.h share: a document that is being read. */
#pragma once

#include "ingest/json/scan.h"
#include "ingest/json/stream.h"

enum { seen_slots = 1024, section_limit = 64 };

/* One document being read. Allocated once; nothing is allocated for a record. */
struct json_reading {
	const struct json_stream *stream;
	struct json_scan *scan;
	struct json_stream_counts *counts;
	uint64_t sections_seen; /* a bit for each row of the table: section_limit of them */
	bool stopped;           /* after the last section that is read */

	/* Where we are, for callbacks and messages. */
	const struct json_section *section; /* NULL outside of wanted sections */
	struct span section_name;
	struct span names[json_field_limit]; /* of the section's fields */
	int name_count;
	bool in_array;
	uint64_t index;
	struct span field_name; /* empty between fields */

	struct json_value values[json_field_limit];
	uint64_t seen[seen_slots]; /* hashes of the names of a record without field list */
	size_t seen_count;
	struct json_names quick_names; /* the same for blocks.h */
	bool quick;                    /* they could be made ready */
	struct error *err;             /* of a callback, from within blocks.h */
	bool failed;
	/* Room for texts, not zeroed. */
	char section_text[json_text_limit + 1], field_text[json_text_limit + 1];
	char texts[json_field_limit][json_text_limit + 1];
};

/* Of stream.c: hands over r->values as a record that began at `offset`. */
int json_stream_record(struct json_reading *r, uint64_t offset, struct error *err);

/* Of records.c: hands over, or passes over, all items up to the first that needs scan.h. */
int json_records_read(struct json_reading *r, struct error *err);
/* For a new section. */
void json_records_prepare(struct json_reading *r);
