/*
 * Lines of a text as a terminal leaves them: numbered from 1, ended by LF or
 * CRLF, and where a carriage return stands inside a line, only what was printed
 * over the rest counts. A byte order mark is skipped.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

struct lines {
	struct span rest;
	size_t number;   /* of the line last handed out */
	bool terminated; /* it had a line end; false: the text ends there */
};

struct lines lines_of(struct span text);
/* False at the end of the text. The line has no line end. */
bool lines_next(struct lines *lines, struct span *line);

enum { lines_excerpt_size = 64 };
/* The beginning of any bytes in printable ASCII, for messages. */
const char *lines_excerpt(char out[lines_excerpt_size], struct span bytes);

/* Whether it is a line of a log, as the profiler and the runtime write them to stderr. */
bool lines_is_log(struct span line);
