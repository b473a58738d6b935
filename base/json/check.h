/*
 * Checks a JSON document before cJSON parses it, for everything that cJSON accepts or misreads:
 *   - invalid UTF-8 and control characters;
 *   - malformed numbers and escapes;
 *   - integers that a double cannot represent exactly;
 *   - nesting that would exhaust the stack.
 * The order of tokens (commas, colons, literals) is left to cJSON.
 */
#pragma once

#include "base/base.h"

/* The bytes must be followed by a NUL that is not counted. */
int json_check(struct span bytes, struct error *err);
/* Sets ERR_FORMAT, "<what> at line 1, column 2 (byte 1)" for the offset `at`; returns -1. */
int json_fault(struct span bytes, size_t at, const char *what, struct error *err);
