/* One pass over the grammar; exactness is seen by writing the double out again. */
#include "base/text/number.h"

#include <stdio.h>

static size_t skip_digits(struct span text, size_t at)
{
	while (at < text.len && text.ptr[at] >= '0' && text.ptr[at] <= '9')
		at++;
	return at;
}

static bool is_at(struct span text, size_t at, char c)
{
	return at < text.len && text.ptr[at] == c;
}

size_t number_length(struct span text, bool *integer)
{
	size_t begin = is_at(text, 0, '-') ? 1 : 0;
	size_t at = is_at(text, begin, '0') ? begin + 1 : skip_digits(text, begin);
	size_t whole = at;
	if (at == begin)
		return 0;
	if (is_at(text, at, '.')) {
		size_t fraction = at + 1;
		at = skip_digits(text, fraction);
		if (at == fraction)
			return 0;
	}
	if (is_at(text, at, 'e') || is_at(text, at, 'E')) {
		size_t exponent = at + 1;
		if (is_at(text, exponent, '+') || is_at(text, exponent, '-'))
			exponent++;
		at = skip_digits(text, exponent);
		if (at == exponent)
			return 0;
	}
	*integer = at == whole;
	return at;
}

bool number_is_exact(struct span digits)
{
	enum { always_exact = 15 }; /* digits that every double keeps */
	char shown[320];
	double value;
	if (digits.len <= always_exact)
		return true;
	if (!span_number(digits, &value))
		return false;
	snprintf(shown, sizeof shown, "%.0f", value);
	return span_is(digits, shown);
}
