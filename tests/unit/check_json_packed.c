/* Documents that are read where a thread has unpacked them: with items of all lengths across the
 * ends of its buffers they read as they do from memory. */
#include "ingest/json_stream.h"

#include "base/hash.h"
#include "base/strbuf.h"
#include "tests/unit/packed.h"
#include "tests/unit/unit.h"

struct seen {
	uint64_t hash;
	size_t records, bytes;
};

static int see(void *context, struct span section, const struct json_value *values,
	       struct error *err)
{
	struct seen *seen = context;
	(void)section, (void)err;
	for (int i = 0; i < 2; i++) {
		struct span text = values[i].kind == JSON_VALUE_TEXT ? values[i].text : span_of("");
		seen->hash = seen->hash * 31 + hash_of(text);
		seen->bytes += text.len;
	}
	seen->records++;
	return 0;
}

static struct seen read_as_records(struct span text, size_t threads, size_t room, struct error *err)
{
	static const struct json_field fields[] = {
		{"id", JSON_FIELD_TEXT}, {"text", JSON_FIELD_TEXT}, {NULL, JSON_FIELD_ANY}};
	static const struct json_section sections[] = {{"r", fields, NULL, see},
						       {NULL, NULL, NULL, NULL}};
	struct seen seen = {0};
	struct json_stream_counts counts;
	struct json_stream stream = {.sections = sections, .context = &seen, .room = room};
	struct input *input = input_of_bytes(text);
	input_set_threads(input, threads);
	*err = (struct error){0};
	json_stream_read(&stream, input, &counts, err);
	input_close(input);
	return seen;
}

static uint32_t random_below(uint32_t *state, uint32_t limit)
{
	*state = *state * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)*state * limit >> 32);
}

/* Behind the head, the longest texts are longer than the margin of a buffer, and the longest
 * strings that nobody wants than all that the scanner keeps. */
static void add_record(struct strbuf *out, bool long_texts, uint32_t *state)
{
	uint32_t kind = random_below(state, 40);
	size_t text = random_below(state, long_texts && out->len > input_head_size ? 60000 : 300);
	size_t other = random_below(state, kind == 0 && !long_texts ? 700000 : 300);
	strbuf_addf(out, "%s{\"id\":\"%u\",\"other\":\"", out->len > 10 ? "," : "", *state);
	strbuf_repeat(out, "x", other);
	strbuf_addstr(out, "\",\"text\":\"");
	for (size_t i = 0; i < text; i++)
		strbuf_addch(out, (char)('a' + random_below(state, 26)));
	strbuf_addstr(out, "\"}");
}

static void gzip_of(struct strbuf *out, struct span text)
{
	packed_gzip(out, text, 0);
}

struct way {
	uint32_t seed;
	bool long_texts, cut_off, gzip;
	size_t room;
};

static void compare(struct way way)
{
	struct strbuf text = {0}, packed = {0};
	struct error plain_error, error;
	strbuf_addstr(&text, "{\"r\":[");
	while (text.len < 8000000)
		add_record(&text, way.long_texts, &way.seed);
	if (!way.cut_off)
		strbuf_addstr(&text, "]}");
	(way.gzip ? gzip_of : packed_zstd)(&packed, strbuf_span(&text));
	struct seen plain = read_as_records(strbuf_span(&text), 1, 0, &plain_error);
	ck_assert_int_eq(plain_error.kind != ERR_NONE, way.cut_off);
	ck_assert_uint_gt(plain.records, 200);
	for (size_t threads = 1; threads <= 2; threads++) {
		struct seen seen = read_as_records(strbuf_span(&packed), threads, way.room, &error);
		ck_assert_str_eq(error.text, plain_error.text);
		ck_assert_uint_eq(seen.records, plain.records);
		ck_assert_uint_eq(seen.bytes, plain.bytes);
		ck_assert_uint_eq(seen.hash, plain.hash);
	}
	strbuf_free(&text);
	strbuf_free(&packed);
}

START_TEST(reads_where_it_is_unpacked)
{
	static const struct way ways[] = {
		{1, false, false, true, 0},  {2, true, false, true, 0},
		{3, true, true, false, 0},   {4, true, false, false, 64},
		{5, false, true, false, 64}, {6, true, false, false, 4096},
	};
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		compare(ways[i]);
}
END_TEST

UNIT_MAIN("json_packed", reads_where_it_is_unpacked)
