/* Steps over JSON syntax in a sliding buffer, without recursion.
 * Only growing the buffer allocates. */
#include "ingest/json/scan.h"

#include <stdarg.h>

#include "base/text/text.h"

static char *allocate(size_t room)
{
	char *memory = memory_buffer(json_slack + room + json_slack);
	memset(memory, 0, json_slack);
	return memory + json_slack;
}

struct json_scan *json_scan_new(struct input *input, size_t room)
{
	struct json_scan *scan = memory_allocate(1, sizeof *scan);
	scan->room = room;
	scan->own = allocate(room);
	scan->at = scan->end = scan->buffer = scan->own;
	memset(scan->buffer, 0, json_slack);
	json_source_open(&scan->source, input);
	return scan;
}

void json_scan_free(struct json_scan *scan)
{
	json_source_close(&scan->source);
	free(scan->own - json_slack);
	free(scan);
}

static uint64_t offset_of(const struct json_scan *scan, const char *where)
{
	return scan->base + (uint64_t)(where - scan->buffer);
}

uint64_t json_scan_offset(const struct json_scan *scan)
{
	return offset_of(scan, scan->at);
}

int json_scan_fail(const struct json_scan *scan, const char *where, struct error *err,
		   const char *format, ...)
{
	char text[512];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return error_set(err, ERR_FORMAT, "byte %" PRIu64 ": %s", offset_of(scan, where), text);
}

static int fail_cut_off(const struct json_scan *scan, struct error *err)
{
	return json_scan_fail(scan, scan->end, err, "truncated JSON document");
}

static int fail_unexpected(const struct json_scan *scan, const char *expected, struct error *err)
{
	unsigned char c = (unsigned char)*scan->at;
	if (c > ' ' && c < 0x7f)
		return json_scan_fail(scan, scan->at, err, "expected %s, found '%c'", expected, c);
	return json_scan_fail(scan, scan->at, err, "expected %s, found byte 0x%02x", expected, c);
}

/* Moves the unread bytes to the front of the own buffer, which grows if they fill it. */
static void slide(struct json_scan *scan, size_t unread)
{
	char *own = scan->own;
	size_t room = scan->room;
	scan->base += (uint64_t)(scan->at - scan->buffer);
	while (unread >= scan->room)
		scan->room *= 2;
	if (scan->room != room)
		scan->own = allocate(scan->room);
	memmove(scan->own, scan->at, unread);
	if (scan->own != own)
		free(own - json_slack);
	scan->at = scan->buffer = scan->own;
	scan->end = scan->own + unread;
}

/* Reads more bytes after the unread ones, or copies the unread ones in front of the next window.
 * Returns the number of new bytes, or -1 and *err. */
static int64_t append(struct json_scan *scan, size_t unread, struct error *err)
{
	struct span shown;
	uint64_t offset = offset_of(scan, scan->end);
	size_t left = scan->room - unread, before;
	if (unread > file_window_margin - json_slack ||
	    !json_source_show(&scan->source, offset, &shown, &before))
		return json_source_read(&scan->source, offset, scan->own + unread,
					left < json_read_size ? left : json_read_size, err);
	scan->buffer = (char *)shown.ptr - unread;
	if (before < unread + json_slack) { /* otherwise the window contains them already */
		memset(scan->buffer - json_slack, 0, json_slack);
		memcpy(scan->buffer, scan->at, unread);
	}
	scan->at = scan->buffer;
	scan->end = shown.ptr;
	return (int64_t)shown.len;
}

/* Moves the unread bytes to the front and reads more: 1; 0 at the end of the document;
 * -1 and *err. */
static int more(struct json_scan *scan, struct error *err)
{
	if (scan->ended)
		return 0;
	size_t unread = (size_t)(scan->end - scan->at);
	slide(scan, unread);
	uint64_t offset = offset_of(scan, scan->end);
	int64_t got = append(scan, unread, err);
	if (got < 0)
		return error_prefix(err, "byte %" PRIu64, offset);
	scan->end += got;
	memset(scan->buffer + unread + got, 0, json_slack);
	scan->ended = got == 0;
	return got != 0;
}

int json_scan_ensure(struct json_scan *scan, size_t count, struct error *err)
{
	while ((size_t)(scan->end - scan->at) < count) {
		int rc = more(scan, err);
		if (rc <= 0)
			return rc;
	}
	return 0;
}

int json_scan_at_end(struct json_scan *scan, struct error *err)
{
	for (;;) {
		while (ascii_is_space(*scan->at))
			scan->at++;
		if (scan->at < scan->end)
			return 0;
		int rc = more(scan, err);
		if (rc <= 0)
			return rc < 0 ? -1 : 1;
	}
}

int json_scan_peek(struct json_scan *scan, struct error *err)
{
	if (ascii_is_space(*scan->at) || scan->at == scan->end) {
		int rc = json_scan_at_end(scan, err);
		if (rc)
			return rc < 0 ? -1 : fail_cut_off(scan, err);
	}
	return (unsigned char)*scan->at;
}

static bool in_object(const struct json_scan *scan)
{
	return scan->is_object[(scan->depth - 1) / 8] >> (scan->depth - 1) % 8 & 1;
}

int json_scan_open(struct json_scan *scan, struct error *err)
{
	unsigned level = scan->depth;
	if (level == json_depth_limit)
		return json_scan_fail(scan, scan->at, err, "nested deeper than %d levels",
				      json_depth_limit);
	unsigned char bit = (unsigned char)(1u << level % 8);
	if (*scan->at++ == '{')
		scan->is_object[level / 8] |= bit;
	else
		scan->is_object[level / 8] &= (unsigned char)~bit;
	scan->depth++;
	scan->fresh = true;
	return 0;
}

int json_scan_next(struct json_scan *scan, struct error *err)
{
	bool object = in_object(scan), fresh = scan->fresh;
	/* The usual case without white space. The buffer ends with NUL, so at[1] is readable. */
	if (object && !fresh && scan->at[0] == ',' && scan->at[1] == '"') {
		scan->at++;
		return 1;
	}
	int c = json_scan_peek(scan, err);
	if (c < 0)
		return -1;
	scan->fresh = false;
	if (c == (object ? '}' : ']')) {
		scan->at++;
		scan->depth--;
		return 0;
	}
	if (!fresh) {
		if (c != ',')
			return fail_unexpected(scan, object ? "',' or '}'" : "',' or ']'", err);
		scan->at++;
		c = json_scan_peek(scan, err);
	}
	if (object && c >= 0 && c != '"')
		return fail_unexpected(scan, "a quoted name", err);
	return c < 0 ? -1 : 1;
}

int json_scan_colon(struct json_scan *scan, struct error *err)
{
	int c = json_scan_peek(scan, err);
	if (c < 0)
		return -1;
	if (c != ':')
		return fail_unexpected(scan, "':'", err);
	scan->at++;
	return 0;
}

/* --- strings --- */

int json_scan_text(struct json_scan *scan, struct span *raw, bool *escaped, struct error *err)
{
	const char *quote = json_plain_end(scan->at + 1, scan->end);
	*escaped = false;
	if (*quote == '"' && quote - scan->at <= json_text_limit) {
		*raw = (struct span){scan->at + 1, (size_t)(quote - scan->at - 1)};
		scan->at = quote + 1;
		return 0;
	}
	for (;;) {
		const char *start = scan->at + 1, *p = start, *why = "";
		*escaped = false;
		enum json_chunk chunk = json_string_check(&p, scan->end, escaped, &why);
		if (chunk == JSON_CHUNK_BAD)
			return json_scan_fail(scan, p, err, "%s", why);
		if (p - start > json_text_limit)
			return json_scan_fail(scan, scan->at, err, "a string longer than %d bytes",
					      json_text_limit);
		if (chunk == JSON_CHUNK_CLOSED) {
			*raw = (struct span){start, (size_t)(p - start)};
			scan->at = p + 1;
			return 0;
		}
		int rc = more(scan, err);
		if (rc <= 0)
			return rc < 0 ? -1 : fail_cut_off(scan, err);
	}
}

static int skip_string(struct json_scan *scan, struct error *err)
{
	const char *quote = json_plain_end(scan->at + 1, scan->end);
	if (*quote == '"') { /* the usual case */
		scan->at = quote + 1;
		return 0;
	}
	uint64_t start = json_scan_offset(scan);
	bool escaped;
	scan->at++;
	for (;;) {
		const char *p = scan->at, *why = "";
		enum json_chunk chunk = json_string_check(&p, scan->end, &escaped, &why);
		if (chunk == JSON_CHUNK_BAD)
			return json_scan_fail(scan, p, err, "%s", why);
		scan->at = p;
		if (json_scan_offset(scan) - start > json_string_limit)
			return error_set(err, ERR_FORMAT,
					 "byte %" PRIu64 ": a string longer than %d MiB", start,
					 json_string_limit / 1024 / 1024);
		if (chunk == JSON_CHUNK_CLOSED) {
			scan->at++;
			return 0;
		}
		int rc = more(scan, err);
		if (rc <= 0)
			return rc < 0 ? -1 : fail_cut_off(scan, err);
	}
}

/* --- numbers and literals --- */

int json_scan_number(struct json_scan *scan, struct span *text, bool *whole, struct error *err)
{
	/* A number is known to be complete only if it ends before the end of the buffer. */
	const char *p = json_number_end(scan->at, whole);
	if (!p || p == scan->end) {
		if (json_scan_ensure(scan, json_number_limit + 1, err) < 0)
			return -1;
		p = json_number_end(scan->at, whole);
	}
	size_t left = (size_t)(scan->end - scan->at);
	if (!p && left <= json_number_limit && strspn(scan->at, "+-.0123456789eE") == left)
		return fail_cut_off(scan, err);
	if (!p)
		return json_scan_fail(scan, scan->at, err, "a malformed number");
	if (p - scan->at > json_number_limit)
		return json_scan_fail(scan, scan->at, err, "a number of more than %d characters",
				      json_number_limit);
	*text = (struct span){scan->at, (size_t)(p - scan->at)};
	scan->at = p;
	return 0;
}

int json_scan_literal(struct json_scan *scan, const char **literal, struct error *err)
{
	if (json_scan_ensure(scan, sizeof "-Infinity" - 1, err) < 0)
		return -1;
	size_t left = (size_t)(scan->end - scan->at);
	for (const struct json_literal *each = json_literals; each->text; each++) {
		size_t len = strlen(each->text);
		if (memcmp(scan->at, each->text, left < len ? left : len) != 0)
			continue;
		if (left < len)
			return fail_cut_off(scan, err);
		*literal = each->value;
		scan->at += len;
		return 0;
	}
	return fail_unexpected(scan, "a value", err);
}

/* --- whole values --- */

/* Whether blocks.h may be tried: not too early, and with enough bytes. */
static bool is_quick(const struct json_scan *scan)
{
	return json_scan_offset(scan) >= scan->quick_from &&
	       scan->end - scan->at >= 2 * json_block_size;
}

/* Sets the job to the unread bytes. */
static void prepare(const struct json_scan *scan, struct json_blocks *job)
{
	job->at = job->looked_at = scan->at;
	job->end = scan->end;
	job->fresh = scan->fresh;
	job->levels = json_depth_limit - (int)scan->depth;
}

/* Reduces the frequency of trials if blocks.h repeatedly takes little: a trial costs as much as a
 * group of blocks, however short the items are. */
static void wait_longer(struct json_scan *scan, size_t consumed)
{
	enum { little = 1024, longest = 64 * 1024 };
	if (consumed >= little)
		scan->patience = 0;
	else if (scan->patience < longest)
		scan->patience = scan->patience * 2 + json_block_size;
	scan->quick_from += scan->patience;
}

int json_scan_items(struct json_scan *scan, struct json_blocks *job, struct error *err)
{
	for (;;) {
		enum json_blocks_stop stop = JSON_BLOCKS_BYTES;
		if (json_scan_offset(scan) < scan->quick_from)
			return 0;
		prepare(scan, job);
		if (is_quick(scan)) {
			stop = json_blocks_run(job);
			scan->fresh &= job->consumed == scan->at;
			scan->at = job->consumed;
		}
		if (stop == JSON_BLOCKS_CLOSED)
			return 0;
		scan->quick_from = offset_of(scan, job->looked_at) + 1;
		if (stop == JSON_BLOCKS_LEFT)
			wait_longer(scan, (size_t)(job->consumed - job->at));
		if (stop == JSON_BLOCKS_LEFT || (size_t)(scan->end - scan->at) > scan->room / 2)
			return 0;
		int rc = more(scan, err);
		if (rc <= 0)
			return rc;
		scan->quick_from = 0;
	}
}

static int skip_scalar(struct json_scan *scan, int c, struct error *err)
{
	if (c == '"')
		return skip_string(scan, err);
	struct span text;
	bool whole;
	if (c == '-' && json_scan_ensure(scan, 2, err) < 0)
		return -1;
	if ((c >= '0' && c <= '9') || (c == '-' && scan->at[1] != 'I'))
		return json_scan_number(scan, &text, &whole, err);
	const char *literal;
	return json_scan_literal(scan, &literal, err);
}

int json_scan_skip(struct json_scan *scan, struct error *err)
{
	unsigned depth = scan->depth;
	for (;;) {
		int c = json_scan_peek(scan, err);
		if (c < 0)
			return -1;
		int rc = c == '{' || c == '[' ? json_scan_open(scan, err)
					      : skip_scalar(scan, c, err);
		if (rc < 0)
			return -1;
		do {
			if (scan->depth == depth)
				return 0;
			struct json_blocks job = {.object = in_object(scan)};
			if (is_quick(scan) && json_scan_items(scan, &job, err) < 0)
				return -1;
			rc = json_scan_next(scan, err);
			if (rc < 0)
				return -1;
		} while (rc == 0);
		if (in_object(scan) &&
		    (skip_string(scan, err) < 0 || json_scan_colon(scan, err) < 0))
			return -1;
	}
}
