/* Any bytes as a document for the streaming JSON reader. What it accepts, base/json must accept
 * too, apart from the numbers that the stream takes on purpose. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/json.h"
#include "ingest/json_stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static int member(void *context, struct span section, struct span name,
		  const struct json_value *value, struct error *err)
{
	size_t *total = context;
	(void)err;
	*total += section.len + name.len + value->text.len;
	assert(value->kind != JSON_VALUE_TEXT || !memchr(value->text.ptr, 0, value->text.len));
	assert(value->number - value->number == 0);
	return 0;
}

static int record(void *context, struct span section, const struct json_value *values,
		  struct error *err)
{
	size_t *total = context;
	(void)section, (void)err;
	*total += values ? values[1].text.len : 0;
	assert(!values || values[0].kind == JSON_VALUE_NUMBER ||
	       values[0].kind == JSON_VALUE_MISSING);
	return 0;
}

static const struct json_field fields[] = {{"a", JSON_FIELD_NUMBER},
					   {"b", JSON_FIELD_TEXT},
					   {"c", JSON_FIELD_ANY},
					   {NULL, JSON_FIELD_ANY}};
static const struct json_section sections[] = {
	{"r", fields, NULL, record},
	{"*", NULL, member, record},
	{NULL, NULL, NULL, NULL},
};

static int read_bytes(struct span text, bool preamble, struct json_stream_counts *counts)
{
	size_t total = 0;
	struct error err = {0};
	struct json_stream stream = {
		.sections = sections, .context = &total, .skip_preamble = preamble};
	struct input *input = input_of_bytes(text);
	int rc = json_stream_read(&stream, input, counts, &err);
	assert(rc == 0 || (err.text[0] && strstr(err.text, "byte ")));
	input_close(input);
	return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct span text = {(const char *)bytes, size};
	struct json_stream_counts counts = {0};
	read_bytes(text, true, &counts);
	bool packed = size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
	if (read_bytes(text, false, &counts) < 0 || packed)
		return 0;
	struct arena arena = {0};
	struct error err = {0};
	/* Only the stream takes NaN and its kin, wide numbers and deep nesting. */
	bool special = span_find(text, "NaN") < size || span_find(text, "Infinity") < size;
	if (!special && !json_parse(&arena, text, &err))
		assert(strstr(err.text, "2^53") || strstr(err.text, "double") ||
		       strstr(err.text, "deep") || strstr(err.text, "nest"));
	arena_free(&arena);
	return 0;
}
