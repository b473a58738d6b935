/*
 * A JSON object whose members are collected and then written in random order, as a program does
 * that keeps them in a hash table. All of it is inline: a generator writes millions of members.
 */
#ifndef BENCH_TOOLS_RECORD_H
#define BENCH_TOOLS_RECORD_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tools/schedule.h"

enum { member_limit = 40, record_limit = 8192 };

struct record {
	char text[record_limit];
	size_t length, starts[member_limit + 1], count;
};

static inline void end_member(struct record *record, size_t length)
{
	record->length += length;
	if (record->length >= record_limit || record->count == member_limit)
		abort();
	record->starts[++record->count] = record->length;
}

__attribute__((format(printf, 2, 3))) static inline void member(struct record *record,
								const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int length = vsnprintf(record->text + record->length, record_limit - record->length, format,
			       args);
	va_end(args);
	end_member(record, (size_t)length);
}

static inline char *put(char *to, const char *from)
{
	size_t length = strlen(from);
	memcpy(to, from, length);
	return to + length;
}

/* Most members are numbers and short texts: they go without printf. */
static inline void number(struct record *record, const char *name, uint64_t value)
{
	char digits[24], *first = digits + sizeof digits - 1;
	char *start = record->text + record->length, *to = start;
	if (record->length + strlen(name) + sizeof digits + 4 > record_limit)
		abort();
	*first = '\0';
	do {
		*--first = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	*to++ = '"';
	to = put(put(put(to, name), "\":"), first);
	end_member(record, (size_t)(to - start));
}

static inline void text(struct record *record, const char *name, const char *value)
{
	char *start = record->text + record->length, *to = start;
	if (record->length + strlen(name) + strlen(value) + 6 > record_limit)
		abort();
	*to++ = '"';
	to = put(put(put(put(to, name), "\":\""), value), "\"");
	end_member(record, (size_t)(to - start));
}

static inline void seconds(struct record *record, const char *name, uint64_t ns)
{
	member(record, "\"%s\":%" PRIu64 ".%09" PRIu64, name, ns / 1000000000, ns % 1000000000);
}

static inline void write_record(struct record *record, struct random *random, bool follows)
{
	size_t order[member_limit];
	for (size_t i = 0; i < record->count; i++) {
		size_t at = below(random, (unsigned)i + 1);
		order[i] = order[at];
		order[at] = i;
	}
	fputs(follows ? ",{" : "{", stdout);
	for (size_t i = 0; i < record->count; i++) {
		const size_t *start = &record->starts[order[i]];
		if (i)
			putchar(',');
		fwrite(record->text + start[0], 1, start[1] - start[0], stdout);
	}
	putchar('}');
	record->count = record->length = 0;
}

#endif
