/*
 * The header of an NTFF as tables: each kind of message has rows for the fields
 * that are known, and all others are noted as unknown. ntff_header.c has the
 * tables of the whole file, ntff_core_fields.c those of a core.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "model/ntff/ntff.h"
#include "ingest/ntff/header/protobuf.h"

/* What a person can do about a damaged file. */
#define NTFF_AGAIN "copy the file again or repeat the capture"

struct ntff_parse {
	struct arena *arena;
	struct ntff *ntff;
	struct protobuf_source *source;
	size_t text_bytes, field_count; /* so far */
};

enum ntff_field_kind { NTFF_NUMBER, NTFF_TEXT, NTFF_MESSAGE, NTFF_PRIVATE };

/* `owner` is what the message is read into; `path` are the field numbers down to it. */
typedef int ntff_enter_message(struct ntff_parse *p, void *owner,
			       const struct protobuf_field *field, const char *path,
			       struct error *err);

/* A table of them ends with number 0. */
struct ntff_field_row {
	uint32_t number;
	enum ntff_field_kind kind;
	size_t offset; /* of a uint64_t or const char * in the owner */
	ntff_enter_message *enter;
};

/* Reads the fields of the table and notes all others. */
int ntff_walk(struct ntff_parse *p, const struct protobuf_field *message,
	      const struct ntff_field_row *rows, void *owner, const char *path, struct error *err);
/* `path` with the field's own number. */
void ntff_note_unknown(struct ntff_parse *p, const char *path, const struct protobuf_field *field);
int ntff_too_many(struct error *err, const char *what, int limit);
/* Turns an offset into the data area into one into the file. */
int ntff_place(const struct ntff_parse *p, const char *what, uint64_t size, uint64_t *at,
	       struct error *err);

/* A physical core: adds it to the `struct ntff` that owns it. */
int ntff_enter_core(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
		    const char *path, struct error *err);
int ntff_read_segment(struct ntff_parse *p, const struct protobuf_field *field, const char *path,
		      struct ntff_segment *segment, struct error *err);

enum { ntff_segment_limit = 1024 };
