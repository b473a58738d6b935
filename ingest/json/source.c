/* Shows a large file through a window; reads everything else from the input. */
#include "ingest/json/source.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* The bytes of an input's head were counted as progress when the head was read. */
void json_source_open(struct json_source *source, struct input *input)
{
	struct stat st;
	struct span memory, head;
	struct error ignored;
	int fd;
	*source = (struct json_source){.input = input, .fd = -1, .no_window = true};
	if (!input_is_plain(input, &fd, &memory) || fd < 0 || fstat(fd, &st) < 0 ||
	    st.st_size < json_window_min)
		return;
	source->fd = fd;
	source->no_window = false;
	source->size = (uint64_t)st.st_size;
	if (input_head(input, &head, &ignored) == 0)
		source->counted = head.len;
}

void json_source_close(struct json_source *source)
{
	file_window_close(source->window);
}

static void count_to(struct json_source *source, uint64_t end)
{
	if (end > source->counted) {
		input_count(source->input, end - source->counted);
		source->counted = end;
	}
}

/* Whether the offset can be shown. Bytes added to the file after it was opened are read instead. */
static bool has_window(struct json_source *source, uint64_t offset)
{
	if (source->no_window || offset >= source->size)
		return false;
	if (!source->window)
		source->window = file_window_open();
	return source->window != NULL;
}

bool json_source_show(struct json_source *source, uint64_t offset, struct span *bytes,
		      size_t *before)
{
	source->no_window =
		!has_window(source, offset) ||
		!file_window_move(source->window, source->fd, offset, source->size, bytes, before);
	if (!source->no_window)
		count_to(source, offset + bytes->len);
	return !source->no_window;
}

int64_t json_source_read(struct json_source *source, uint64_t offset, void *buffer, size_t size,
			 struct error *err)
{
	size_t in_order;
	ssize_t got;
	if (source->fd < 0)
		return input_read(source->input, buffer, size, &in_order, err) < 0
			       ? -1
			       : (int64_t)in_order;
	do
		got = pread(source->fd, buffer, size, (off_t)offset);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return error_errno(err, "read error after stored byte %" PRIu64, offset);
	count_to(source, offset + (uint64_t)got);
	return got;
}

int json_source_check(const struct json_source *source, struct error *err)
{
	if (!source->window || !file_window_failed(source->window))
		return 0;
	return error_set(err, ERR_SYSTEM,
			 "the file was truncated while being read, or the disk failed");
}
