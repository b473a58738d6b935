/* Numbers as JSON writes them: the grammar, and which integers a double keeps. */
#ifndef BASE_TEXT_NUMBER_H
#define BASE_TEXT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/span.h"

/* Bytes of the number that `text` begins with, -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?,
 * or 0 when there is none. *integer: it has neither a fraction nor an exponent. */
size_t number_length(struct span text, bool *integer);
/* A double is exactly the integer written as `digits` (by the grammar above). */
bool number_is_exact(struct span digits);

#endif
