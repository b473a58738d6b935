/* Input: bytes from a descriptor or from memory, inflated when they are gzip. The first
 * unpacked bytes are kept so that they can be looked at before they are read. */
#include "ingest/input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/strbuf.h"

enum { stored_size = 64 * 1024 };

struct input {
	char *name;
	int fd;               /* -1 when the bytes are in memory */
	bool owns_fd;         /* standard input is not ours to close */
	struct span memory;   /* what is left of the bytes in memory */
	struct span all;      /* the bytes in memory */
	uint64_t fetched;     /* stored bytes taken from the descriptor or memory */
	bool started;         /* the magic number has been looked at */
	bool gzip, inflating; /* inflating: inside a gzip member */
	z_stream z;
	bool has_head;
	size_t head_len, head_used;
	const struct input_hints *hints;
	_Atomic uint64_t *progress;
	char head[input_head_size];
	size_t stored_at, stored_len; /* fetched, but not yet unpacked */
	unsigned char stored[stored_size];
};

static struct input *input_new(const char *name)
{
	struct input *input = calloc(1, sizeof *input);
	if (!input || !(input->name = strdup(name)))
		abort();
	input->fd = -1;
	return input;
}

static int check_file(int fd, const char *path, struct error *err)
{
	struct stat st;
	if (fstat(fd, &st) < 0)
		return error_errno(err, "cannot read %s", path);
	if (S_ISDIR(st.st_mode))
		return error_set(err, ERR_SYSTEM, "%s is a directory, not a file", path);
	return 0;
}

struct input *input_open(const char *path, struct error *err)
{
	bool standard_input = strcmp(path, "-") == 0;
	const char *name = standard_input ? "standard input" : path;
	int fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		error_errno(err, "cannot open %s", path);
		return NULL;
	}
	if (check_file(fd, name, err) < 0) {
		if (!standard_input)
			close(fd);
		return NULL;
	}
	struct input *input = input_new(name);
	input->fd = fd;
	input->owns_fd = !standard_input;
	return input;
}

struct input *input_of_bytes(struct span bytes)
{
	struct input *input = input_new("memory");
	input->memory = input->all = bytes;
	return input;
}

const char *input_plain_path(struct input *input)
{
	struct error ignored;
	struct span head;
	struct stat st;
	bool is_file = input->fd >= 0 && input->owns_fd && fstat(input->fd, &st) == 0 &&
		       S_ISREG(st.st_mode);
	return is_file && input_head(input, &head, &ignored) == 0 && !input->gzip ? input->name
										  : NULL;
}

bool input_is_plain(struct input *input, int *fd, struct span *bytes)
{
	struct error ignored;
	struct span head;
	*fd = -1;
	*bytes = (struct span){NULL, 0};
	if (input_plain_path(input)) {
		*fd = input->fd;
		return true;
	}
	if (input->fd >= 0 || input_head(input, &head, &ignored) < 0 || input->gzip)
		return false;
	*bytes = input->all;
	return true;
}

void input_count(struct input *input, uint64_t bytes)
{
	if (input->progress)
		atomic_fetch_add(input->progress, bytes);
}

void input_set_hints(struct input *input, const struct input_hints *hints)
{
	input->hints = hints;
}

void input_set_progress(struct input *input, _Atomic uint64_t *bytes)
{
	input->progress = bytes;
}

const struct input_hints *input_hints(const struct input *input)
{
	static const struct input_hints none = {NULL, NULL, false};
	return input->hints ? input->hints : &none;
}

const char *input_name(const struct input *input)
{
	return input->name;
}

/* Stored bytes as they are; *got is 0 only at the end. */
static int fetch(struct input *input, void *buffer, size_t size, size_t *got, struct error *err)
{
	if (input->fd < 0) {
		size_t n = input->memory.len < size ? input->memory.len : size;
		if (n)
			memcpy(buffer, input->memory.ptr, n);
		input->memory.ptr += n;
		input->memory.len -= n;
		*got = n;
	} else {
		ssize_t n;
		do
			n = read(input->fd, buffer, size < SSIZE_MAX ? size : SSIZE_MAX);
		while (n < 0 && errno == EINTR);
		if (n < 0)
			return error_errno(err, "cannot read on after stored byte %" PRIu64,
					   input->fetched);
		*got = (size_t)n;
	}
	input->fetched += *got;
	if (input->progress)
		atomic_fetch_add(input->progress, *got);
	return 0;
}

/* Makes at least `least` bytes lie in `stored`, fewer only at the end of the file. */
static int refill(struct input *input, size_t least, struct error *err)
{
	size_t left = input->stored_len - input->stored_at;
	if (left >= least)
		return 0;
	memmove(input->stored, input->stored + input->stored_at, left);
	input->stored_at = 0;
	input->stored_len = left;
	while (input->stored_len < least) {
		size_t got;
		if (fetch(input, input->stored + input->stored_len, stored_size - input->stored_len,
			  &got, err) < 0)
			return -1;
		if (got == 0)
			break;
		input->stored_len += got;
	}
	return 0;
}

static int start(struct input *input, struct error *err)
{
	static const unsigned char magic[] = {0x1f, 0x8b, 8};
	if (refill(input, sizeof magic, err) < 0)
		return -1;
	input->started = true;
	if (input->stored_len < sizeof magic || memcmp(input->stored, magic, sizeof magic) != 0)
		return 0;
	if (inflateInit2(&input->z, 15 + 16) != Z_OK)
		abort();
	input->gzip = input->inflating = true;
	return 0;
}

static uint64_t unpacked_position(const struct input *input)
{
	return input->fetched - (input->stored_len - input->stored_at);
}

/* Between two gzip members: another one follows, or padding with zeros, or the end. */
static int next_member(struct input *input, bool *ended, struct error *err)
{
	*ended = false;
	for (;;) {
		if (refill(input, 1, err) < 0)
			return -1;
		if (input->stored_at == input->stored_len) {
			*ended = true;
			return 0;
		}
		if (input->stored[input->stored_at] != 0)
			break;
		input->stored_at++;
	}
	if (input->stored[input->stored_at] != 0x1f)
		return error_set(err, ERR_FORMAT,
				 "something that is not gzip follows the gzip data at stored byte "
				 "%" PRIu64,
				 unpacked_position(input));
	inflateReset(&input->z);
	input->inflating = true;
	return 0;
}

static int inflate_some(struct input *input, struct error *err)
{
	if (refill(input, 1, err) < 0)
		return -1;
	if (input->stored_at == input->stored_len)
		return error_set(err, ERR_FORMAT,
				 "the gzip data is cut off after stored byte %" PRIu64,
				 input->fetched);
	input->z.next_in = input->stored + input->stored_at;
	input->z.avail_in = (uInt)(input->stored_len - input->stored_at);
	int status = inflate(&input->z, Z_NO_FLUSH);
	input->stored_at = input->stored_len - input->z.avail_in;
	if (status == Z_STREAM_END)
		input->inflating = false;
	else if (status != Z_OK && status != Z_BUF_ERROR)
		return error_set(err, ERR_FORMAT,
				 "the gzip data is damaged near stored byte %" PRIu64 "%s%s",
				 unpacked_position(input), input->z.msg ? ": " : "",
				 input->z.msg ? input->z.msg : "");
	return 0;
}

static int unpack(struct input *input, void *buffer, size_t size, size_t *got, struct error *err)
{
	size_t room = size < UINT_MAX ? size : UINT_MAX;
	input->z.next_out = buffer;
	input->z.avail_out = (uInt)room;
	while (input->z.avail_out == room) {
		bool ended = false;
		if (!input->inflating && next_member(input, &ended, err) < 0)
			return -1;
		if (ended)
			break;
		if (inflate_some(input, err) < 0)
			return -1;
	}
	*got = room - input->z.avail_out;
	return 0;
}

/* The bytes after those that are kept as the head. */
static int read_on(struct input *input, void *buffer, size_t size, size_t *got, struct error *err)
{
	*got = 0;
	if (size == 0)
		return 0;
	if (!input->started && start(input, err) < 0)
		return -1;
	if (input->gzip)
		return unpack(input, buffer, size, got, err);
	size_t left = input->stored_len - input->stored_at;
	if (left == 0)
		return fetch(input, buffer, size, got, err);
	*got = left < size ? left : size;
	memcpy(buffer, input->stored + input->stored_at, *got);
	input->stored_at += *got;
	return 0;
}

int input_head(struct input *input, struct span *head, struct error *err)
{
	size_t got = 1;
	while (!input->has_head && got && input->head_len < input_head_size) {
		if (read_on(input, input->head + input->head_len, input_head_size - input->head_len,
			    &got, err) < 0)
			return -1;
		input->head_len += got;
	}
	input->has_head = true;
	*head = (struct span){input->head, input->head_len};
	return 0;
}

int input_read(struct input *input, void *buffer, size_t size, size_t *got, struct error *err)
{
	size_t left = input->head_len - input->head_used;
	if (left == 0)
		return read_on(input, buffer, size, got, err);
	*got = left < size ? left : size;
	memcpy(buffer, input->head + input->head_used, *got);
	input->head_used += *got;
	return 0;
}

int input_read_all(struct arena *arena, struct input *input, size_t limit, struct span *bytes,
		   struct error *err)
{
	struct strbuf sb = {0};
	char chunk[16 * 1024];
	size_t got = 1;
	int rc = 0;
	while (rc == 0 && got) {
		rc = input_read(input, chunk, sizeof chunk, &got, err);
		if (rc == 0 && got > limit - sb.len)
			rc = error_set(err, ERR_FORMAT,
				       "larger than the %zu bytes expected of such a file", limit);
		else if (rc == 0)
			strbuf_add(&sb, chunk, got);
	}
	if (rc == 0) {
		bytes->len = sb.len;
		bytes->ptr = strbuf_into(&sb, arena);
	}
	strbuf_free(&sb);
	return rc;
}

struct json *input_read_json(struct arena *arena, struct input *input, size_t limit,
			     struct error *err)
{
	struct span bytes = {NULL, 0};
	if (input_read_all(arena, input, limit, &bytes, err) < 0)
		return NULL;
	return json_parse(arena, bytes, err);
}

void input_close(struct input *input)
{
	if (!input)
		return;
	if (input->gzip)
		inflateEnd(&input->z);
	if (input->owns_fd)
		close(input->fd);
	free(input->name);
	free(input);
}
