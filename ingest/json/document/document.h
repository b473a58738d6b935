/*
 * Whole JSON documents of benchmark tools as trees: results of a few megabytes at most, in the
 * dialect of Python, Julia and C++ programs. NaN and infinities are read as empty texts, that is as
 * missing numbers.
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

/* The document; NULL and *err. */
const struct json *json_document_read(struct arena *arena, struct input *input, struct error *err);
/* Like json_document_read(), for bytes in memory. */
const struct json *json_document_parse(struct arena *arena, struct span bytes, struct error *err);
/* The objects of JSON lines, the items of a list, or a single object, as a list; NULL and *err. */
const struct json *json_document_records(struct arena *arena, struct input *input,
					 struct error *err);
/* The member if it is a list; else NULL. */
const struct json *json_document_list(const struct json *object, const char *name);

/* The text as one line of at most `limit` bytes: control characters become blanks, and a text that
 * was cut ends in "...". "" for NULL. */
const char *json_document_line(struct arena *arena, const char *text, size_t limit);
/* A name as one line, for identities. A name of more than json_line_limit bytes ends in "..." and a
 * hash of the whole name, so that different long names remain different. "" for NULL. */
const char *json_document_name(struct arena *arena, const char *text);
/* A text, number or boolean as json_document_name() returns it; NULL for anything else. */
const char *json_document_scalar(struct arena *arena, const struct json *node);
/* The member as json_document_scalar() returns it; NULL if it is empty, too. */
const char *json_document_text(struct arena *arena, const struct json *object, const char *name);
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

/* The runs of a document, and a note about the file: what was left out, and why. Set the arena. */
struct json_runs {
	struct arena *arena;
	struct run_list list;
	struct strbuf note;
};
void json_document_add_run(struct json_runs *runs, struct run *run);
/* Adds a part of the note. */
void json_document_note(struct json_runs *runs, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Moves the runs to the result, with the note at the first one. Without runs: -1, and the message
 * `nothing`, which the note explains. Frees the note. */
int json_document_finish(struct json_runs *runs, const char *nothing, struct ingest_result *result,
			 struct error *err);
