/*
 * Whole JSON documents of benchmark tools as trees: results of a few megabytes at most, in the
 * dialect that Python, Julia and C++ programs write. NaN and infinities are read as the empty text,
 * so that they are no number, and counted.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "base/json/json.h"
#include "ingest/input/input.h"
#include "ingest/json/document/peek.h"
#include "ingest/reader.h"

enum { json_line_limit = 200 }; /* bytes of a name or value that becomes identity */

struct json_document {
	struct json *root;
	size_t not_numbers;
};

int json_document_read(struct arena *arena, struct input *input, struct json_document *document,
		       struct error *err);
/* The same for bytes at hand. */
int json_document_parse(struct arena *arena, struct span bytes, struct json_document *document,
			struct error *err);

/* The text as one line of at most `limit` bytes: control characters become blanks, and what is
 * cut ends in "...". "" for NULL. */
const char *json_document_line(struct arena *arena, const char *text, size_t limit);
/* A name that becomes identity as one line; beyond json_line_limit bytes it ends in "..." and
 * digits that stand for all of it, so that long names do not become the same. "" for NULL. */
const char *json_document_name(struct arena *arena, const char *text);
/* A text, number or truth value as json_document_name() gives it; NULL for anything else. */
const char *json_document_scalar(struct arena *arena, const struct json *node);
/* Adds the member as an attribute `key` where it is there as a scalar. */
void json_document_attribute(struct arena *arena, struct run *run, const struct json *object,
			     const char *name, const char *key);
/* The node when it has at most 256 members or items, else NULL: for what is looked at again with
 * every result, so that no file takes time by the square of its size. */
const struct json *json_document_small(const struct json *node);
/* number * scale, rounded once where the scale is a decimal fraction as 1e-9 is. */
double json_document_scale(double number, double scale);
/* The member as a number that a metric may have, finite and at least 0, times `scale`; else NAN. */
double json_document_quantity(const struct json *object, const char *name, double scale);

/* A look for detection: which of the names (at most 32, NULL at the end) occur at their depth. */
struct json_mark {
	int depth;        /* 1: members of the document */
	const char *name; /* NULL ends */
	char kind;        /* as struct json_peek_value has it; 0 any */
};
unsigned json_document_marks(struct span head, const struct json_mark *marks);

/* Hands the runs over; a file-wide note lands on the first one. */
void json_document_give_runs(struct arena *arena, const struct run_list *runs, const char *note,
			     struct ingest_result *result);
