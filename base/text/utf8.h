/* UTF-8: validation, and how many terminal columns a text takes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

/* The next code point of a non-empty span and its length in bytes (1 to 4); returns 0 when
 * the bytes are no valid UTF-8 (overlong, surrogate, beyond U+10FFFF, cut off). */
size_t utf8_next(struct span bytes, uint32_t *code_point);
/* Whether a non-empty span is the beginning of a code point whose last bytes are missing. */
bool utf8_is_cut_off(struct span bytes);
/* Length of the longest valid prefix; equal to bytes.len when all is valid. */
size_t utf8_valid_prefix(struct span bytes);
/* Whether it is one line of text: valid UTF-8 without control characters. The empty span is. */
bool utf8_is_line(struct span text);
/* Terminal columns: 2 for wide East Asian characters, 0 for combining marks, else 1. */
size_t utf8_columns(struct span text);
/* Adds one code point to a 4-byte buffer; returns its length. */
size_t utf8_put(char out[4], uint32_t code_point);
