/* Escaping. A text is cleaned before it is escaped, so that dropped characters neither act as
 * markup nor hide it. */
#include "render/markup/escape.h"

#include "base/base.h"
#include "base/text/text.h"

static bool is_space(uint32_t c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Letters, digits and every byte of a multi-byte character. */
static bool is_word(unsigned char c)
{
	return ascii_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80;
}

static bool is_dropped(uint32_t code)
{
	bool control = code < 0x20 || (code >= 0x7f && code <= 0x9f);
	/* Includes direction marks and line separators, which reorder or break the text around
	 * them. */
	bool turns = code == 0x200e || code == 0x200f || code == 0x61c ||
		     (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
	return control || turns;
}

/* Cuts off the next visible character or white space; an empty span if none is left. */
static struct span next_character(struct span *rest, uint32_t *code)
{
	while (rest->len) {
		struct span character = utf8_cut(rest, code);
		if (is_space(*code) || !is_dropped(*code))
			return character;
	}
	return (struct span){NULL, 0};
}

/* The bytes next to a character, 0 at the ends: enough to decide whether it can be markup. */
struct around {
	unsigned char before, after;
};

static struct around around(struct span text, size_t at)
{
	return (struct around){at > 0 ? (unsigned char)text.ptr[at - 1] : 0,
			       at + 1 < text.len ? (unsigned char)text.ptr[at + 1] : 0};
}

static bool md_special(unsigned char c, struct around near)
{
	if (strchr("|`<>*[]\\$", c))
		return true;
	/* "https://x" and "www.x" would become links */
	if (c == ':')
		return near.after == '/';
	if (c == '.')
		return near.before == 'w' && is_word(near.after);
	if (c == '_')
		return !(is_word(near.before) && is_word(near.after));
	if (c == '&')
		return is_word(near.after) || near.after == '#';
	if (c == '~')
		return (near.before && !is_space(near.before)) ||
		       (near.after && !is_space(near.after));
	return false;
}

/* Whether the character starts a mention ("@name"), a reference ("#12") or an address ("a@b.c"). A
 * backslash does not prevent them: the server searches the rendered text. */
static bool md_calls(unsigned char c, struct around near)
{
	return (c == '@' && is_word(near.after)) || (c == '#' && ascii_is_digit(near.after));
}

/* Whether the character is special at the start of a line: headings, lists, rules and
 * underlines. */
static bool md_special_at_start(unsigned char c, struct around near)
{
	if (c == '#' || c == '=')
		return true;
	return (c == '-' || c == '+') && (!near.after || is_space(near.after) || near.after == c);
}

/* "1." and "1)" start a list: the position of the delimiter, or 0. */
static size_t list_delimiter(struct span text)
{
	size_t at = 0;
	while (at < text.len && ascii_is_digit((unsigned char)text.ptr[at]))
		at++;
	bool delimiter = at > 0 && at < text.len && (text.ptr[at] == '.' || text.ptr[at] == ')');
	bool ends = at + 1 >= text.len || is_space((unsigned char)text.ptr[at + 1]);
	return delimiter && ends ? at : 0;
}

/* Adds the visible characters of `text`; white space becomes blanks. */
static void clean(struct strbuf *out, struct span text)
{
	uint32_t code;
	for (struct span character; (character = next_character(&text, &code)).len;)
		strbuf_addspan(out, is_space(code) ? span_of(" ") : character);
}

/* Escapes a cleaned text. Cleaning first guarantees that no invisible character separates
 * neighbors. */
static void md_add_clean(struct strbuf *out, struct span text, bool line_start)
{
	while (line_start && text.len && *text.ptr == ' ') {
		text.ptr++;
		text.len--;
	}
	size_t delimiter = line_start ? list_delimiter(text) : 0;
	for (size_t at = 0; at < text.len; at++) {
		unsigned char c = (unsigned char)text.ptr[at];
		struct around near = around(text, at);
		if (md_special(c, near) || (line_start && md_special_at_start(c, near)) ||
		    (delimiter && at == delimiter))
			strbuf_addch(out, '\\');
		strbuf_addch(out, (char)c);
		if (md_calls(c, near))
			strbuf_addstr(out, "&#8203;");
		line_start = false;
	}
}

static void md_add(struct strbuf *out, struct span text, bool line_start)
{
	struct strbuf scratch = {0};
	clean(&scratch, text);
	md_add_clean(out, strbuf_span(&scratch), line_start);
	strbuf_free(&scratch);
}

/* Whether the line so far only starts a list item or a quote. "=" cannot underline a heading
 * there. */
static bool begins_block(struct span before, struct span text)
{
	enum { longest_beginning = 64 };
	size_t start = before.len;
	while (start > 0 && before.ptr[start - 1] != '\n' && before.len - start < longest_beginning)
		start--;
	if (start == before.len)
		return true;
	struct span line = {before.ptr + start, before.len - start};
	while (line.len && strchr(" >-*+", *line.ptr))
		line = (struct span){line.ptr + 1, line.len - 1};
	size_t delimiter = list_delimiter(line);
	bool item = line.len == 0 || (delimiter && delimiter + 2 == line.len);
	return item && !span_starts(text, "=");
}

void md_text(struct strbuf *out, struct span text)
{
	md_add(out, text, begins_block(strbuf_span(out), text));
}

void md_cell(struct strbuf *out, struct span text)
{
	md_add(out, text, false);
}

void html_text(struct strbuf *out, struct span text)
{
	static const char *const entities[128] = {
		['&'] = "&amp;",  ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;",
		['\''] = "&#39;", ['\v'] = "",    ['\f'] = ""};
	uint32_t code;
	for (struct span character; (character = next_character(&text, &code)).len;)
		strbuf_addspan(out,
			       code < 128 && entities[code] ? span_of(entities[code]) : character);
}

void terminal_text(struct strbuf *out, struct span text)
{
	clean(out, text);
}

void terminal_ascii(struct strbuf *out, struct span text)
{
	struct strbuf cleaned = {0};
	clean(&cleaned, text);
	for (struct span rest = strbuf_span(&cleaned); rest.len;) {
		struct span character = utf8_cut(&rest, NULL);
		if (character.len == 1)
			strbuf_addspan(out, character);
		else
			strbuf_repeat(out, "?", utf8_columns(character));
	}
	strbuf_free(&cleaned);
}

static void each_line(struct strbuf *out, struct span text,
		      void (*clean_line)(struct strbuf *out, struct span line))
{
	while (text.ptr) {
		clean_line(out, span_cut(&text, '\n'));
		if (text.ptr)
			strbuf_addch(out, '\n');
	}
}

void terminal_text_lines(struct strbuf *out, struct span text)
{
	each_line(out, text, terminal_text);
}

void terminal_ascii_lines(struct strbuf *out, struct span text)
{
	each_line(out, text, terminal_ascii);
}
