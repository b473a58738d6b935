/* UTF-8 (RFC 3629): decoding, validation, and the width of a text in terminal columns. */
#pragma once

#include "base/base.h"

/* Decodes the first code point of a non-empty span and returns its length in bytes (1 to 4).
 * Returns 0 for invalid UTF-8: overlong, a surrogate, above U+10FFFF, or truncated. */
size_t utf8_next(struct span bytes, uint32_t *code_point);
/* Removes the first character from a non-empty span and returns its bytes. An invalid byte counts
 * as U+FFFD, whose bytes are returned. `code_point` may be NULL. */
struct span utf8_cut(struct span *rest, uint32_t *code_point);
/* Whether a non-empty span is a truncated code point that more bytes could complete. */
bool utf8_is_cut_off(struct span bytes);
/* The length of the longest valid prefix; bytes.len if everything is valid. */
size_t utf8_valid_prefix(struct span bytes);
/* Whether the text is valid UTF-8 without control characters. It may be empty. */
bool utf8_is_line(struct span text);
/* The beginning of a text, at most `limit` bytes and valid, as one line: control characters are
 * blanks. */
const char *utf8_line(struct arena *arena, const char *text, size_t limit);
/* Whether the text is valid UTF-8 without NUL. It may be empty. */
bool utf8_is_text(struct span text);
/* Whether a code point does not show, or not as a character of its own, e.g. a control character,
 * U+200B or U+202E; the list is in utf8_width.def. */
bool utf8_is_hidden(uint32_t code_point);
/* The sum of terminal columns: 2 for wide East Asian characters, 0 for combining marks, otherwise
 * 1; 1 for each invalid byte. */
size_t utf8_columns(struct span text);
/* The longest beginning of the text that has at most `columns` columns. A wide character that only
 * half fits is not part of it; marks that combine with the last character are. */
struct span utf8_fitting(struct span text, size_t columns);
/* Encodes a code point up to U+10FFFF and returns its length in bytes. */
size_t utf8_put(char out[4], uint32_t code_point);
