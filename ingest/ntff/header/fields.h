/*
 * The header of an NTFF as tables: each kind of message has a row per known field. All other fields
 * are recorded as unknown. header.c has the tables of the whole file, core_fields.c those of a
 * core.
 */
#pragma once

#include "base/base.h"
#include "model/ntff/ntff.h"
#include "ingest/ntff/header/protobuf.h"

/* Advice for the user of a damaged file. */
#define NTFF_AGAIN "copy the file again or repeat the capture"

struct ntff_parse {
	struct arena *arena;
	struct ntff *ntff;
	struct protobuf_source *source;
	size_t text_bytes, field_count; /* so far; checked against the limits */
};

enum ntff_field_kind { NTFF_NUMBER, NTFF_TEXT, NTFF_MESSAGE, NTFF_PRIVATE };

/* Called for a nested message. `owner` receives its values; `path` has the field numbers down to
 * it, joined by dots. 0, or -1 and *err. */
typedef int ntff_enter_message(struct ntff_parse *p, void *owner,
			       const struct protobuf_field *field, const char *path,
			       struct error *err);

/* One known field. A table of rows ends with number 0. */
struct ntff_field_row {
	uint32_t number;
	enum ntff_field_kind kind;
	size_t offset; /* destination in the owner, a uint64_t or const char * */
	ntff_enter_message *enter;
};

/* Reads the fields in the table and records all others as unknown. 0, or -1 and *err. */
int ntff_header_walk(struct ntff_parse *p, const struct protobuf_field *message,
		     const struct ntff_field_row *rows, void *owner, const char *path,
		     struct error *err);
/* Records a field as unknown; `path` includes its own number. */
void ntff_header_note_unknown(struct ntff_parse *p, const char *path,
			      const struct protobuf_field *field);
/* Sets an error about a count beyond its limit; always -1. */
int ntff_header_too_many(struct error *err, const char *what, int limit);
/* Converts *at from an offset into the data area to an offset into the file, and checks that `size`
 * bytes from there are in the file. */
int ntff_header_position(const struct ntff_parse *p, const char *what, uint64_t size, uint64_t *at,
			 struct error *err);

/* Called for a physical core: adds it to the `struct ntff` that is the owner. */
int ntff_header_enter_core(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
			   const char *path, struct error *err);
int ntff_header_read_segment(struct ntff_parse *p, const struct protobuf_field *field,
			     const char *path, struct ntff_segment *segment, struct error *err);

enum { ntff_segment_limit = 1024 };
