/* UTF-8 as in RFC 3629; the widths of characters are in base/text/utf8_width.def. */
#include "base/text/utf8.h"

size_t utf8_next(struct span bytes, uint32_t *code_point)
{
	const unsigned char *p = (const unsigned char *)bytes.ptr;
	assert(bytes.len > 0);
	if (p[0] < 0x80) {
		*code_point = p[0];
		return 1;
	}
	size_t len = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
	if (p[0] < 0xc2 || p[0] > 0xf4 || bytes.len < len)
		return 0;
	uint32_t code = p[0] & (0xffu >> (len + 1));
	for (size_t i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (p[i] & 0x3fu);
	}
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000}; /* by length */
	if (code < smallest[len] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	*code_point = code;
	return len;
}

struct span utf8_cut(struct span *rest, uint32_t *code_point)
{
	uint32_t code = 0xfffd;
	size_t len = utf8_next(*rest, &code);
	struct span character = len ? (struct span){rest->ptr, len} : span_of("\xef\xbf\xbd");
	*rest = (struct span){rest->ptr + (len ? len : 1), rest->len - (len ? len : 1)};
	if (code_point)
		*code_point = code;
	return character;
}

bool utf8_is_cut_off(struct span bytes)
{
	uint32_t code;
	if (bytes.len >= 4 || utf8_next(bytes, &code))
		return false;
	/* Tries the smallest and the largest continuation byte: if any continuation is valid, one
	 * of them is. */
	for (int missing = 0x80; missing <= 0xbf; missing += 0x3f) {
		char whole[4];
		memset(whole, missing, sizeof whole);
		memcpy(whole, bytes.ptr, bytes.len);
		if (utf8_next((struct span){whole, sizeof whole}, &code))
			return true;
	}
	return false;
}

/* The number of leading bytes that are ASCII, in steps of eight. */
static size_t ascii_prefix(struct span bytes)
{
	uint64_t eight;
	size_t i = 0;
	for (; bytes.len - i >= sizeof eight; i += sizeof eight) {
		memcpy(&eight, bytes.ptr + i, sizeof eight);
		if (eight & 0x8080808080808080)
			break;
	}
	return i;
}

size_t utf8_valid_prefix(struct span bytes)
{
	size_t i = ascii_prefix(bytes);
	while (i < bytes.len) {
		uint32_t code;
		size_t len = utf8_next(span_from(bytes, i), &code);
		if (len == 0)
			break;
		i += len;
	}
	return i;
}

/* Code points from first to last. The tables are sorted, and their ranges do not overlap. */
struct range {
	uint32_t first, last;
};

static const struct range wide[] = {
#define WIDE(first, last) {first, last},
#include "base/text/utf8_width.def"
#undef WIDE
};

static const struct range zero[] = {
#define ZERO(first, last) {first, last},
#include "base/text/utf8_width.def"
#undef ZERO
};

static const struct range hidden[] = {
#define HIDDEN(first, last) {first, last},
#include "base/text/utf8_width.def"
#undef HIDDEN
};

static bool in_ranges(uint32_t code, const struct range *ranges, size_t count)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (code > ranges[middle].last)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && code >= ranges[low].first;
}

bool utf8_is_hidden(uint32_t code_point)
{
	bool noncharacter = (code_point & 0xfffe) == 0xfffe;
	return noncharacter || in_ranges(code_point, hidden, sizeof hidden / sizeof *hidden);
}

size_t utf8_columns(struct span text)
{
	size_t columns = 0, i = 0;
	while (i < text.len) {
		uint32_t code = '?';
		size_t len = utf8_next(span_from(text, i), &code);
		i += len ? len : 1;
		if (code < 0x80)
			columns++;
		else if (!in_ranges(code, zero, sizeof zero / sizeof *zero))
			columns += in_ranges(code, wide, sizeof wide / sizeof *wide) ? 2 : 1;
	}
	return columns;
}

struct span utf8_fitting(struct span text, size_t columns)
{
	struct span rest = text;
	while (rest.len) {
		struct span next = rest, character;
		character = utf8_cut(&next, NULL);
		size_t width = utf8_columns(character);
		if (width > columns)
			break;
		columns -= width;
		rest = next;
	}
	return (struct span){text.ptr, text.len - rest.len};
}

size_t utf8_put(char out[4], uint32_t code)
{
	assert(code <= 0x10ffff);
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	size_t len = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	for (size_t i = len; i-- > 1; code >>= 6)
		out[i] = (char)(0x80 | (code & 0x3f));
	out[0] = (char)((0xf00u >> len & 0xffu) | code);
	return len;
}

/* Whether eight bytes are ASCII without NUL; false for some that are. */
static bool eight_are_plain(const char *bytes)
{
	uint64_t eight;
	memcpy(&eight, bytes, sizeof eight);
	return !((eight | (eight - 0x0101010101010101)) & 0x8080808080808080);
}

bool utf8_is_text(struct span text)
{
	size_t at = 0;
	while (text.len - at >= 8 && eight_are_plain(text.ptr + at))
		at += 8;
	/* The last eight overlap those before. */
	if (text.len >= 8 && text.len - at < 8 && eight_are_plain(text.ptr + text.len - 8))
		return true;
	text = span_from(text, at);
	return utf8_valid_prefix(text) == text.len &&
	       !(text.len && memchr(text.ptr, '\0', text.len));
}

bool utf8_is_line(struct span text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.ptr[i] < ' ' || text.ptr[i] == 0x7f)
			return false;
	return utf8_valid_prefix(text) == text.len;
}

const char *utf8_line(struct arena *arena, const char *text, size_t limit)
{
	size_t len = utf8_valid_prefix((struct span){text, strnlen(text, limit)});
	char *line = arena_strndup(arena, text, len);
	for (char *c = line; *c; c++)
		*c = (char)((unsigned char)*c < ' ' || *c == 0x7f ? ' ' : *c);
	return line;
}
