/*
 * An error is a kind and one sentence for the user.
 *
 * Functions that can fail return 0 or -1 and take `struct error *err` as their last parameter. On
 * failure they set *err and leave their results unchanged. The sentence is set once, where the
 * cause is known; callers further up only prepend context. *err is meaningless after success.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stddef.h>

enum error_kind {
	ERR_NONE = 0,
	ERR_USAGE,        /* the command line or the configuration is wrong */
	ERR_FORMAT,       /* an input file is invalid */
	ERR_SYSTEM,       /* the operating system refused: no permission, disk full ... */
	ERR_STORE,        /* the store cannot be used */
	ERR_REVISION,     /* git: no repository, unknown revision, shallow history ... */
	ERR_UNKNOWN_THING /* unknown device, metric or template */
};

struct error {
	enum error_kind kind;
	char text[1024]; /* NUL-terminated, without a final newline; longer texts are truncated */
};

/* Sets kind and text; returns -1 so that callers can `return error_set(...)`. */
int error_set(struct error *err, enum error_kind kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Prepends "<context>: " to the text; returns -1. */
int error_prefix(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Like error_set(ERR_SYSTEM, ...) with ": <strerror(errno)>" appended. */
int error_errno(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#if defined __clang_analyzer__ && !defined BASE_ERROR_C
/* The analyzer sees one source at a time and does not know that these functions return -1. */
#define error_set(...) (error_set(__VA_ARGS__), -1)
#define error_prefix(...) (error_prefix(__VA_ARGS__), -1)
#define error_errno(...) (error_errno(__VA_ARGS__), -1)
#endif

#endif
