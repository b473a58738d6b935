/* Windows on files: the right bytes, which can be written to without the file changing, and zeros,
 * said to be such, where the file has ended meanwhile. */
#include "ingest/bytes/file_window.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "ingest/json/stream.h"
#include "tests/unit/random.h"
#include "tests/unit/unit.h"

enum { size = 3 * file_window_size + 12345 };

static char path[64];

static unsigned char byte_at(size_t offset)
{
	return (unsigned char)(offset * 2654435761u >> 13);
}

static int file_of(const void *bytes, size_t len)
{
	strcpy(path, "/tmp/file_window.XXXXXX");
	int fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert(write(fd, bytes, len) == (ssize_t)len);
	return fd;
}

static int make_file(void)
{
	char *bytes = malloc(size);
	for (size_t i = 0; i < size; i++)
		bytes[i] = (char)byte_at(i);
	int fd = file_of(bytes, size);
	free(bytes);
	return fd;
}

static void end_file(int fd)
{
	close(fd);
	unlink(path);
}

static void look(struct file_window *window, int fd, size_t offset)
{
	struct span bytes;
	size_t before;
	ck_assert(file_window_move(window, fd, offset, size, &bytes, &before));
	size_t end = offset - offset % file_window_size + file_window_size;
	ck_assert_uint_eq(bytes.len, (end < size ? end : size) - offset);
	ck_assert_uint_eq(before, offset % file_window_size);
	for (size_t i = 0; i < bytes.len; i += 1 + random_below(5000))
		ck_assert_int_eq((unsigned char)bytes.ptr[i], byte_at(offset + i));
	ck_assert_int_eq((unsigned char)bytes.ptr[bytes.len - 1], byte_at(offset + bytes.len - 1));
	if (before)
		ck_assert_int_eq((unsigned char)bytes.ptr[-1], byte_at(offset - 1));
	memset((char *)bytes.ptr - before - file_window_margin, 1, file_window_margin);
	memset((char *)bytes.ptr + bytes.len, 2, file_window_margin);
}

static void write_to(struct file_window *window, int fd, size_t offset)
{
	struct span bytes;
	size_t before;
	unsigned char stored;
	ck_assert(file_window_move(window, fd, offset, size, &bytes, &before));
	*(unsigned char *)bytes.ptr ^= 1;
	ck_assert(pread(fd, &stored, 1, (off_t)offset) == 1 && stored == byte_at(offset));
}

START_TEST(shows_the_file)
{
	int fd = make_file();
	struct file_window *window = file_window_open();
	for (size_t at = 0; at < size; at += file_window_size)
		look(window, fd, at);
	for (int i = 0; i < 50; i++) {
		size_t at = random_below(size);
		write_to(window, fd, at);
		look(window, fd, (at + file_window_size) % size);
		look(window, fd, at); /* what was written is gone with the window */
	}
	ck_assert(!file_window_failed(window));
	file_window_close(window);
	end_file(fd);
}
END_TEST

START_TEST(shows_zeros_where_the_file_ends)
{
	int fd = make_file();
	struct file_window *windows[2] = {file_window_open(), file_window_open()};
	struct span bytes[2];
	size_t before;
	ck_assert_int_eq(ftruncate(fd, 100000), 0);
	for (int i = 0; i < 2; i++) {
		ck_assert(file_window_move(windows[i], fd, 0, size, &bytes[i], &before));
		ck_assert_int_eq((unsigned char)bytes[i].ptr[99999], byte_at(99999));
	}
	ck_assert(!file_window_failed(windows[1]));
	ck_assert_int_eq(bytes[1].ptr[file_window_size - 1], 0);
	ck_assert_int_eq(bytes[1].ptr[200000], 0);
	ck_assert_int_eq((unsigned char)bytes[1].ptr[99999], byte_at(99999));
	ck_assert(file_window_failed(windows[1]));
	ck_assert(!file_window_failed(windows[0]));
	file_window_close(windows[1]);
	file_window_close(windows[0]);
	windows[0] = file_window_open();
	ck_assert(!file_window_failed(windows[0]));
	file_window_close(windows[0]);
	end_file(fd);
}
END_TEST

START_TEST(are_limited)
{
	struct file_window *windows[file_windows_limit];
	for (int i = 0; i < file_windows_limit; i++)
		ck_assert_ptr_nonnull(windows[i] = file_window_open());
	ck_assert_ptr_null(file_window_open());
	file_window_close(windows[7]);
	ck_assert_ptr_eq(file_window_open(), windows[7]);
	for (int i = 0; i < file_windows_limit; i++)
		file_window_close(windows[i]);
	int pipe_ends[2];
	struct span bytes;
	size_t before;
	ck_assert_int_eq(pipe(pipe_ends), 0);
	windows[0] = file_window_open();
	ck_assert(!file_window_move(windows[0], pipe_ends[0], 0, 100000, &bytes, &before));
	file_window_close(windows[0]);
	close(pipe_ends[0]);
	close(pipe_ends[1]);
}
END_TEST

/* --- files that change while they are read --- */

struct reader {
	int fd;
	size_t records, change_at;
	void (*change)(int fd);
};

static void see(void *context, const struct json_value *values)
{
	struct reader *reader = context;
	for (int i = 0; i < 2; i++)
		ck_assert_uint_le(strnlen(values[i].text.ptr, values[i].text.len), 65536);
	if (++reader->records == reader->change_at)
		reader->change(reader->fd);
}

static int see_member(void *context, struct span section, struct span name,
		      const struct json_value *value, struct error *err)
{
	(void)context, (void)section, (void)name, (void)value, (void)err;
	return 0;
}

static int see_end(void *context, struct span section, struct error *err)
{
	(void)context, (void)section, (void)err;
	return 0;
}

static int read_file(struct reader *reader, struct error *err)
{
	static const struct json_field fields[] = {
		{"id", JSON_FIELD_NUMBER}, {"text", JSON_FIELD_TEXT}, {NULL, JSON_FIELD_ANY}};
	static const struct json_section sections[] = {{"r", fields, .record = see},
						       {"s", .member = see_member, .end = see_end},
						       {.name = NULL}};
	struct json_stream_counts counts;
	struct json_stream stream = {.sections = sections, .context = reader};
	struct input *input = input_open(path, err);
	ck_assert_ptr_nonnull(input);
	int rc = json_stream_read(&stream, input, &counts, err);
	input_close(input);
	return rc;
}

static size_t add_records(struct strbuf *text, size_t len)
{
	size_t count = 0;
	while (text->len < len)
		strbuf_addf(text,
			    "%s{\"id\":%zu,\"other\":[1,2],\"text\":\"a text \\u00e9 \\n %zu\"}",
			    count ? "," : "", count + 1000000, count),
			count++;
	return count;
}

static int make_document(size_t len, size_t *records)
{
	struct strbuf text = {0};
	strbuf_addstr(&text, "{\"r\":[");
	*records = add_records(&text, len);
	strbuf_addstr(&text, "]}");
	int fd = file_of(text.buf, text.len);
	strbuf_free(&text);
	return fd;
}

static void cut_off(int fd)
{
	ck_assert_int_eq(ftruncate(fd, 3000000), 0);
}

static void empty(int fd)
{
	ck_assert_int_eq(ftruncate(fd, 0), 0);
}

START_TEST(a_file_that_becomes_shorter_is_refused)
{
	static const struct {
		size_t at;
		void (*change)(int fd);
	} cases[] = {{1, cut_off}, {45000, cut_off}, {100, empty}, {50000, empty}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t records;
		struct error err = {0};
		int fd = make_document(12000000, &records);
		struct reader reader = {fd, 0, cases[i].at, cases[i].change};
		ck_assert_int_eq(read_file(&reader, &err), -1);
		ck_assert_msg(strstr(err.text, "truncated"), "%s", err.text);
		ck_assert_uint_lt(reader.records, records);
		end_file(fd);
	}
}
END_TEST

START_TEST(says_what_was_lost)
{
	size_t records;
	struct error err = {0};
	int fd = make_document(2500000, &records);
	struct reader reader = {fd, 0, 1000, empty};
	ck_assert_int_eq(read_file(&reader, &err), -1);
	ck_assert_str_eq(err.text, "the file was truncated while being read, or the disk failed");
	end_file(fd);
}
END_TEST

START_TEST(a_file_that_becomes_longer_is_read_on)
{
	size_t records;
	struct error err = {0};
	struct strbuf more = {0};
	int fd = make_document(2500000, &records);
	ck_assert_int_eq(ftruncate(fd, lseek(fd, 0, SEEK_END) - 2), 0);
	lseek(fd, 0, SEEK_END);
	strbuf_addstr(&more, ",");
	size_t others = add_records(&more, 2000000);
	strbuf_addstr(&more, "]}");
	ck_assert(write(fd, more.buf, more.len) == (ssize_t)more.len);
	struct reader reader = {.fd = fd};
	ck_assert_int_eq(read_file(&reader, &err), 0);
	ck_assert_uint_eq(reader.records, records + others);
	strbuf_free(&more);
	end_file(fd);
}
END_TEST

enum { changed_at = 20000 }; /* records */

static char filling;
static const char *behind_this; /* with the number of the next record but two */

static void overwrite(int fd)
{
	enum { most = 5000000 };
	char name[32], *bytes = malloc(most);
	ssize_t len = pread(fd, bytes, most, 0);
	int written = snprintf(name, sizeof name, "%s%d", behind_this, changed_at + 2);
	char *from = memmem(bytes, (size_t)len, name, (size_t)written);
	ck_assert_ptr_nonnull(from);
	from += strcspn(from, "12"); /* from its value on */
	memset(from, filling, (size_t)(bytes + len - from));
	ck_assert(pwrite(fd, bytes, (size_t)len, 0) == len);
	free(bytes);
}

/* The records of a group of blocks are found before the values of the first one are read. */
START_TEST(a_file_that_is_overwritten_is_refused)
{
	static const char fillings[] = "x\\{9-. ,\n\"", *const places[] = {"\"id\":10", "\\n "};
	for (size_t i = 0; i < 2 * sizeof fillings; i++) {
		size_t records;
		struct error err = {0};
		int fd = make_document(4000000, &records);
		struct reader reader = {fd, 0, changed_at, overwrite};
		filling = fillings[i / 2]; /* the last one is NUL */
		behind_this = places[i % 2];
		ck_assert_int_eq(read_file(&reader, &err), -1);
		ck_assert_uint_ge(reader.records, changed_at);
		ck_assert_uint_lt(reader.records, records);
		end_file(fd);
	}
}
END_TEST

static off_t cut;

static void cut_there(int fd)
{
	ck_assert_int_eq(ftruncate(fd, cut), 0);
}

/* At a page within one of the records that were found with those before it. Groups of blocks do not
 * begin where pages do, because of the first record, which is left to the slow way. */
START_TEST(a_file_that_is_cut_off_anywhere_is_refused)
{
	enum { page = 4096 };
	for (off_t pages = 100; pages < 300; pages += 3) {
		struct strbuf text = {0};
		struct error err = {0};
		strbuf_addstr(&text, "{\"r\":[{\"id\":NaN,\"other\":\"");
		strbuf_repeat(&text, "x", 1500 + 17 * (size_t)pages);
		strbuf_addstr(&text, "\"},");
		size_t before = text.len;
		add_records(&text, 1500000);
		strbuf_addstr(&text, "]}");
		int fd = file_of(text.buf, text.len);
		struct reader reader = {fd, 0, 1, cut_there};
		cut = pages * page;
		for (const char *p = text.buf + before; p < text.buf + cut; p++)
			reader.change_at += *p == '{';
		reader.change_at -= 1; /* the one before that which is cut */
		ck_assert_int_eq(read_file(&reader, &err), -1);
		ck_assert_uint_le(reader.records, reader.change_at + 3);
		strbuf_free(&text);
		end_file(fd);
	}
}
END_TEST

static struct strbuf written_again;

static void write_again(int fd)
{
	empty(fd);
	ck_assert(pwrite(fd, written_again.buf, written_again.len, 0) ==
		  (ssize_t)written_again.len);
}

/* The mark at the end of the bytes does not belong to the file. The second section is read the slow
 * way, which looks for the mark. */
START_TEST(a_file_that_is_written_again_and_longer_has_an_end)
{
	struct error err = {0};
	strbuf_addstr(&written_again, "{\"r\":[");
	size_t records = add_records(&written_again, 1500000);
	strbuf_addstr(&written_again, "],\"s\":{\"a\":1");
	for (int i = 0; i < 200; i++)
		strbuf_addf(&written_again, ",\"a%d\":1", i);
	strbuf_addstr(&written_again, "}}");
	int fd = file_of(written_again.buf, written_again.len);
	strbuf_repeat(&written_again, " ", 300000);
	struct reader reader = {fd, 0, records, write_again};
	ck_assert_int_eq(read_file(&reader, &err), 0);
	ck_assert_uint_eq(reader.records, records);
	strbuf_free(&written_again);
	end_file(fd);
}
END_TEST

/* A signal that another process sends is not handled by the window. */
START_TEST(a_signal_is_no_loss)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		struct file_window *window = file_window_open();
		raise(SIGBUS);
		file_window_close(window);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
}
END_TEST

static atomic_bool done;

/* Quotes, backslashes, brackets and digits come and go. */
static void *spoil(void *context)
{
	static const char bytes[] = "\"\"\"\\\\{}[],:u0189- \n";
	int fd = *(const int *)context;
	uint32_t state = 1;
	while (!atomic_load(&done)) {
		state = state * 1664525 + 1013904223;
		off_t at = 100 + (off_t)((uint64_t)state * 2800000 >> 32);
		char old;
		if (pread(fd, &old, 1, at) != 1 ||
		    pwrite(fd, &bytes[state % (sizeof bytes - 1)], 1, at) != 1 ||
		    pwrite(fd, &old, 1, at) != 1)
			abort();
	}
	return NULL;
}

/* The result may be anything, but reading ends, and nothing outside of mapped memory is touched. */
START_TEST(a_file_that_is_written_to_does_no_harm)
{
	size_t records;
	pthread_t thread;
	int fd = make_document(3000000, &records);
	atomic_store(&done, false);
	ck_assert_int_eq(pthread_create(&thread, NULL, spoil, &fd), 0);
	for (int i = 0; i < 10; i++) {
		struct reader reader = {.fd = fd};
		struct error err = {0};
		if (read_file(&reader, &err) == 0)
			ck_assert_uint_eq(reader.records, records);
		else
			ck_assert_str_ne(err.text, "");
	}
	atomic_store(&done, true);
	pthread_join(thread, NULL);
	end_file(fd);
}
END_TEST

UNIT_MAIN("file_window", shows_the_file, shows_zeros_where_the_file_ends, are_limited,
	  a_file_that_becomes_shorter_is_refused, says_what_was_lost,
	  a_file_that_becomes_longer_is_read_on, a_file_that_is_overwritten_is_refused,
	  a_file_that_is_cut_off_anywhere_is_refused,
	  a_file_that_is_written_again_and_longer_has_an_end, a_signal_is_no_loss,
	  a_file_that_is_written_to_does_no_harm)
