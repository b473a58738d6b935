/* Inputs: files, memory and gzip, whole, in pieces, cut off and damaged. */
#include "ingest/input.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "tests/unit/unit.h"

/* One gzip member. */
static void add_gzip(struct strbuf *out, struct span text)
{
	z_stream z = {0};
	unsigned char chunk[4096];
	ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = (Bytef *)text.ptr;
	z.avail_in = (uInt)text.len;
	do {
		z.next_out = chunk;
		z.avail_out = sizeof chunk;
		deflate(&z, Z_FINISH);
		strbuf_add(out, chunk, sizeof chunk - z.avail_out);
	} while (z.avail_out == 0);
	deflateEnd(&z);
}

/* A text that does not fit into the head and hardly compresses. */
static void make_text(struct strbuf *out, size_t size)
{
	uint32_t state = 1;
	while (out->len < size) {
		state = state * 1664525 + 1013904223;
		strbuf_addf(out, "%u\n", state);
	}
}

/* Everything there is, read in pieces of `piece` bytes; the head is looked at first when asked. */
static int read_pieces(struct span stored, size_t piece, bool head_first, struct strbuf *out,
		       struct error *err)
{
	_Atomic uint64_t counted = 0;
	struct input *input = input_of_bytes(stored);
	struct span head = {NULL, 0};
	char buffer[70000];
	size_t got = 1;
	input_set_progress(input, &counted);
	int rc = head_first ? input_head(input, &head, err) : 0;
	while (rc == 0 && got) {
		rc = input_read(input, buffer, piece, &got, err);
		if (rc == 0)
			strbuf_add(out, buffer, got);
	}
	if (rc == 0 && head_first) {
		ck_assert_uint_eq(head.len,
				  out->len < input_head_size ? out->len : input_head_size);
		ck_assert(head.len == 0 || memcmp(head.ptr, out->buf, head.len) == 0);
	}
	if (rc == 0)
		ck_assert_uint_eq(counted, stored.len);
	input_close(input);
	return rc;
}

static void check_content(struct span stored, struct span expected)
{
	static const size_t pieces[] = {1, 7, 4096, 70000};
	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
		for (int head_first = 0; head_first < 2; head_first++) {
			struct strbuf out = {0};
			struct error err;
			int rc = read_pieces(stored, pieces[i], head_first, &out, &err);
			ck_assert_msg(rc == 0, "%s", err.text);
			ck_assert(span_eq(strbuf_span(&out), expected));
			strbuf_free(&out);
		}
}

START_TEST(reads_memory_and_gzip)
{
	static const size_t sizes[] = {0, 1, 2, 100, 4096, 200000};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct strbuf text = {0}, gzip = {0}, twice = {0};
		make_text(&text, sizes[i]);
		check_content(strbuf_span(&text), strbuf_span(&text));
		add_gzip(&gzip, strbuf_span(&text));
		check_content(strbuf_span(&gzip), strbuf_span(&text));
		add_gzip(&gzip, strbuf_span(&text));
		strbuf_add(&gzip, "\0\0\0", 3);
		strbuf_addspan(&twice, strbuf_span(&text));
		strbuf_addspan(&twice, strbuf_span(&text));
		check_content(strbuf_span(&gzip), strbuf_span(&twice));
		strbuf_free(&text);
		strbuf_free(&gzip);
		strbuf_free(&twice);
	}
}
END_TEST

START_TEST(refuses_damaged_gzip)
{
	struct strbuf text = {0}, gzip = {0}, out = {0};
	struct error err;
	make_text(&text, 3000);
	add_gzip(&gzip, strbuf_span(&text));
	for (size_t len = 3; len < gzip.len; len++) {
		char expected[80];
		snprintf(expected, sizeof expected,
			 "the gzip data is cut off after stored byte %zu", len);
		ck_assert_int_lt(read_pieces((struct span){gzip.buf, len}, 4096, false, &out, &err),
				 0);
		ck_assert_str_eq(err.text, expected);
	}
	size_t whole = gzip.len;
	strbuf_addstr(&gzip, "tail");
	ck_assert_int_lt(read_pieces(strbuf_span(&gzip), 4096, true, &out, &err), 0);
	ck_assert(strstr(err.text, "something that is not gzip follows") == err.text);
	strbuf_truncate(&gzip, whole);
	gzip.buf[whole - 5] ^= 1; /* the checksum */
	ck_assert_int_lt(read_pieces(strbuf_span(&gzip), 4096, true, &out, &err), 0);
	ck_assert(strstr(err.text, "the gzip data is damaged near stored byte") == err.text);
	strbuf_free(&text);
	strbuf_free(&gzip);
	strbuf_free(&out);
}
END_TEST

START_TEST(opens_files)
{
	struct error err;
	struct arena arena = {0};
	struct span bytes;
	struct input *input = input_open("CODE_STYLE.md", &err);
	ck_assert_msg(input != NULL, "%s", err.text);
	ck_assert_str_eq(input_name(input), "CODE_STYLE.md");
	ck_assert_int_eq(input_read_all(&arena, input, 1 << 20, &bytes, &err), 0);
	ck_assert(span_starts(bytes, "# Code style"));
	input_close(input);
	input = input_open("CODE_STYLE.md", &err);
	ck_assert_int_lt(input_read_all(&arena, input, 100, &bytes, &err), 0);
	ck_assert_str_eq(err.text, "larger than the 100 bytes expected of such a file");
	input_close(input);
	ck_assert_ptr_null(input_open("ingest", &err));
	ck_assert_str_eq(err.text, "ingest is a directory, not a file");
	ck_assert_ptr_null(input_open("no/such", &err));
	ck_assert_str_eq(err.text, "cannot open no/such: No such file or directory");
	ck_assert_int_eq(err.kind, ERR_SYSTEM);
	input_close(NULL);
	arena_free(&arena);
}
END_TEST

START_TEST(reads_standard_input)
{
	struct error err;
	struct arena arena = {0};
	struct span bytes;
	int ends[2];
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq((int)write(ends[1], "piped", 5), 5);
	close(ends[1]);
	ck_assert_int_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	struct input *input = input_open("-", &err);
	ck_assert_str_eq(input_name(input), "standard input");
	ck_assert_int_eq(input_read_all(&arena, input, 100, &bytes, &err), 0);
	ck_assert(span_is(bytes, "piped"));
	input_close(input);
	close(ends[0]);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("input", reads_memory_and_gzip, refuses_damaged_gzip, opens_files, reads_standard_input)
