/* Inputs: files, pipes and memory, packed or not, whole, in pieces, by threads, cut off, damaged
 * and closed early. */
#include "ingest/input/input.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "tests/unit/packed.h"
#include "tests/unit/unit.h"

static const struct packed_way ways[] = {
	{1, 1, false}, {7, 2, true}, {4096, 1, true}, {70000, 2, false}, {1 << 20, 1, true},
	{0, 1, false}, {0, 1, true}, {0, 2, true},    {0, 2, false},     {1 << 20, 2, false},
};
enum { way_count = sizeof ways / sizeof *ways };

typedef void pack(struct strbuf *out, struct span text);

static void pack_not(struct strbuf *out, struct span text)
{
	strbuf_addspan(out, text);
}

static void pack_gzip(struct strbuf *out, struct span text)
{
	packed_gzip(out, text, PACKED_NAMED);
}

static pack *const packs[] = {pack_not, pack_gzip, packed_zstd};
enum { pack_count = sizeof packs / sizeof *packs };

static void check_content(struct span stored, struct span expected)
{
	for (size_t i = 0; i < way_count; i++) {
		struct strbuf out = {0};
		struct error err;
		_Atomic uint64_t counted = 0;
		struct input *input = input_of_bytes(stored);
		input_set_progress(input, &counted);
		int rc = store_packed_read(input, ways[i], &out, &err);
		ck_assert_msg(rc == 0, "%s", err.text);
		ck_assert(span_eq(strbuf_span(&out), expected));
		ck_assert_uint_eq(counted, stored.len);
		strbuf_free(&out);
	}
}

START_TEST(reads_memory)
{
	static const size_t sizes[] = {0, 1, 2, 100, 4096, 65536, 1500000};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (size_t k = 0; k < pack_count; k++) {
			struct strbuf text = {0}, packed = {0}, twice = {0};
			packed_text(&text, sizes[i]);
			packs[k](&packed, strbuf_span(&text));
			check_content(strbuf_span(&packed), strbuf_span(&text));
			strbuf_addspan(&twice, strbuf_span(&text));
			strbuf_addspan(&twice, strbuf_span(&text));
			packs[k](&packed, strbuf_span(&text));
			if (packs[k] == pack_gzip)
				strbuf_add(&packed, "\0\0\0", 3);
			check_content(strbuf_span(&packed), strbuf_span(&twice));
			strbuf_free(&text);
			strbuf_free(&packed);
			strbuf_free(&twice);
		}
}
END_TEST

/* What came before the failure is right, and every way finds the failure. */
static void check_refused(struct span stored, struct span text, const char *message)
{
	for (size_t i = 0; i < way_count; i++) {
		struct strbuf out = {0};
		struct error err;
		ck_assert_int_lt(store_packed_read(input_of_bytes(stored), ways[i], &out, &err), 0);
		ck_assert_msg(strncmp(err.text, message, strlen(message)) == 0, "%s", err.text);
		ck_assert_uint_le(out.len, text.len);
		ck_assert(out.len == 0 || memcmp(out.buf, text.ptr, out.len) == 0);
		strbuf_free(&out);
	}
}

START_TEST(refuses_every_prefix)
{
	static const char *const names[] = {NULL, "gzip", "zstd"};
	static const size_t sizes[] = {3000, 300000};
	for (size_t k = 1; k < pack_count; k++)
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			struct strbuf text = {0}, packed = {0};
			packed_text(&text, sizes[i]);
			packs[k](&packed, strbuf_span(&text));
			size_t step = i == 0 ? 3 : 9973;
			for (size_t len = 4; len < packed.len; len += step) {
				char message[80];
				snprintf(message, sizeof message,
					 "the %s data is truncated after stored byte %zu", names[k],
					 len);
				check_refused((struct span){packed.buf, len}, strbuf_span(&text),
					      message);
			}
			strbuf_free(&text);
			strbuf_free(&packed);
		}
}
END_TEST

START_TEST(refuses_damage)
{
	struct strbuf text = {0}, gzip = {0};
	packed_text(&text, 3000);
	pack_gzip(&gzip, strbuf_span(&text));
	char message[100];
	snprintf(message, sizeof message,
		 "data that is not gzip follows the gzip data at stored byte %zu", gzip.len);
	size_t whole = gzip.len;
	strbuf_addstr(&gzip, "tail");
	check_refused(strbuf_span(&gzip), strbuf_span(&text), message);
	strbuf_truncate(&gzip, whole);
	gzip.buf[whole - 5] ^= 1; /* the checksum */
	check_refused(strbuf_span(&gzip), strbuf_span(&text),
		      "the gzip data is damaged near stored byte ");
	strbuf_free(&text);
	strbuf_free(&gzip);
}
END_TEST

/* Any byte of a large file may be wrong: the failure is the same with and without a thread, and so
 * is what comes before it. */
START_TEST(threads_change_nothing)
{
	static const struct packed_way alone = {0, 1, true}, ahead = {0, 2, true};
	struct strbuf text = {0};
	packed_text(&text, 2000000);
	for (size_t k = 1; k < pack_count; k++) {
		struct strbuf packed = {0};
		packs[k](&packed, strbuf_span(&text));
		for (size_t at = 6; at < packed.len; at += 59981) {
			struct strbuf one = {0}, two = {0};
			struct error first = {.kind = ERR_NONE}, second = first;
			packed.buf[at] ^= 0x10;
			struct span stored = strbuf_span(&packed);
			int rc = store_packed_read(input_of_bytes(stored), alone, &one, &first);
			ck_assert_int_eq(
				store_packed_read(input_of_bytes(stored), ahead, &two, &second),
				rc);
			ck_assert_str_eq(first.text, second.text);
			ck_assert(span_eq(strbuf_span(&one), strbuf_span(&two)));
			ck_assert(rc < 0 || span_eq(strbuf_span(&one), strbuf_span(&text)));
			packed.buf[at] ^= 0x10;
			strbuf_free(&one);
			strbuf_free(&two);
		}
		strbuf_free(&packed);
	}
	strbuf_free(&text);
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
	ck_assert_str_eq(err.text, "larger than 100 bytes, the limit for such a file");
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

/* A program that writes into a pipe, at once or never again. */
struct writer {
	int fd;
	struct span bytes;
	bool stays; /* leaves the pipe open */
};

static void *write_all(void *context)
{
	struct writer *writer = context;
	struct span left = writer->bytes;
	while (left.len) {
		ssize_t n = write(writer->fd, left.ptr, left.len);
		ck_assert_int_gt(n, 0);
		left = (struct span){left.ptr + n, left.len - (size_t)n};
	}
	if (!writer->stays)
		close(writer->fd);
	return NULL;
}

static struct input *open_pipe(struct writer *writer, pthread_t *thread)
{
	int ends[2];
	struct error err;
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	close(ends[0]);
	writer->fd = ends[1];
	ck_assert_int_eq(pthread_create(thread, NULL, write_all, writer), 0);
	return input_open("-", &err);
}

START_TEST(reads_pipes)
{
	struct strbuf text = {0};
	packed_text(&text, 1000000);
	for (size_t k = 0; k < pack_count; k++)
		for (size_t i = 2; i < way_count; i++) {
			struct strbuf packed = {0}, out = {0};
			struct error err;
			pthread_t thread;
			packs[k](&packed, strbuf_span(&text));
			struct writer writer = {.bytes = strbuf_span(&packed)};
			struct input *input = open_pipe(&writer, &thread);
			int rc = store_packed_read(input, ways[i], &out, &err);
			ck_assert_msg(rc == 0, "%s", err.text);
			ck_assert(span_eq(strbuf_span(&out), strbuf_span(&text)));
			pthread_join(thread, NULL);
			strbuf_free(&packed);
			strbuf_free(&out);
		}
	strbuf_free(&text);
}
END_TEST

/* The thread waits for a silent pipe, for the caller, or not at all. */
START_TEST(closes_early)
{
	struct strbuf text = {0};
	packed_text(&text, 8000000);
	for (size_t k = 0; k < pack_count; k++)
		for (int pieces = 0; pieces < 4; pieces++) {
			struct strbuf packed = {0};
			struct error err;
			struct span bytes;
			pthread_t thread;
			packs[k](&packed, strbuf_span(&text));
			/* The packed bytes lack their end, so the reader cannot recognize it. */
			ck_assert_uint_gt(packed.len, 4 * input_head_size);
			struct writer writer = {.bytes = {packed.buf, 3 * input_head_size},
						.stays = true};
			struct input *input = open_pipe(&writer, &thread);
			input_set_threads(input, 2);
			for (int i = 0; i < pieces; i++)
				ck_assert_int_eq(input_next(input, &bytes, &err), 0);
			if (pieces > 1)
				pthread_join(thread, NULL);
			input_close(input);
			if (pieces <= 1) {
				pthread_cancel(thread);
				pthread_join(thread, NULL);
			}
			close(writer.fd);
			input = input_of_bytes(strbuf_span(&packed));
			input_set_threads(input, 2);
			for (int i = 0; i < pieces; i++)
				ck_assert_int_eq(input_next(input, &bytes, &err), 0);
			input_close(input);
			strbuf_free(&packed);
		}
	strbuf_free(&text);
}
END_TEST

UNIT_MAIN("input", reads_memory, refuses_every_prefix, refuses_damage, threads_change_nothing,
	  opens_files, reads_standard_input, reads_pipes, closes_early)
