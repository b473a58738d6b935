/* What the parts of json_stream.h share: a document that is being read. */
#ifndef INGEST_JSON_INTERNAL_H
#define INGEST_JSON_INTERNAL_H

#include "ingest/json/scan.h"
#include "ingest/json/stream.h"

enum { seen_slots = 1024, section_limit = 64 };

struct json_reading;

/* Who reads along (json_ahead.h). Each returns -1 to end the reading. */
struct json_watch {
	/* Before the value of a section. NULL: not called. */
	int (*section)(struct json_reading *r, struct error *err);
	/* In the array of a section: behind its bracket or an item. 1: it may have gone on
	 * elsewhere, and wants to be called again. */
	int (*item)(struct json_reading *r, struct error *err);
	/* For a record, which began at `offset`, instead of the section's callback. NULL: that. */
	int (*record)(struct json_reading *r, uint64_t offset, struct error *err);
};

/* One document being read. Allocated once; nothing is allocated for a record. */
struct json_reading {
	const struct json_stream *stream;
	struct json_scan *scan;
	struct json_stream_counts *counts;
	uint64_t sections_seen;         /* a bit for each row of the table: section_limit of them */
	const struct json_watch *watch; /* NULL: nobody */
	void *watcher;
	uint64_t until; /* the offset from which on watch->item is to be called again */
	bool stopped;   /* behind the last section that is read */

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
	struct json_names quick_names; /* the same for json_blocks.h */
	bool quick;                    /* they could be made ready */
	struct error *err;             /* of a callback, from within json_blocks.h */
	bool failed;
	/* Room for texts, not zeroed. */
	char section_text[json_text_limit + 1], field_text[json_text_limit + 1];
	char texts[json_field_limit][json_text_limit + 1];
};

/* Of json_stream.c. */
struct json_reading *json_reading_new(const struct json_stream *stream, struct input *input,
				      struct json_stream_counts *counts);
void json_reading_free(struct json_reading *r);
/* Is in the array of this section from now on; `name` stays the caller's. */
void json_reading_enter(struct json_reading *r, const struct json_section *section,
			struct span name);
/* Behind an item of that array: reads on, up to the end of the object with the sections. */
int json_reading_resume(struct json_reading *r, struct error *err);
/* Hands over r->values as a record that began at `offset`. */
int json_reading_record(struct json_reading *r, uint64_t offset, struct error *err);
/* Puts "byte N: " before what a callback objected to; returns -1. */
int json_reading_refused(uint64_t offset, struct error *err);

/* Of json_records.c: hands over, or passes over, as many items as can be had without json_scan.h. 1
 * when r->until is reached. */
int json_records_read(struct json_reading *r, struct error *err);
/* For a new section. */
void json_records_prepare(struct json_reading *r);

#endif
