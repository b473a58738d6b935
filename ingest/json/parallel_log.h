/*
 * Records in memory, to be handed over later: in fixed room, each with its
 * place in the document. What a log says is relative to where it began: the
 * indexes of the first section's records, and all counts.
 */
#ifndef INGEST_JSON_PARALLEL_LOG_H
#define INGEST_JSON_PARALLEL_LOG_H

#include "ingest/json/internal.h"

/* A section that records are of. */
struct json_logged_section {
	const struct json_section *section; /* NULL: one that is not wanted */
	uint64_t index;                     /* of the record with which the log begins */
	struct span name;
};

struct json_log {
	char *memory;
	size_t size, used;
};

struct json_log json_log_new(size_t size);
void json_log_free(struct json_log *log);
/* NULL when the log is full. */
struct json_logged_section *json_log_section(struct json_log *log,
					     const struct json_section *section, struct span name);
/* r->values as a record of `section`. False when the log is full. */
bool json_log_record(struct json_log *log, struct json_reading *r,
		     const struct json_logged_section *section, uint64_t offset);
/* Says the index of the record with which the log begins; the log is not empty. */
void json_log_begin(struct json_log *log, uint64_t index);
/* Hands over all records but those behind `used`, as r would have read them. */
int json_log_replay(const struct json_log *log, size_t used, struct json_reading *r,
		    struct error *err);

#endif
