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

enum ntff_field_kind {
	NTFF_NUMBER,  /* a uint64_t */
	NTFF_TEXT,    /* a const char *, which stays NULL without the field */
	NTFF_NAME,    /* a const char *, which becomes "" without the field */
	NTFF_MESSAGE, /* fields of its own: `enter` reads it, else `fields` describes a struct */
	NTFF_ITEM,    /* a message, appended to a list as the struct that `fields` describes */
	NTFF_PRIVATE  /* known, and never read */
};

/* One known field. A table of rows ends with number 0. */
struct ntff_field_row {
	uint32_t number;
	enum ntff_field_kind kind;
	size_t offset; /* destination in the struct that the table describes, the owner */
	const struct ntff_field_row *fields;
	/* Reads a nested message into the owner; `path` has the field numbers down to it, joined by
	 * dots. 0, or -1 and *err. */
	int (*enter)(struct ntff_parse *p, void *owner, const struct protobuf_field *field,
		     const char *path, struct error *err);
	/* For NTFF_ITEM: the list's other members in the owner, and the size of an item. */
	size_t count, capacity, size;
	size_t limit;
	const char *what; /* plural of the item's name, for the error beyond the limit */
	/* Checks and completes an item; may be NULL. 0, or -1 and *err. */
	int (*check)(const struct ntff_parse *p, void *item, struct error *err);
};

/* A row of NTFF_MESSAGE, for a member of the owner that is a struct. */
#define NTFF_STRUCT(NUMBER, OWNER, MEMBER, FIELDS)                                                 \
	{                                                                                          \
		NUMBER, NTFF_MESSAGE, offsetof(OWNER, MEMBER), .fields = FIELDS                    \
	}
/* A row of NTFF_ITEM, for the list `items` with `name`_count and `name`_capacity in the owner. */
#define NTFF_ITEMS(NUMBER, OWNER, ITEMS, NAME, ...)                                                \
	{                                                                                          \
		NUMBER, NTFF_ITEM, offsetof(OWNER, ITEMS),                                         \
			.count = offsetof(OWNER, NAME##_count),                                    \
			.capacity = offsetof(OWNER, NAME##_capacity),                              \
			.size = sizeof *((OWNER *)NULL)->ITEMS, __VA_ARGS__                        \
	}

/* Reads the fields in the table and records all others as unknown. 0, or -1 and *err. */
int ntff_header_walk(struct ntff_parse *p, const struct protobuf_field *message,
		     const struct ntff_field_row *rows, void *owner, const char *path,
		     struct error *err);
/* Records a field as unknown; `path` includes its own number. */
void ntff_header_note_unknown(struct ntff_parse *p, const char *path,
			      const struct protobuf_field *field);
/* Sets an error about a count beyond its limit; always -1. */
int ntff_header_too_many(struct error *err, const char *what, size_t limit);
/* Converts *at from an offset into the data area to an offset into the file, and checks that `size`
 * bytes from there are in the file. */
int ntff_header_position(const struct ntff_parse *p, const char *what, uint64_t size, uint64_t *at,
			 struct error *err);

enum { ntff_segment_limit = 1024 };
extern const struct ntff_field_row ntff_header_core_fields[], ntff_header_segment_fields[];
/* For a struct ntff_segment: makes its offset one into the file, and checks that it is whole. */
int ntff_header_check_segment(const struct ntff_parse *p, void *item, struct error *err);
