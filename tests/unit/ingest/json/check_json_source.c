/* Documents that are unpacked, by a thread or not, or read in a window on their file: with items of
 * all lengths across the ends of buffers and windows they read as they do from memory. */
#include "ingest/json/stream.h"

#include <unistd.h>

#include "base/hash/table_hash.h"
#include "base/strbuf.h"
#include "ingest/bytes/file_window.h"
#include "tests/unit/packed.h"
#include "tests/unit/unit.h"

struct seen {
	uint64_t hash;
	size_t records, bytes;
};

static void see(void *context, const struct json_value *values)
{
	struct seen *seen = context;
	for (int i = 0; i < 2; i++) {
		seen->hash = seen->hash * 31 + table_hash_of(values[i].text);
		seen->bytes += values[i].text.len;
	}
	seen->records++;
}

static struct seen read_as_records(struct input *input, size_t threads, size_t room,
				   struct error *err)
{
	static const struct json_field fields[] = {
		{"id", JSON_FIELD_TEXT}, {"text", JSON_FIELD_TEXT}, {NULL, JSON_FIELD_ANY}};
	static const struct json_section sections[] = {{"r", fields, .record = see},
						       {.name = NULL}};
	struct seen seen = {0};
	struct json_stream_counts counts;
	struct json_stream stream = {.sections = sections, .context = &seen, .room = room};
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

/* After the head, the longest skipped strings are longer than the scanner's buffer. */
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

enum form { GZIP, ZSTD, A_FILE };

static struct input *open_file(struct span bytes)
{
	char path[] = "/tmp/json_source.XXXXXX";
	struct error err;
	int fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert(write(fd, bytes.ptr, bytes.len) == (ssize_t)bytes.len);
	close(fd);
	struct input *input = input_open(path, &err);
	unlink(path);
	ck_assert_msg(input != NULL, "%s", err.text);
	return input;
}

/* `room` keeps what is packed. */
static struct input *open_as(enum form form, struct span bytes, struct strbuf *room)
{
	strbuf_reset(room);
	if (form == A_FILE)
		return open_file(bytes);
	if (form == GZIP)
		packed_gzip(room, bytes, 0);
	else
		packed_zstd(room, bytes);
	return input_of_bytes(strbuf_span(room));
}

struct way {
	uint32_t seed;
	bool long_texts, cut_off;
	enum form form;
	size_t room;
};

static void compare(enum form form, size_t room, struct span text, bool good)
{
	struct error plain_error, error;
	struct strbuf packed = {0};
	struct seen plain = read_as_records(input_of_bytes(text), 1, 0, &plain_error);
	ck_assert_int_eq(plain_error.kind == ERR_NONE, good);
	for (size_t threads = 1; threads <= 2; threads++) {
		struct input *input = open_as(form, text, &packed);
		struct seen seen = read_as_records(input, threads, room, &error);
		ck_assert_str_eq(error.text, plain_error.text);
		ck_assert_uint_eq(seen.records, plain.records);
		ck_assert_uint_eq(seen.bytes, plain.bytes);
		ck_assert_uint_eq(seen.hash, plain.hash);
	}
	ck_assert_uint_gt(plain.records, 200);
	strbuf_free(&packed);
}

START_TEST(reads_from_anywhere)
{
	static const struct way ways[] = {
		{1, false, false, GZIP, 0},    {2, true, false, GZIP, 0},
		{3, true, true, ZSTD, 0},      {4, true, false, ZSTD, 64},
		{5, false, true, ZSTD, 64},    {6, true, false, ZSTD, 4096},
		{7, false, false, A_FILE, 0},  {8, true, false, A_FILE, 0},
		{9, true, true, A_FILE, 64},   {10, true, false, A_FILE, 64},
		{11, false, true, A_FILE, 64}, {12, true, false, A_FILE, 4096},
	};
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct way way = ways[i];
		struct strbuf text = {0};
		strbuf_addstr(&text, "{\"r\":[");
		while (text.len < 8000000)
			add_record(&text, way.long_texts, &way.seed);
		if (!way.cut_off)
			strbuf_addstr(&text, "]}");
		compare(way.form, way.room, strbuf_span(&text), !way.cut_off);
		strbuf_free(&text);
	}
}
END_TEST

/* What is next to the end of the file or of a window is as it is elsewhere. */
START_TEST(ends_anywhere)
{
	static const int beyond[] = {-4097, -4096, -65, -64, -1, 0, 1, 63, 64, 65, 4095, 4096};
	for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
		struct strbuf text = {0};
		uint32_t seed = 1;
		size_t len = (size_t)file_window_size + (size_t)beyond[i];
		strbuf_addstr(&text, "{\"r\":[");
		while (text.len < len - 70000)
			add_record(&text, true, &seed);
		strbuf_addstr(&text, ",{\"other\":\"");
		strbuf_repeat(&text, "y", len - text.len - 4);
		strbuf_addstr(&text, "\"}]}");
		ck_assert_uint_eq(text.len, len);
		compare(A_FILE, 0, strbuf_span(&text), true);
		compare(A_FILE, 0, (struct span){text.buf, len - 1}, false);
		strbuf_addstr(&text, "\n x");
		compare(A_FILE, 0, strbuf_span(&text), false);
		strbuf_free(&text);
	}
}
END_TEST

/* More of it is unread at the end of the window than fits into the margin before the next one. */
START_TEST(a_text_is_longer_than_the_margin)
{
	enum { before = file_window_margin - 10, length = file_window_margin - 1 };
	struct strbuf text = {0};
	uint32_t seed = 1;
	strbuf_addstr(&text, "{\"r\":[");
	while (text.len < file_window_size - before - 70000)
		add_record(&text, true, &seed);
	strbuf_addstr(&text, ",{\"other\":\"");
	strbuf_repeat(&text, "y", file_window_size - before - text.len - strlen("\",\"text\":"));
	strbuf_addstr(&text, "\",\"text\":");
	ck_assert_uint_eq(text.len, file_window_size - before);
	strbuf_addch(&text, '"');
	strbuf_repeat(&text, "x", length);
	strbuf_addstr(&text, "\"}");
	while (text.len < 2 * file_window_size)
		add_record(&text, true, &seed);
	strbuf_addstr(&text, "]}");
	compare(A_FILE, 0, strbuf_span(&text), true);
	strbuf_free(&text);
}
END_TEST

UNIT_MAIN("json_source", reads_from_anywhere, ends_anywhere, a_text_is_longer_than_the_margin)
