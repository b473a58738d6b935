/* Numbered lines of a text; they are spans of it. */
#include "ingest/table/lines.h"

struct lines lines_of(struct span text)
{
	if (span_starts(text, "\xef\xbb\xbf"))
		text = span_from(text, 3);
	return (struct lines){text, 0, true};
}

bool lines_next(struct lines *lines, struct span *line)
{
	if (lines->rest.len == 0)
		return false;
	lines->terminated = memchr(lines->rest.ptr, '\n', lines->rest.len) != NULL;
	struct span piece = span_cut(&lines->rest, '\n');
	while (piece.len && piece.ptr[piece.len - 1] == '\r')
		piece.len--;
	const char *over = piece.len ? memrchr(piece.ptr, '\r', piece.len) : NULL;
	if (over) {
		piece.len -= (size_t)(over + 1 - piece.ptr);
		piece.ptr = over + 1;
	}
	lines->number++;
	*line = piece;
	return true;
}

const char *lines_excerpt(char out[lines_excerpt_size], struct span bytes)
{
	static const char dots[] = "...";
	size_t room = lines_excerpt_size - sizeof dots;
	size_t len = bytes.len < room ? bytes.len : room;
	for (size_t i = 0; i < len; i++)
		out[i] = bytes.ptr[i] >= ' ' && bytes.ptr[i] < 0x7f ? bytes.ptr[i] : '?';
	memcpy(out + len, dots, sizeof dots);
	if (len == bytes.len)
		out[len] = '\0';
	return out;
}

bool lines_is_log(struct span line)
{
	static const char *const marks[] = {"WARN", "INFO", "ERRO", "DEBU", "level="};
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (span_find(line, marks[i]) < line.len)
			return true;
	return false;
}
