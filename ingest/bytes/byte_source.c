/* Reads from a descriptor into a buffer, or from memory, which needs no buffer. */
#include "ingest/bytes/byte_source.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdatomic.h>
#include <unistd.h>

static void count(struct byte_source *stored, size_t bytes)
{
	stored->fetched += bytes;
	if (stored->progress)
		atomic_fetch_add(stored->progress, bytes);
}

/* Waits until the descriptor can be read; -1 if reading was stopped. */
static int wait_for_bytes(const struct byte_source *stored, struct error *err)
{
	struct pollfd fds[] = {{stored->fd, POLLIN, 0}, {stored->stop_fd, POLLIN, 0}};
	int ready;
	do
		ready = poll(fds, 2, -1);
	while (ready < 0 && errno == EINTR);
	if (ready < 0)
		return error_errno(err, "cannot wait for input");
	return fds[1].revents ? error_set(err, ERR_SYSTEM, "reading was interrupted") : 0;
}

static int fetch(struct byte_source *stored, void *buffer, size_t size, size_t *got,
		 struct error *err)
{
	ssize_t n;
	if (stored->stop_fd >= 0 && wait_for_bytes(stored, err) < 0)
		return -1;
	do
		n = read(stored->fd, buffer, size < SSIZE_MAX ? size : SSIZE_MAX);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return error_errno(err, "read error after stored byte %" PRIu64, stored->fetched);
	*got = (size_t)n;
	count(stored, *got);
	return 0;
}

static void fetch_memory(struct byte_source *stored)
{
	if (stored->rest.len == 0)
		stored->rest = stored->memory;
	count(stored, stored->memory.len);
	stored->memory.len = 0;
}

int byte_source_fill(struct byte_source *stored, size_t min, struct error *err)
{
	size_t got = 1;
	if (stored->fd < 0)
		fetch_memory(stored);
	if (stored->fd < 0 || stored->rest.len >= min)
		return 0;
	if (!stored->buffer)
		stored->buffer = memory_buffer(stored_size);
	if (stored->rest.len)
		memmove(stored->buffer, stored->rest.ptr, stored->rest.len);
	stored->rest.ptr = stored->buffer;
	while (got && stored->rest.len < min) {
		if (fetch(stored, stored->buffer + stored->rest.len, stored_size - stored->rest.len,
			  &got, err) < 0)
			return -1;
		stored->rest.len += got;
	}
	return 0;
}

int byte_source_read(struct byte_source *stored, void *buffer, size_t size, size_t *got,
		     struct error *err)
{
	if (stored->fd < 0)
		fetch_memory(stored);
	else if (stored->rest.len == 0)
		return fetch(stored, buffer, size, got, err);
	*got = stored->rest.len < size ? stored->rest.len : size;
	if (*got)
		memcpy(buffer, stored->rest.ptr, *got);
	stored->rest = (struct span){stored->rest.ptr + *got, stored->rest.len - *got};
	return 0;
}

uint64_t byte_source_position(const struct byte_source *stored)
{
	return stored->fetched - stored->rest.len;
}

void byte_source_free(struct byte_source *stored)
{
	free(stored->buffer);
}
