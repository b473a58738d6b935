/* Errors as values: a kind and a sentence in the caller's memory; nothing is allocated. */
#define BASE_ERROR_C
#include "base/error.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int error_set(struct error *err, enum error_kind kind, const char *format, ...)
{
	va_list args;
	assert(err && kind != ERR_NONE);
	va_start(args, format);
	err->kind = kind;
	vsnprintf(err->text, sizeof err->text, format, args);
	va_end(args);
	return -1;
}

int error_prefix(struct error *err, const char *format, ...)
{
	char context[512];
	char old[sizeof err->text];
	va_list args;
	va_start(args, format);
	vsnprintf(context, sizeof context, format, args);
	va_end(args);
	memcpy(old, err->text, sizeof old);
	int n = snprintf(err->text, sizeof err->text, "%s: ", context);
	size_t at = n < 0 ? 0 : (size_t)n;
	if (at < sizeof err->text) {
		size_t room = sizeof err->text - at;
		/* The precision states that truncation is intended: no -Wformat-truncation. */
		snprintf(err->text + at, room, "%.*s", (int)room - 1, old);
	}
	return -1;
}

int error_errno(struct error *err, const char *format, ...)
{
	int saved = errno;
	char context[768];
	va_list args;
	va_start(args, format);
	vsnprintf(context, sizeof context, format, args);
	va_end(args);
	return error_set(err, ERR_SYSTEM, "%s: %s", context, strerror(saved));
}
