/* Lists names and kinds of the values at the beginning of a JSON document. */
#include "ingest/json/document/peek.h"

#include "base/json/token.h"

struct json_peek json_peek_of(struct span head)
{
	if (span_starts(head, "\xef\xbb\xbf"))
		head = span_from(head, 3);
	return (struct json_peek){.rest = head, .end = JSON_PEEK_OPEN};
}

static void skip(struct json_peek *peek, size_t len)
{
	peek->rest.ptr += len;
	peek->rest.len -= len;
}

static void skip_blanks(struct json_peek *peek)
{
	while (peek->rest.len && memchr(" \t\r\n", peek->rest.ptr[0], 4))
		skip(peek, 1);
}

static bool stop(struct json_peek *peek, enum json_peek_end end)
{
	peek->end = end;
	return false;
}

/* Reads a text from its opening quote; false if the bytes end inside it. */
static bool read_text(struct json_peek *peek, struct span *text)
{
	size_t i = 1;
	while (i < peek->rest.len && peek->rest.ptr[i] != '"')
		i += peek->rest.ptr[i] == '\\' ? 2 : 1;
	bool closed = i < peek->rest.len;
	if (!closed)
		i = peek->rest.len;
	*text = (struct span){peek->rest.ptr + 1, i - 1};
	skip(peek, closed ? i + 1 : i);
	return closed;
}

static bool is_literal(struct span word)
{
	for (const struct json_literal *each = json_literals; each->text; each++)
		if (span_is(word, each->text))
			return true;
	return false;
}

/* Reads a number or a literal; the bytes may end inside it. */
static bool read_word(struct json_peek *peek, struct json_peek_value *value)
{
	size_t len = 0;
	double number;
	while (len < peek->rest.len && !memchr(" \t\r\n,]}:\"", peek->rest.ptr[len], 9))
		len++;
	value->text = (struct span){peek->rest.ptr, len};
	skip(peek, len);
	value->kind = is_literal(value->text) ? 't' : '0';
	return peek->rest.len == 0 || value->kind == 't' || span_number(value->text, &number);
}

static bool push(struct json_peek *peek, char kind, struct span name)
{
	if (peek->depth == json_peek_depth)
		return stop(peek, JSON_PEEK_BROKEN);
	peek->open[peek->depth].is_array = kind == '[';
	peek->open[peek->depth].name = name;
	peek->depth++;
	skip(peek, 1);
	return true;
}

static bool read_value(struct json_peek *peek, struct json_peek_value *value)
{
	char c = peek->rest.ptr[0];
	if (c == '{' || c == '[') {
		value->kind = c;
		return push(peek, c, value->name);
	}
	if (c == '"') {
		value->kind = c;
		read_text(peek, &value->text);
		return true;
	}
	return read_word(peek, value) || stop(peek, JSON_PEEK_BROKEN);
}

/* Reads the name of a member and its colon. */
static bool read_name(struct json_peek *peek, struct json_peek_value *value)
{
	if (peek->rest.ptr[0] != '"')
		return stop(peek, JSON_PEEK_BROKEN);
	if (!read_text(peek, &value->name))
		return stop(peek, JSON_PEEK_OPEN);
	skip_blanks(peek);
	if (peek->rest.len == 0)
		return stop(peek, JSON_PEEK_OPEN);
	if (peek->rest.ptr[0] != ':')
		return stop(peek, JSON_PEEK_BROKEN);
	skip(peek, 1);
	skip_blanks(peek);
	return peek->rest.len > 0 || stop(peek, JSON_PEEK_OPEN);
}

static bool finish(struct json_peek *peek)
{
	return stop(peek, peek->rest.len ? JSON_PEEK_MORE : JSON_PEEK_CLOSED);
}

/* Skips commas and closing brackets up to the next value; false at the end. */
static bool skip_closings(struct json_peek *peek)
{
	for (;;) {
		skip_blanks(peek);
		if (peek->depth == 0 && peek->started)
			return finish(peek);
		if (peek->rest.len == 0)
			return stop(peek, JSON_PEEK_OPEN);
		char c = peek->rest.ptr[0];
		if (peek->depth && (c == '}' || c == ']')) {
			if ((c == ']') != peek->open[peek->depth - 1].is_array)
				return stop(peek, JSON_PEEK_BROKEN);
			peek->depth--;
		} else if (!peek->depth || c != ',') {
			return true;
		}
		skip(peek, 1);
	}
}

bool json_peek_next(struct json_peek *peek, struct json_peek_value *value)
{
	if (peek->end != JSON_PEEK_OPEN || !skip_closings(peek))
		return false;
	*value = (struct json_peek_value){.depth = peek->depth};
	peek->started = true;
	if (peek->depth) {
		value->is_item = peek->open[peek->depth - 1].is_array;
		if (!value->is_item && !read_name(peek, value))
			return false;
	}
	return read_value(peek, value);
}
