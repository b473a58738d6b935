/* Any bytes as a document for the streaming JSON reader. What it accepts, base/json must accept
 * too, apart from the numbers that the stream takes on purpose. Every instruction set of this
 * machine and every size of its buffer must give the same and say the same of what is bad. */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/hash/table_hash.h"
#include "base/json/json.h"
#include "tests/unit/json_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_value(const struct json_value *value)
{
	assert(value->kind != JSON_VALUE_TEXT || !memchr(value->text.ptr, 0, value->text.len));
	assert((value->kind == JSON_VALUE_NUMBER) == (bool)isfinite(value->number));
	assert(value->kind == JSON_VALUE_TEXT || value->text.len == 0);
	assert(value->kind == JSON_VALUE_BOOL || !value->truth);
}

static int member(void *context, struct span section, struct span name,
		  const struct json_value *value, struct error *err)
{
	check_value(value);
	return json_log_member(context, section, name, value, err);
}

static void record(void *context, const struct json_value *values)
{
	for (int i = 0; i < json_log_fields; i++)
		check_value(&values[i]);
	assert(values[0].kind == JSON_VALUE_NUMBER || values[0].kind == JSON_VALUE_MISSING);
	assert(values[1].kind == JSON_VALUE_TEXT || values[1].kind == JSON_VALUE_MISSING);
	json_log_record(context, values);
}

static const struct json_field fields[] = {{"a", JSON_FIELD_NUMBER},
					   {"b", JSON_FIELD_TEXT},
					   {"c", JSON_FIELD_ANY},
					   {"a_name_that_is_longer_than_24_bytes", JSON_FIELD_ANY},
					   {NULL, JSON_FIELD_ANY}};
/* Nothing is skipped by the first table. */
static const struct json_section all_sections[] = {
	{"r", fields, .record = record},
	{"*", .member = member, .end = json_log_end},
	{.name = NULL},
};
static const struct json_section some_sections[] = {
	{"r", fields, .record = record},
	{"s", fields, .record = record},
	{"m", .member = member, .end = json_log_end},
	{.name = NULL},
};

static struct json_log want, got;

static void compare(struct json_stream how, struct span text)
{
	const size_t rooms[] = {64, 64 + table_hash_of(text) % 1000, 0};
	json_log_read(&want, how, "none", text);
	assert(want.rc == 0 || strstr(want.err.text, "byte "));
	for (const struct json_blocks_variant *v = json_blocks_variants; v->name; v++)
		for (size_t i = 0; v->supported() && i < sizeof rooms / sizeof *rooms; i++) {
			how.room = rooms[i];
			json_log_read(&got, how, v->name, text);
			if (json_log_same(&want, &got))
				continue;
			fprintf(stderr, "%s, %zu bytes:\n%s\n%s\nnone:\n%s\n%s\n", v->name,
				rooms[i], strbuf_text(&got.text), got.err.text,
				strbuf_text(&want.text), want.err.text);
			assert(!"all variants give the same");
		}
}

/* What is not looked at after a section changes nothing of what is handed over. */
static void compare_until(struct span text)
{
	static struct strbuf whole;
	struct json_stream how = {.sections = some_sections};
	compare(how, text);
	bool valid = want.rc == 0;
	strbuf_reset(&whole);
	strbuf_addspan(&whole, strbuf_span(&want.text));
	how.until = "s";
	compare(how, text);
	assert(!valid || want.rc == 0);
	assert(!valid || strncmp(strbuf_text(&whole), strbuf_text(&want.text), want.text.len) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct span text = {(const char *)bytes, size};
	compare((struct json_stream){.sections = all_sections, .skip_preamble = true}, text);
	compare_until(text);
	json_log_read(&want, (struct json_stream){.sections = all_sections}, "words", text);
	bool packed = size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
	if (want.rc < 0 || packed)
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
