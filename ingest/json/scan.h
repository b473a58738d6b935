/*
 * The lexical half of json_stream: a buffer over an input, and the steps over
 * JSON syntax. Everything that is stepped over is checked: brackets, commas,
 * escapes, UTF-8, numbers, literals, depth and length. All errors begin with the
 * byte offset in the unpacked document.
 *
 * Most of a document is not stepped over: blocks.h takes whole items.
 */
#ifndef INGEST_JSON_SCAN_H
#define INGEST_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/span.h"
#include "ingest/input/input.h"
#include "ingest/json/simd/blocks.h"
#include "ingest/json/source.h"
#include "base/json/token.h"

enum {
	json_buffer_size = 128 * 1024, /* as a rule */
	json_read_size = 64 * 1024,    /* at once: of a small document no more of it is touched */
	json_depth_limit = 1024,
	json_text_limit = 64 * 1024,          /* of a text or name that is handed over */
	json_string_limit = 16 * 1024 * 1024, /* of any string */
	json_number_limit = 4096              /* characters of a number */
};

struct json_scan {
	struct json_source source;
	const char *at, *end; /* the unread part of the buffer; *end is NUL */
	uint64_t base;        /* offset of buffer[0] in the document */
	bool ended;           /* the input has no more bytes */
	bool fresh;           /* just after an opening bracket */
	unsigned depth;
	unsigned char is_object[json_depth_limit / 8]; /* a bit for each open bracket */
	uint64_t quick_from; /* what begins before this offset is not for blocks.h */
	uint64_t patience;   /* bytes to wait when blocks.h takes little again */
	char *buffer;        /* with json_slack bytes before and behind: `own`, or in a window */
	char *own;
	size_t room; /* of `own` */
};

/* Never NULL; ended by json_scan_free(). The buffer begins with `room` bytes, and grows when a text
 * does not fit. Nothing of the input has been read yet. Whoever has read without a failure asks
 * json_source_check() whether that holds. */
struct json_scan *json_scan_new(struct input *input, size_t room);
void json_scan_free(struct json_scan *scan);

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
/* Consumes a literal at hand: its meaning, as in struct json_literal. */
int json_scan_literal(struct json_scan *scan, const char **literal, struct error *err);
/* Consumes any value. */
int json_scan_skip(struct json_scan *scan, struct error *err);
/* After an opening bracket or an item: consumes as many items as simd/blocks.h takes. The job says
 * what to do with them. */
int json_scan_items(struct json_scan *scan, struct json_blocks *job, struct error *err);

#endif
