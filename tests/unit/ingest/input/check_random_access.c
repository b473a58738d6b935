/* Bytes at any place of a file, of memory, of what comes through a pipe or is packed. */
#include "ingest/input/random_access.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "base/strbuf.h"
#include "tests/unit/unit.h"

enum { data_size = 300000 };

static void make_data(unsigned char *data)
{
	uint32_t state = 7;
	for (size_t i = 0; i < data_size; i++) {
		state = state * 1664525 + 1013904223;
		data[i] = (unsigned char)(state >> 24);
	}
}

/* Reads backwards, over the ends of all buffers, and beyond the end. */
static void check_content(struct input *input, const unsigned char *data, const char *what)
{
	static const size_t sizes[] = {1, 16, 4096, 70000};
	static unsigned char buffer[70000];
	struct error err;
	struct span head;
	ck_assert_int_eq(input_head(input, &head, &err), 0);
	struct random_access *bytes = random_access_open(input, &err);
	ck_assert_msg(bytes != NULL, "%s: %s", what, err.text);
	ck_assert_uint_eq(random_access_size(bytes), data_size);
	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
		for (size_t at = data_size - sizes[k] + 1; at > 0; at = at > 9973 ? at - 9973 : 0) {
			int rc = random_access_read(bytes, at - 1, buffer, sizes[k], &err);
			ck_assert_msg(rc == 0, "%s: %s", what, err.text);
			ck_assert(memcmp(buffer, data + at - 1, sizes[k]) == 0);
		}
	ck_assert_int_eq(random_access_read(bytes, data_size, buffer, 0, &err), 0);
	ck_assert_int_eq(random_access_read(bytes, data_size - 1, buffer, 2, &err), -1);
	ck_assert_str_eq(err.text,
			 "truncated file: bytes 299999 to 300001 are needed, but it has 300000");
	ck_assert_int_eq(random_access_read(bytes, UINT64_MAX, buffer, 1, &err), -1);
	ck_assert_int_eq(random_access_read(bytes, 1, buffer, SIZE_MAX, &err), -1);
	random_access_close(bytes);
	input_close(input);
}

static void write_file(const char *path, const unsigned char *data)
{
	FILE *file = fopen(path, "wb");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(data, 1, data_size, file), data_size);
	ck_assert_int_eq(fclose(file), 0);
}

START_TEST(all_sources_are_the_same)
{
	static unsigned char data[data_size];
	char folder[] = "/tmp/rooflog-access-XXXXXX", path[80];
	struct error err;
	make_data(data);
	check_content(input_of_bytes((struct span){(const char *)data, data_size}), data, "memory");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/plain", folder);
	write_file(path, data);
	check_content(input_open(path, &err), data, "file");
	remove(path);
	snprintf(path, sizeof path, "%s/packed.gz", folder);
	gzFile packed = gzopen(path, "wb");
	ck_assert_int_eq(gzwrite(packed, data, data_size), data_size);
	ck_assert_int_eq(gzclose(packed), Z_OK);
	check_content(input_open(path, &err), data, "gzip");
	remove(path);
	snprintf(path, sizeof path, "%s/pipe", folder);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	pid_t writer = fork();
	if (writer == 0) {
		write_file(path, data);
		_exit(0);
	}
	check_content(input_open(path, &err), data, "pipe");
	remove(path);
	rmdir(folder);
}
END_TEST

START_TEST(a_file_that_becomes_shorter)
{
	static unsigned char data[data_size];
	char path[] = "/tmp/rooflog-access-XXXXXX";
	unsigned char buffer[100];
	struct error err;
	make_data(data);
	int fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	write_file(path, data);
	struct input *input = input_open(path, &err);
	struct random_access *bytes = random_access_open(input, &err);
	ck_assert_int_eq(random_access_read(bytes, 100000, buffer, sizeof buffer, &err), 0);
	ck_assert_int_eq(ftruncate(fd, 100050), 0);
	ck_assert_int_eq(random_access_read(bytes, 100000, buffer, sizeof buffer, &err), -1);
	ck_assert_str_eq(err.text, "the file was truncated while being read: byte 100050 is gone");
	ck_assert_int_eq(random_access_read(bytes, 99950, buffer, sizeof buffer, &err), 0);
	random_access_close(bytes);
	input_close(input);
	close(fd);
	remove(path);
}
END_TEST

START_TEST(packed_data_that_is_damaged)
{
	struct error err;
	struct input *input = input_of_bytes((struct span){"\x1f\x8b\x08\0\0\0\0\0\0\x03\x01", 11});
	ck_assert_ptr_null(random_access_open(input, &err));
	ck_assert_msg(strstr(err.text, "gzip data is truncated") != NULL, "%s", err.text);
	input_close(input);
	random_access_close(NULL);
}
END_TEST

UNIT_MAIN("random_access", all_sources_are_the_same, a_file_that_becomes_shorter,
	  packed_data_that_is_damaged)
