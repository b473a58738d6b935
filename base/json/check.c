/* Checks strings and numbers with the grammar of token.h; between them, only brackets count. */
#include "base/json/check.h"

#include "base/json/token.h"
#include "base/text/text.h"

enum { depth_limit = 256 }; /* cJSON recurses once per level; its own limit is 1000 */

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

/* Checks a string. *at is the offset of the opening quote and moves past the closing one. */
static int check_string(struct span bytes, size_t *at, struct error *err)
{
	const char *p = bytes.ptr + *at + 1, *end = bytes.ptr + bytes.len, *why;
	bool escaped;
	enum json_chunk chunk = json_string_check(&p, end, &escaped, &why);
	*at = (size_t)(p - bytes.ptr);
	if (chunk == JSON_CHUNK_CLOSED) {
		++*at;
		return 0;
	}
	if (chunk == JSON_CHUNK_MORE && end - p < 2)
		return json_fault(bytes, bytes.len, "the JSON ends too early", err);
	if (*p == '\\')
		return json_fault(bytes, *at,
				  strncmp(p, "\\u0000", 6) == 0 ? "NUL character in a string"
								: "malformed escape",
				  err);
	return json_fault(bytes, *at, *p ? "control character in a string" : "NUL byte", err);
}

/* Whether a double represents the integer exactly: printing the double gives the same digits. */
static bool is_exact(struct span digits)
{
	enum { always_exact = 15 }; /* DBL_DIG: every integer of as many digits is exact */
	char shown[320];
	double value;
	if (digits.len <= always_exact)
		return true;
	if (!span_number(digits, &value))
		return false;
	snprintf(shown, sizeof shown, "%.0f", value);
	return span_is(digits, shown);
}

static int check_number(struct span bytes, size_t *at, struct error *err)
{
	bool integer;
	const char *begin = bytes.ptr + *at, *end = json_number_end(begin, &integer);
	if (!end || (*end && strchr("+-.0123456789", *end)))
		return json_fault(bytes, *at, "malformed number", err);
	if (integer && !is_exact((struct span){begin, (size_t)(end - begin)}))
		return json_fault(
			bytes, *at,
			"an integer beyond 2^53 cannot be stored exactly (write it as a string)",
			err);
	*at = (size_t)(end - bytes.ptr);
	return 0;
}

/* Checks a byte that is neither in a string nor in a number. */
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
	assert(bytes.ptr[bytes.len] == '\0');
	if (valid < bytes.len)
		return json_fault(bytes, valid, "invalid UTF-8", err);
	for (size_t at = 0; at < bytes.len;) {
		char c = bytes.ptr[at];
		int rc;
		if (c == '"')
			rc = check_string(bytes, &at, err);
		else if (c == '-' || (c >= '0' && c <= '9'))
			rc = check_number(bytes, &at, err);
		else
			rc = check_mark(bytes, at++, &depth, err);
		if (rc < 0)
			return -1;
	}
	return 0;
}
