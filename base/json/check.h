/*
 * The look at a JSON document's bytes before cJSON takes them, for all that cJSON lets
 * through or gets wrong: invalid UTF-8, control characters, malformed numbers and escapes,
 * integers that a double cannot keep, nesting that would exhaust the stack. What stands
 * where (commas, colons, literals) is left to cJSON.
 */
#ifndef BASE_JSON_CHECK_H
#define BASE_JSON_CHECK_H

#include <stddef.h>

#include "base/error.h"
#include "base/span.h"

/* A NUL follows the bytes, which is not counted. */
int json_check(struct span bytes, struct error *err);
/* ERR_FORMAT, "<what> at line 1, column 2 (byte 1)"; returns -1. */
int json_fault(struct span bytes, size_t at, const char *what, struct error *err);

#endif
