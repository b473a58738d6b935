/*
 * An error is a kind and one sentence for the person at the keyboard. Functions
 * that can fail return 0 or -1 and take `struct error *err` last; on failure
 * they leave their results untouched. Where the cause is known, the sentence is
 * set once; callers on the way up only put context in front.
 */
#pragma once

#include <stddef.h>

enum error_kind {
	ERR_NONE = 0,
	ERR_USAGE,        /* the command line or the configuration is wrong */
	ERR_FORMAT,       /* an input file is not what it should be */
	ERR_SYSTEM,       /* the operating system refused: permission, disk full ... */
	ERR_STORE,        /* the run store cannot be used */
	ERR_REVISION,     /* git: no repository, unknown revision, hidden history ... */
	ERR_UNKNOWN_THING /* a device, metric or template that nobody knows */
};

struct error {
	enum error_kind kind;
	char text[1024]; /* always NUL-terminated, without a final newline */
};

/* Sets kind and text; returns -1 so that callers can `return error_set(...)`. */
int error_set(struct error *err, enum error_kind kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Puts "<context>: " in front of the text; returns -1. */
int error_prefix(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Like error_set(ERR_SYSTEM, ...) with ": <strerror(errno)>" appended. */
int error_errno(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#if defined __clang_analyzer__ && !defined BASE_ERROR_C
/* The analyzer sees one file at a time and would follow the path where a failure returns 0. */
#define error_set(...) (error_set(__VA_ARGS__), -1)
#define error_prefix(...) (error_prefix(__VA_ARGS__), -1)
#define error_errno(...) (error_errno(__VA_ARGS__), -1)
#endif
