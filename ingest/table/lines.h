/*
 * Lines of a text as a terminal shows them: numbered from 1, ended by LF or CRLF. After a carriage
 * return inside a line the text before it is overwritten, so only the last part counts. A byte
 * order mark is skipped.
 */
#pragma once

#include "base/base.h"

struct lines {
	struct span rest;
	size_t number;   /* of the current line */
	bool terminated; /* false: the text ends without a line end */
};

struct lines lines_of(struct span text);
/* Reads the next line, without its line end; false at the end of the text. */
bool lines_next(struct lines *lines, struct span *line);

enum { lines_excerpt_size = 64 };
/* The beginning of arbitrary bytes as printable ASCII, for messages. */
const char *lines_excerpt(char out[lines_excerpt_size], struct span bytes);

/* Whether it is a log line as the profiler and the runtime write them to stderr. */
bool lines_is_log(struct span line);
