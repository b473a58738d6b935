/*
 * Whole JSON documents of benchmark tools as trees: results of a few megabytes at most, in the
 * dialect of Python, Julia and C++ programs. NaN and infinities are read as empty texts, that is as
 * missing numbers, and are counted.
 *
 * Never add large inputs; these are streamed.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"
#include "ingest/input/input.h"
#include "ingest/json/document/peek.h"
#include "ingest/reader.h"

enum { json_line_limit = 200 }; /* bytes of a name or value that is part of a run's identity */

struct json_document {
	struct json *root;
	size_t not_numbers;
};

int json_document_read(struct arena *arena, struct input *input, struct json_document *document,
		       struct error *err);
/* Like json_document_read(), for bytes in memory. */
int json_document_parse(struct arena *arena, struct span bytes, struct json_document *document,
			struct error *err);

/* The text as one line of at most `limit` bytes: control characters become blanks, and a text that
 * was cut ends in "...". "" for NULL. */
const char *json_document_line(struct arena *arena, const char *text, size_t limit);
/* A name as one line, for identities. A name of more than json_line_limit bytes ends in "..." and a
 * hash of the whole name, so that different long names remain different. "" for NULL. */
const char *json_document_name(struct arena *arena, const char *text);
/* A text, number or boolean as json_document_name() returns it; NULL for anything else. */
const char *json_document_scalar(struct arena *arena, const struct json *node);
/* Adds the member as the attribute `key` if it is a scalar. */
void json_document_attribute(struct arena *arena, struct run *run, const struct json *object,
			     const char *name, const char *key);
/* The node if it has at most 256 members or items, else NULL. For nodes that are searched for each
 * result: it keeps the total time linear in the size of the file. */
const struct json *json_document_small(const struct json *node);
/* number * scale, rounded once if the scale is a decimal fraction such as 1e-9. */
double json_document_scale(double number, double scale);
/* The member as a finite number of at least 0, times `scale`; NAN if it is not. */
double json_document_quantity(const struct json *object, const char *name, double scale);

/* For detectors: a name at a depth. json_document_marks() finds which of at most 32 names occur;
 * NULL ends a list. */
struct json_mark {
	int depth;        /* 1: members of the document */
	const char *name; /* NULL ends */
	char kind;        /* as in struct json_peek_value; 0: any */
};
unsigned json_document_marks(struct span head, const struct json_mark *marks);

/* Moves the runs to the result. A note about the file is added to the first run. */
void json_document_give_runs(struct arena *arena, const struct run_list *runs, const char *note,
			     struct ingest_result *result);
