/* Strings and numbers are walked over one by one; in between only brackets matter. */
#include "base/json/check.h"

#include <stdbool.h>
#include <string.h>

#include "base/text/number.h"
#include "base/text/utf8.h"

enum { depth_limit = 256, escape_length = 6 };

int json_fault(struct span bytes, size_t at, const char *what, struct error *err)
{
	size_t line = 1, column = 1;
	for (size_t i = 0; i < at && i < bytes.len; i++) {
		column++;
		if (bytes.ptr[i] == '\n') {
			line++;
			column = 1;
		}
	}
	return error_set(err, ERR_FORMAT, "%s at line %zu, column %zu (byte %zu)", what, line,
			 column, at);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The UTF-16 unit of the "\uXXXX" at `at`, or -1. */
static int unit_at(struct span bytes, size_t at)
{
	int unit = 0;
	if (at + escape_length > bytes.len || memcmp(bytes.ptr + at, "\\u", 2) != 0)
		return -1;
	for (size_t i = at + 2; i < at + escape_length; i++) {
		int digit = hex_digit(bytes.ptr[i]);
		if (digit < 0)
			return -1;
		unit = unit * 16 + digit;
	}
	return unit;
}

static bool is_between(int unit, int first, int last)
{
	return unit >= first && unit <= last;
}

/* *at stands on a backslash and is moved behind the escape. */
static int check_escape(struct span bytes, size_t *at, struct error *err)
{
	static const char simple[] = {'"', '\\', '/', 'b', 'f', 'n', 'r', 't'};
	if (*at + 1 == bytes.len || memchr(simple, bytes.ptr[*at + 1], sizeof simple)) {
		*at += 2;
		return 0;
	}
	int unit = unit_at(bytes, *at);
	bool paired = is_between(unit, 0xd800, 0xdbff) &&
		      is_between(unit_at(bytes, *at + escape_length), 0xdc00, 0xdfff);
	if (unit == 0)
		return json_fault(bytes, *at, "NUL character in a string", err);
	if (unit < 0 || (is_between(unit, 0xd800, 0xdfff) && !paired))
		return json_fault(bytes, *at, "malformed escape", err);
	*at += paired ? 2 * escape_length : escape_length;
	return 0;
}

/* *at stands behind the opening quote and is moved behind the closing one. */
static int check_string(struct span bytes, size_t *at, struct error *err)
{
	while (*at < bytes.len && bytes.ptr[*at] != '"') {
		unsigned char c = (unsigned char)bytes.ptr[*at];
		if (c < 0x20)
			return json_fault(bytes, *at,
					  c ? "control character in a string" : "NUL byte", err);
		if (c != '\\')
			++*at;
		else if (check_escape(bytes, at, err) < 0)
			return -1;
	}
	if (*at >= bytes.len)
		return json_fault(bytes, bytes.len, "the JSON ends too early", err);
	++*at;
	return 0;
}

static int check_number(struct span bytes, size_t *at, struct error *err)
{
	bool integer = false;
	struct span rest = {bytes.ptr + *at, bytes.len - *at};
	size_t len = number_length(rest, &integer);
	if (len == 0 || (len < rest.len && memchr("+-.0123456789", rest.ptr[len], 13)))
		return json_fault(bytes, *at, "malformed number", err);
	if (integer && !number_is_exact((struct span){rest.ptr, len}))
		return json_fault(bytes, *at,
				  "an integer beyond 2^53 that cannot be kept exactly (write it as "
				  "a text)",
				  err);
	*at += len;
	return 0;
}

/* What is neither inside a string nor inside a number. */
static int check_mark(struct span bytes, size_t at, int *depth, struct error *err)
{
	unsigned char c = (unsigned char)bytes.ptr[at];
	if (c < 0x20 && c != '\t' && c != '\n' && c != '\r')
		return json_fault(bytes, at, c ? "control character" : "NUL byte", err);
	if ((c == '{' || c == '[') && ++*depth > depth_limit)
		return json_fault(bytes, at, "nesting deeper than 256 levels", err);
	if (c == '}' || c == ']')
		--*depth;
	return 0;
}

int json_check(struct span bytes, struct error *err)
{
	int depth = 0;
	size_t valid = utf8_valid_prefix(bytes);
	if (valid < bytes.len)
		return json_fault(bytes, valid, "invalid UTF-8", err);
	for (size_t at = 0; at < bytes.len;) {
		char c = bytes.ptr[at];
		int rc;
		if (c == '"') {
			at++;
			rc = check_string(bytes, &at, err);
		} else if (c == '-' || (c >= '0' && c <= '9')) {
			rc = check_number(bytes, &at, err);
		} else {
			rc = check_mark(bytes, at++, &depth, err);
		}
		if (rc < 0)
			return -1;
	}
	return 0;
}
