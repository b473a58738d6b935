/* Bytes by their offsets: where they lie in the file, by pread or by memcpy. */
#include "ingest/json/source.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool json_bytes_of(struct input *input, struct json_bytes *bytes)
{
	struct stat st;
	if (!input_is_plain(input, &bytes->fd, &bytes->memory))
		return false;
	bytes->size = bytes->memory.len;
	if (bytes->fd < 0)
		return true;
	if (fstat(bytes->fd, &st) < 0)
		return false;
	bytes->size = (uint64_t)st.st_size;
	return true;
}

/* An input has counted all of its memory at once, and of a file at least the head. */
void json_source_use(struct json_source *source, const struct json_bytes *bytes, uint64_t offset)
{
	struct span head;
	struct error ignored;
	source->bytes = bytes;
	source->counted = bytes->fd < 0 ? bytes->size : offset;
	if (input_head(source->input, &head, &ignored) == 0 && head.len > source->counted)
		source->counted = head.len;
}

static int64_t read_memory(struct span memory, uint64_t offset, void *buffer, size_t size)
{
	if (offset >= memory.len)
		return 0;
	size_t left = memory.len - (size_t)offset, got = left < size ? left : size;
	memcpy(buffer, memory.ptr + offset, got);
	return (int64_t)got;
}

static int64_t read_bytes(const struct json_bytes *bytes, uint64_t offset, void *buffer,
			  size_t size, struct error *err)
{
	ssize_t got;
	if (bytes->fd < 0)
		return read_memory(bytes->memory, offset, buffer, size);
	do
		got = pread(bytes->fd, buffer, size, (off_t)offset);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return error_errno(err, "cannot read on after stored byte %" PRIu64, offset);
	return got;
}

static int check_stopped(const struct json_source *source, struct error *err)
{
	if (source->stopped && atomic_load(source->stopped))
		return error_set(err, ERR_SYSTEM, "reading was stopped");
	return 0;
}

static void count_to(struct json_source *source, uint64_t end)
{
	if (source->input && end > source->counted) {
		input_count(source->input, end - source->counted);
		source->counted = end;
	}
}

int64_t json_source_read(struct json_source *source, uint64_t offset, void *buffer, size_t size,
			 struct error *err)
{
	size_t in_order;
	if (check_stopped(source, err) < 0)
		return -1;
	if (!source->bytes)
		return input_read(source->input, buffer, size, &in_order, err) < 0
			       ? -1
			       : (int64_t)in_order;
	int64_t got = read_bytes(source->bytes, offset, buffer, size, err);
	count_to(source, offset + (uint64_t)(got < 0 ? 0 : got));
	return got;
}

/* The size is the file's at the beginning: what it has more later is read. */
static int look_at(struct json_source *source, uint64_t offset, struct span *bytes, size_t *before,
		   struct error *err)
{
	if (source->no_window || source->bytes->fd < 0 || offset >= source->bytes->size)
		return 0;
	if (check_stopped(source, err) < 0)
		return -1;
	if (!source->window)
		source->window = file_window_open();
	source->no_window =
		!source->window || !file_window_move(source->window, source->bytes->fd, offset,
						     source->bytes->size, bytes, before);
	if (!source->no_window)
		count_to(source, offset + bytes->len);
	return !source->no_window;
}

int json_source_borrow(struct json_source *source, uint64_t offset, struct span *bytes,
		       size_t *before, struct error *err)
{
	_Static_assert((int)file_window_margin >= (int)input_margin, "margins are those said");
	*before = 0;
	if (source->bytes)
		return look_at(source, offset, bytes, before, err);
	return source->input ? input_borrow(source->input, bytes, err) : 0;
}

int json_source_check(const struct json_source *source, struct error *err)
{
	if (!source->window || !file_window_failed(source->window))
		return 0;
	return error_set(err, ERR_SYSTEM,
			 "the file became shorter while it was read, or its disk fails");
}

void json_source_end(struct json_source *source)
{
	file_window_close(source->window);
}
