/* Lines of standard input in fixed memory. */
#include "cli/query/mcp/mcp.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

/* Whether to try again: after a signal, or once there is something in a pipe that does not block.
 */
static bool is_passing(int fd)
{
	struct pollfd polled = {fd, POLLIN, 0};
	return errno == EINTR || (errno == EAGAIN && (poll(&polled, 1, -1) >= 0 || errno == EINTR));
}

/* Reads what is there, or waits for it. Without room the buffer stays as it is. */
static void fill(struct mcp_lines *lines)
{
	ssize_t n;
	memmove(lines->bytes, lines->bytes + lines->begin, lines->end - lines->begin);
	lines->end -= lines->begin;
	lines->seen -= lines->seen > lines->begin ? lines->begin : lines->seen;
	lines->begin = 0;
	do
		n = read(lines->fd, lines->bytes + lines->end, MCP_LINE_LIMIT + 1 - lines->end);
	while (n < 0 && is_passing(lines->fd));
	lines->ended = n <= 0;
	lines->end += n > 0 ? (size_t)n : 0;
}

/* Takes what is before the next line end; false: there is none. */
static bool take(struct mcp_lines *lines, struct span *line)
{
	const char *begin = lines->bytes + lines->begin;
	const char *end = memchr(begin, '\n', lines->end - lines->begin);
	if (!end)
		return false;
	*line = (struct span){begin, (size_t)(end - begin)};
	lines->begin += line->len + 1;
	return true;
}

enum mcp_line mcp_lines_next(struct mcp_lines *lines, struct span *line)
{
	for (;;) {
		const bool taken = take(lines, line);
		if (taken && !lines->skips)
			return MCP_LINE;
		if (taken) {
			lines->skips = false;
			continue;
		}
		const bool is_long = lines->end - lines->begin > MCP_LINE_LIMIT;
		if (lines->skips || is_long)
			lines->begin = lines->end;
		if (is_long && !lines->skips) {
			lines->skips = true;
			return MCP_LINE_TOO_LONG;
		}
		if (lines->ended)
			break;
		fill(lines);
	}
	/* The last line need not have an end. */
	*line = (struct span){lines->bytes + lines->begin, lines->end - lines->begin};
	lines->begin = lines->end;
	return line->len ? MCP_LINE : MCP_LINE_NONE;
}

bool mcp_lines_read(struct mcp_lines *lines)
{
	if (!lines->ended && lines->end - lines->begin <= MCP_LINE_LIMIT)
		fill(lines);
	return !lines->ended && lines->end - lines->begin <= MCP_LINE_LIMIT;
}

bool mcp_lines_peek(struct mcp_lines *lines, struct span *line)
{
	struct mcp_lines ahead = *lines;
	if (lines->seen > lines->begin)
		ahead.begin = lines->seen;
	if (!take(&ahead, line))
		return false;
	lines->seen = ahead.begin;
	return true;
}
