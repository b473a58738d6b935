/* What the tests of readers share: reading a text or a file with one reader or any. */
#ifndef TESTS_UNIT_INGEST_FIXTURE_H
#define TESTS_UNIT_INGEST_FIXTURE_H

#include <math.h>
#include <string.h>

#include "ingest/reader.h"
#include "ingest/registry/registry.h"
#include "tests/unit/unit.h"

struct ingest_outcome {
	struct arena arena;
	struct ingest_result result;
	struct error err;
	const struct reader *used;
	int rc;
};

/* With `reader`, or with the one that detects when it is NULL. The input is closed. */
static inline struct ingest_outcome ingest_input(const struct reader *reader, struct input *input)
{
	struct ingest_outcome out = {.used = reader};
	out.rc = reader ? reader_read_as(reader, &out.arena, input, &out.result, &out.err)
			: reader_read(&out.arena, input, &out.result, &out.used, &out.err);
	input_close(input);
	return out;
}

static inline struct ingest_outcome ingest_text(const struct reader *reader, const char *text)
{
	return ingest_input(reader, input_of_bytes(span_of(text)));
}

/* The text must be refused with this message, and nothing added. */
static inline void ingest_refuses(const struct reader *reader, const char *text,
				  const char *message)
{
	struct ingest_outcome out = ingest_text(reader, text);
	ck_assert_msg(out.rc < 0, "read: %s", text);
	ck_assert_msg(strcmp(out.err.text, message) == 0, "%s\nsays: %s\nnot:  %s", text,
		      out.err.text, message);
	ck_assert_uint_eq(out.result.runs.count, 0);
	ck_assert_uint_eq(out.result.param_count, 0);
	ck_assert_uint_eq(out.result.devices.count, 0);
	ck_assert_uint_eq(out.result.companions.count, 0);
	arena_free(&out.arena);
}

/* Exactly, unknown included. */
static inline void ingest_number(double number, double expected)
{
	ck_assert_msg(number == expected || (isnan(number) && isnan(expected)), "%.17g, not %.17g",
		      number, expected);
}

static inline bool ingest_has_note(const struct run *run, const char *message)
{
	for (size_t i = 0; i < run->note_count; i++)
		if (strcmp(run->notes[i].message, message) == 0)
			return true;
	return false;
}

#endif
