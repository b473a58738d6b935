/* Random access to an input by pread(), memcpy(), or pread() of a temporary copy. */
#include "ingest/input/random_access.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

enum { copy_size = 256 * 1024 };

struct random_access {
	struct input *input;
	int fd; /* -1 if the bytes are in memory */
	struct span memory;
	uint64_t size;
	FILE *copy; /* NULL if there is none */
};

static int copy_out(struct input *input, FILE *copy, struct error *err)
{
	char *buffer = memory_buffer(copy_size);
	size_t got = 1;
	int rc = 0;
	while (rc == 0 && got) {
		rc = input_read(input, buffer, copy_size, &got, err);
		if (rc == 0 && fwrite(buffer, 1, got, copy) != got)
			rc = error_errno(err, "cannot write a temporary copy of %s",
					 input_name(input));
	}
	if (rc == 0 && fflush(copy) != 0)
		rc = error_errno(err, "cannot write a temporary copy of %s", input_name(input));
	free(buffer);
	return rc;
}

static int open_copy(struct random_access *bytes, struct error *err)
{
	bytes->copy = tmpfile();
	if (!bytes->copy)
		return error_errno(err, "cannot create a temporary file for %s",
				   input_name(bytes->input));
	bytes->fd = fileno(bytes->copy);
	return copy_out(bytes->input, bytes->copy, err);
}

struct random_access *random_access_open(struct input *input, struct error *err)
{
	struct random_access *bytes = memory_allocate(1, sizeof *bytes);
	struct stat st;
	int rc = 0;
	bytes->input = input;
	if (!input_is_plain(input, &bytes->fd, &bytes->memory))
		rc = open_copy(bytes, err);
	bytes->size = bytes->memory.len;
	if (rc == 0 && bytes->fd >= 0) {
		if (fstat(bytes->fd, &st) < 0)
			rc = error_errno(err, "cannot determine the size of %s", input_name(input));
		else
			bytes->size = (uint64_t)st.st_size;
	}
	if (rc == 0)
		return bytes;
	random_access_close(bytes);
	return NULL;
}

uint64_t random_access_size(const struct random_access *bytes)
{
	return bytes->size;
}

int random_access_read(struct random_access *bytes, uint64_t at, void *buffer, size_t size,
		       struct error *err)
{
	if (at > bytes->size || size > bytes->size - at)
		return error_set(err, ERR_FORMAT,
				 "truncated file: bytes %" PRIu64 " to %" PRIu64
				 " are needed, but it has %" PRIu64,
				 at, at + size, bytes->size);
	if (bytes->fd < 0) {
		if (size)
			memcpy(buffer, bytes->memory.ptr + at, size);
		return 0;
	}
	for (size_t done = 0; done < size;) {
		ssize_t got =
			pread(bytes->fd, (char *)buffer + done, size - done, (off_t)(at + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_errno(err, "cannot read byte %" PRIu64, at + done);
		if (got == 0)
			return error_set(err, ERR_FORMAT,
					 "the file was truncated while being read: byte %" PRIu64
					 " is gone",
					 at + done);
		done += (size_t)got;
	}
	if (!bytes->copy)
		input_count(bytes->input, size);
	return 0;
}

void random_access_close(struct random_access *bytes)
{
	if (!bytes)
		return;
	if (bytes->copy)
		fclose(bytes->copy);
	free(bytes);
}
