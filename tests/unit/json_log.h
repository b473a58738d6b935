/* A log of what reading a document reports. Two ways of reading agree if their logs are equal. */
#ifndef TESTS_UNIT_JSON_LOG_H
#define TESTS_UNIT_JSON_LOG_H

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "ingest/json/simd/blocks.h"
#include "ingest/json/stream.h"

enum { json_log_fields = 4 }; /* fields of every section that lists any */

struct json_log {
	struct strbuf text;
	struct json_stream_counts counts;
	struct error err;
	int rc;
};

static inline void json_log_value(struct strbuf *log, const struct json_value *value)
{
	strbuf_addf(log, "%d", (int)value->kind);
	if (value->kind == JSON_VALUE_NUMBER)
		strbuf_addf(log, "=%a,%d,%d,%llu", value->number, value->exact, value->negative,
			    (unsigned long long)value->magnitude);
	if (value->kind == JSON_VALUE_TEXT)
		strbuf_addf(log, "='%.*s'", (int)value->text.len, value->text.ptr);
	if (value->kind == JSON_VALUE_BOOL)
		strbuf_addf(log, "=%d", value->truth);
	strbuf_addch(log, ' ');
}

/* The callbacks of a struct json_section. */
static inline void json_log_record(void *context, const struct json_value *values)
{
	strbuf_addstr(context, "record:");
	for (int i = 0; i < json_log_fields; i++)
		json_log_value(context, &values[i]);
	strbuf_addch(context, '|');
}

static inline int json_log_member(void *context, struct span section, struct span name,
				  const struct json_value *value, struct error *err)
{
	(void)section, (void)err;
	strbuf_addspan(context, name);
	json_log_value(context, value);
	return 0;
}

static inline int json_log_end(void *context, struct span section, struct error *err)
{
	(void)err;
	strbuf_addspan(context, section);
	strbuf_addstr(context, ":|");
	return 0;
}

/* Reads as `stream` says, but for its context, with a variant that this machine has. */
static inline void json_log_read(struct json_log *out, struct json_stream stream,
				 const char *variant, struct span text)
{
	struct input *input = input_of_bytes(text);
	stream.context = &out->text;
	strbuf_reset(&out->text);
	out->err.text[0] = '\0';
	if (!json_blocks_use(variant))
		abort();
	out->rc = json_stream_read(&stream, input, &out->counts, &out->err);
	input_close(input);
}

static inline bool json_log_same(const struct json_log *a, const struct json_log *b)
{
	return a->rc == b->rc && strcmp(strbuf_text(&a->text), strbuf_text(&b->text)) == 0 &&
	       strcmp(a->err.text, b->err.text) == 0 &&
	       a->counts.duplicates == b->counts.duplicates &&
	       a->counts.not_numbers == b->counts.not_numbers;
}

#endif
