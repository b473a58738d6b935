/*
 * The lexical part of json_stream: a buffer over an input, and steps over JSON syntax. Everything
 * is checked, even if it is skipped: brackets, commas, escapes, UTF-8, numbers, literals, depth and
 * length. All errors begin with the byte offset in the decompressed document.
 *
 * Most of a document does not pass through these functions, because blocks.h takes whole items.
 *
 * Never add the members of a particular format.
 */
#pragma once

#include "base/base.h"
#include "ingest/input/input.h"
#include "ingest/json/simd/blocks.h"
#include "ingest/json/source.h"
#include "base/json/token.h"

enum {
	json_buffer_size = 128 * 1024, /* usual size of the buffer, bytes */
	json_read_size = 64 * 1024,    /* bytes per read: small documents touch little memory */
	json_depth_limit = 1024,
	json_text_limit = 64 * 1024,          /* bytes of a text or name that is returned */
	json_string_limit = 16 * 1024 * 1024, /* bytes of any string */
	json_number_limit = 4096              /* characters of a number */
};

struct json_scan {
	struct json_source source;
	const char *at, *end; /* the unread part of the buffer; *end is NUL */
	uint64_t base;        /* offset of buffer[0] in the document */
	bool ended;           /* the input has no more bytes */
	bool fresh;           /* an opening bracket was just consumed */
	unsigned depth;
	unsigned char is_object[json_depth_limit / 8]; /* one bit per open bracket */
	uint64_t quick_from; /* blocks.h is not tried before this offset */
	uint64_t patience;   /* bytes by which the next trial is delayed if blocks.h takes little */
	char *buffer;        /* has json_slack bytes before and after it; `own` or in a window */
	char *own;
	size_t room; /* size of `own`, bytes */
};

/* Never NULL; released by json_scan_free(). The buffer has `room` bytes at first and grows if a
 * text does not fit. The input must not have been read yet. After reading without an error, call
 * json_source_check() to make sure that the bytes were those of the file. */
struct json_scan *json_scan_new(struct input *input, size_t room);
void json_scan_free(struct json_scan *scan);

/* Offset of the next byte. */
uint64_t json_scan_offset(const struct json_scan *scan);
/* Sets the error "byte N: ..." for the position `where` in the buffer; always -1. */
int json_scan_fail(const struct json_scan *scan, const char *where, struct error *err,
		   const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Skips white space and returns the next byte without consuming it. -1 and *err at the end. */
int json_scan_peek(struct json_scan *scan, struct error *err);
/* Skips white space; 1 at the end of the document, 0 before another byte, -1 and *err. */
int json_scan_at_end(struct json_scan *scan, struct error *err);
/* Ensures that the buffer has `count` unread bytes; fewer only at the end of the document. */
int json_scan_ensure(struct json_scan *scan, size_t count, struct error *err);

/* Consumes an opening bracket. */
int json_scan_open(struct json_scan *scan, struct error *err);
/* Called after an opening bracket or a value: 1 if another item follows (in an object: its name), 0
 * if the container was closed, -1 and *err. */
int json_scan_next(struct json_scan *scan, struct error *err);
/* Consumes a string and returns its raw bytes, still escaped and valid until the next call. Strings
 * of more than json_text_limit bytes are an error. */
int json_scan_text(struct json_scan *scan, struct span *raw, bool *escaped, struct error *err);
/* Consumes the colon after a name. */
int json_scan_colon(struct json_scan *scan, struct error *err);
/* Consumes a number; *text is valid until the next call. */
int json_scan_number(struct json_scan *scan, struct span *text, bool *whole, struct error *err);
/* Consumes a literal; *literal is its meaning as in struct json_literal. */
int json_scan_literal(struct json_scan *scan, const char **literal, struct error *err);
/* Consumes any value. */
int json_scan_skip(struct json_scan *scan, struct error *err);
/* Called after an opening bracket or an item: consumes as many items as simd/blocks.h takes. The
 * job determines whether they are skipped or are records. */
int json_scan_items(struct json_scan *scan, struct json_blocks *job, struct error *err);
