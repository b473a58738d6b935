/*
 * The lexical half of json_stream: a fixed buffer over an input, and the steps
 * over JSON syntax. Everything that is stepped over is checked: brackets,
 * commas, escapes, UTF-8, numbers, literals, depth and length. All errors begin
 * with the byte offset in the unpacked document.
 *
 * A scan is large (see json_buffer_size); make it with json_scan_new().
 */
#ifndef INGEST_JSON_SCAN_H
#define INGEST_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/span.h"
#include "ingest/input.h"

enum {
	json_buffer_size = 256 * 1024,
	json_depth_limit = 1024,
	json_text_limit = 64 * 1024,          /* of a text or name that is handed over */
	json_string_limit = 16 * 1024 * 1024, /* of any string */
	json_number_limit = 4096              /* characters of a number */
};

struct json_scan {
	struct input *input;
	const char *at, *end; /* the unread part of the buffer; *end is NUL */
	uint64_t base;        /* offset of buffer[0] in the document */
	bool ended;           /* the input has no more bytes */
	bool fresh;           /* just behind an opening bracket */
	unsigned depth;
	unsigned char is_object[json_depth_limit / 8]; /* a bit for each open bracket */
	char buffer[json_buffer_size + 1];
};

/* Never NULL; free() it. */
struct json_scan *json_scan_new(struct input *input);

/* Offset of the next byte. */
uint64_t json_scan_offset(const struct json_scan *scan);
/* Sets "byte N: ..." for the byte at `where` in the buffer; returns -1. */
int json_scan_fail(const struct json_scan *scan, const char *where, struct error *err,
		   const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Skips white space; the byte that follows, which is not consumed, or -1: the end is an error. */
int json_scan_peek(struct json_scan *scan, struct error *err);
/* Skips white space; 1 at the end of the document, 0 before another byte, -1 on failure. */
int json_scan_at_end(struct json_scan *scan, struct error *err);
/* Makes `count` bytes lie in the buffer, fewer only at the end of the document. */
int json_scan_ensure(struct json_scan *scan, size_t count, struct error *err);

/* Consumes the bracket at hand. */
int json_scan_open(struct json_scan *scan, struct error *err);
/* Behind an opening bracket or a value: 1 when another item (in an object: a name) follows,
 * 0 when the container was closed, -1 on failure. */
int json_scan_next(struct json_scan *scan, struct error *err);
/* Consumes a string at hand, which is handed over raw: still escaped, and valid only until
 * the next call. Strings longer than json_text_limit are an error. */
int json_scan_text(struct json_scan *scan, struct span *raw, bool *escaped, struct error *err);
/* Consumes the colon behind a name. */
int json_scan_colon(struct json_scan *scan, struct error *err);
/* Consumes a number at hand; same lifetime as json_scan_text. */
int json_scan_number(struct json_scan *scan, struct span *text, bool *whole, struct error *err);
/* Consumes a literal at hand, which is one of the texts below. */
int json_scan_literal(struct json_scan *scan, const char **literal, struct error *err);
extern const char json_true[], json_false[], json_null[], json_nan[];
/* Consumes any value. */
int json_scan_skip(struct json_scan *scan, struct error *err);

/* Decodes the escapes of a checked raw string; `out` has room for raw.len bytes. */
size_t json_scan_decode(struct span raw, char *out);

#endif
