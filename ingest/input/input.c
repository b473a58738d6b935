/* An input reads stored bytes, decompresses them if necessary, and may do both ahead of the caller.
 * The first decompressed bytes are copied to a head that detectors look at. Bytes that are not
 * compressed stay in the buffer into which they were read. */
#include "ingest/input/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "base/json/json.h"
#include "ingest/bytes/bytes.h"

enum { next_size = 256 * 1024 };
_Static_assert((int)input_head_size <= (int)stored_size, "a head is one piece of stored bytes");

struct input {
	char *name;
	bool owns_fd; /* false for standard input, which is not closed */
	bool is_file; /* a file that was opened by its path; not standard input or a pipe */
	size_t threads;
	const struct input_hints *hints;
	struct span all; /* all bytes, if they are in memory */
	struct byte_source stored;
	const struct compression *packing; /* NULL: not compressed */
	void *unpacking;
	bool has_head;
	struct span head; /* in head_buffer, or in the buffer of `stored` */
	char *head_buffer;
	struct span rest; /* decompressed bytes that were not read yet */
	char *next_buffer;
	bool tried_ahead;
	struct read_ahead *ahead;
	struct error failure; /* returned once the bytes before it were read */
};

static struct input *input_new(const char *name)
{
	struct input *input = memory_allocate(1, sizeof *input);
	input->name = memory_buffer(strlen(name) + 1);
	memcpy(input->name, name, strlen(name) + 1);
	input->stored.fd = input->stored.stop_fd = -1;
	input->threads = 1;
	return input;
}

static int check_file(int fd, const char *path, bool *is_regular, struct error *err)
{
	struct stat st;
	if (fstat(fd, &st) < 0)
		return error_errno(err, "cannot read %s", path);
	if (S_ISDIR(st.st_mode))
		return error_set(err, ERR_SYSTEM, "%s is a directory, not a file", path);
	*is_regular = S_ISREG(st.st_mode);
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
	bool is_regular = false;
	if (check_file(fd, name, &is_regular, err) < 0) {
		if (!standard_input)
			close(fd);
		return NULL;
	}
	struct input *input = input_new(name);
	input->stored.fd = fd;
	input->owns_fd = !standard_input;
	input->is_file = is_regular && !standard_input;
	return input;
}

struct input *input_open_beside(struct input *input, const char *name, struct error *err)
{
	const char *path = input_plain_path(input);
	const char *slash = path ? strrchr(path, '/') : NULL;
	struct strbuf beside = {0};
	bool is_regular = false;
	struct input *opened = NULL;
	*err = (struct error){.kind = ERR_NONE};
	if (!path)
		return NULL;
	strbuf_add(&beside, path, slash ? (size_t)(slash - path) + 1 : 0);
	strbuf_addstr(&beside, name);
	/* Opening a pipe would wait for its writer. */
	int fd = open(beside.buf, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0 && errno == ELOOP)
		error_set(err, ERR_USAGE,
			  "%s is a symbolic link, which is not followed: put the file itself there",
			  beside.buf);
	else if (fd < 0 && errno != ENOENT)
		error_errno(err, "cannot open %s", beside.buf);
	if (fd >= 0 && check_file(fd, beside.buf, &is_regular, err) == 0 && !is_regular)
		error_set(err, ERR_USAGE, "%s is not a regular file", beside.buf);
	if (fd >= 0 && !is_regular)
		close(fd);
	else if (fd >= 0) {
		opened = input_new(beside.buf);
		opened->stored.fd = fd;
		opened->owns_fd = true;
		opened->is_file = true;
		opened->hints = input->hints;
		opened->stored.progress = input->stored.progress;
	}
	strbuf_free(&beside);
	return opened;
}

struct input *input_of_bytes(struct span bytes)
{
	struct input *input = input_new("memory");
	input->all = bytes.ptr ? bytes : (struct span){"", 0};
	input->stored.memory = input->all;
	return input;
}

/* Whether the bytes are compressed; true if the head cannot be read. */
static bool is_packed(struct input *input)
{
	struct error ignored;
	struct span head;
	return input_head(input, &head, &ignored) < 0 || input->packing;
}

const char *input_plain_path(struct input *input)
{
	return input->is_file && !is_packed(input) ? input->name : NULL;
}

bool input_is_plain(struct input *input, int *fd, struct span *bytes)
{
	bool in_memory = input->stored.fd < 0;
	*fd = -1;
	*bytes = (struct span){NULL, 0};
	if ((!in_memory && !input->is_file) || is_packed(input))
		return false;
	if (in_memory)
		*bytes = input->all;
	else
		*fd = input->stored.fd;
	return true;
}

void input_count(struct input *input, uint64_t bytes)
{
	if (input->stored.progress)
		atomic_fetch_add(input->stored.progress, bytes);
}

void input_set_hints(struct input *input, const struct input_hints *hints)
{
	input->hints = hints;
}

void input_set_progress(struct input *input, _Atomic uint64_t *bytes)
{
	input->stored.progress = bytes;
}

void input_set_threads(struct input *input, size_t threads)
{
	input->threads = threads;
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

/* Produces decompressed bytes after the head. */
static int produce(void *context, void *buffer, size_t size, size_t *got, struct error *err)
{
	struct input *input = context;
	struct room room = {buffer, size, 0};
	if (!input->failure.kind && input->packing)
		input->packing->unpack(input->unpacking, &input->stored, &room, &input->failure);
	else if (!input->failure.kind)
		byte_source_read(&input->stored, buffer, size, &room.used, &input->failure);
	*got = room.used;
	if (room.used || !input->failure.kind)
		return 0;
	*err = input->failure;
	return -1;
}

static int fill_head(struct input *input, struct error *err)
{
	size_t got = 1;
	if (!input->head_buffer)
		input->head_buffer = memory_buffer(input_head_size);
	while (got && input->head.len < input_head_size) {
		if (produce(input, input->head_buffer + input->head.len,
			    input_head_size - input->head.len, &got, err) < 0)
			return -1;
		input->head.len += got;
	}
	input->head.ptr = input->head_buffer;
	input->rest = input->head;
	return 0;
}

/* Sets the head of uncompressed bytes, which stay where they are:
 * in memory or in the read buffer. */
static int borrow_head(struct input *input, struct error *err)
{
	if (byte_source_fill(&input->stored, input_head_size, err) < 0)
		return -1;
	input->head = input->rest = input->stored.rest;
	if (input->head.len > input_head_size)
		input->head.len = input_head_size;
	input->stored.rest.len = 0;
	return 0;
}

static int make_head(struct input *input, struct error *err)
{
	if (input->has_head)
		return 0;
	if (!input->packing) {
		if (byte_source_fill(&input->stored, packing_magic_size, err) < 0)
			return -1;
		const struct compression *packing = compression_of(input->stored.rest);
		if (packing && !(input->unpacking = packing->open(err)))
			return -1;
		input->packing = packing;
	}
	int rc = input->packing ? fill_head(input, err) : borrow_head(input, err);
	input->has_head = rc == 0;
	return rc;
}

int input_head(struct input *input, struct span *head, struct error *err)
{
	if (make_head(input, err) < 0)
		return -1;
	*head = input->head;
	return 0;
}

/* Starts a thread if there is more than the head, and if reading may block or has to decompress. A
 * thread may wait for a pipe only if it can be woken by an eventfd. */
static void start_reading_ahead(struct input *input)
{
	bool waits = input->packing || !input->is_file;
	if (input->threads < 2 || !waits || input->head.len < input_head_size)
		return;
	if (input->stored.fd >= 0 && !input->is_file &&
	    (input->stored.stop_fd = eventfd(0, EFD_CLOEXEC)) < 0)
		return;
	input->ahead = read_ahead_start(produce, input, input->is_file || input->stored.fd < 0);
}

static void stop_reading_ahead(struct input *input)
{
	static const uint64_t one = 1;
	/* Writing 1 to an eventfd of 0 cannot block or fail. */
	if (input->stored.stop_fd >= 0 &&
	    write(input->stored.stop_fd, &one, sizeof one) != sizeof one)
		abort();
	read_ahead_free(input->ahead);
	if (input->stored.stop_fd >= 0)
		close(input->stored.stop_fd);
}

/* Fills `rest` if that is possible without a copy. */
static int look_ahead(struct input *input, struct error *err)
{
	if (make_head(input, err) < 0)
		return -1;
	if (input->rest.len)
		return 0;
	if (!input->tried_ahead)
		start_reading_ahead(input);
	input->tried_ahead = true;
	return input->ahead ? read_ahead_next(input->ahead, &input->rest, err) : 0;
}

int input_read(struct input *input, void *buffer, size_t size, size_t *got, struct error *err)
{
	*got = 0;
	if (size == 0)
		return 0;
	if (look_ahead(input, err) < 0)
		return -1;
	if (input->rest.len == 0)
		return input->ahead ? 0 : produce(input, buffer, size, got, err);
	*got = input->rest.len < size ? input->rest.len : size;
	memcpy(buffer, input->rest.ptr, *got);
	input->rest = (struct span){input->rest.ptr + *got, input->rest.len - *got};
	return 0;
}

int input_next(struct input *input, struct span *bytes, struct error *err)
{
	if (look_ahead(input, err) < 0)
		return -1;
	if (input->rest.len == 0 && !input->ahead) {
		if (!input->next_buffer)
			input->next_buffer = memory_buffer(next_size);
		input->rest.ptr = input->next_buffer;
		if (produce(input, input->next_buffer, next_size, &input->rest.len, err) < 0)
			return -1;
	}
	*bytes = input->rest;
	input->rest.len = 0;
	return 0;
}

int input_read_all(struct arena *arena, struct input *input, size_t limit, struct span *bytes,
		   struct error *err)
{
	struct strbuf sb = {0};
	struct span piece = {NULL, 1};
	int rc = 0;
	while (rc == 0 && piece.len) {
		rc = input_next(input, &piece, err);
		if (rc == 0 && piece.len > limit - sb.len)
			rc = error_set(err, ERR_FORMAT,
				       "larger than %zu bytes, the limit for such a file", limit);
		else if (rc == 0)
			strbuf_add(&sb, piece.ptr, piece.len);
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
	stop_reading_ahead(input);
	if (input->unpacking)
		input->packing->close(input->unpacking);
	if (input->owns_fd)
		close(input->stored.fd);
	byte_source_free(&input->stored);
	free(input->head_buffer);
	free(input->next_buffer);
	free(input->name);
	free(input);
}
