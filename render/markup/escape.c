/* Escaping. What does not show is replaced before markup is escaped, so that it neither acts as
 * markup nor hides it. */
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

/* Adds a character, escaped if it would be markup. Whoever looks for a comment of rooflog by its
 * bytes finds none in a name. */
static void md_add_character(struct strbuf *out, struct span text, size_t at, bool special)
{
	unsigned char c = (unsigned char)text.ptr[at];
	if (c == '<' && around(text, at).after == '!') {
		strbuf_addstr(out, "&lt;");
		return;
	}
	if (special)
		strbuf_addch(out, '\\');
	strbuf_addch(out, (char)c);
}

/* Escapes a text in which everything shows, so that no invisible character separates neighbors. An
 * id becomes code, which forges do not search and who copies it gets nothing but the id; a sign is
 * followed by a zero-width space. */
static void md_add_shown(struct strbuf *out, struct span text, bool line_start,
			 const struct md_ids *ids)
{
	while (line_start && text.len && *text.ptr == ' ') {
		text.ptr++;
		text.len--;
	}
	size_t delimiter = line_start ? list_delimiter(text) : 0, id_end = 0;
	for (size_t at = 0; at < text.len; at++) {
		unsigned char c = (unsigned char)text.ptr[at];
		struct around near = around(text, at);
		bool special = md_special(c, near) ||
			       (line_start && md_special_at_start(c, near)) ||
			       (delimiter && at == delimiter);
		size_t id = md_autolink_id(text, at, ids);
		strbuf_addstr(out, id ? "`" : "");
		id_end = id ? at + id : id_end;
		md_add_character(out, text, at, special);
		strbuf_addstr(out, at + 1 == id_end             ? "`"
				   : md_autolink_sign(text, at) ? "&#8203;"
								: "");
		line_start = false;
	}
}

static void md_add(struct strbuf *out, struct span text, bool line_start, const struct md_ids *ids)
{
	struct strbuf scratch = {0};
	shown_text(&scratch, text, "");
	md_add_shown(out, strbuf_span(&scratch), line_start, ids);
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
	struct span line = span_from(before, start);
	while (line.len && strchr(" >-*+", *line.ptr))
		line = span_from(line, 1);
	size_t delimiter = list_delimiter(line);
	bool item = line.len == 0 || (delimiter && delimiter + 2 == line.len);
	return item && !span_starts(text, "=");
}

void md_text(struct strbuf *out, struct span text)
{
	md_text_about(out, text, NULL);
}

void md_text_about(struct strbuf *out, struct span text, const struct md_ids *ids)
{
	md_add(out, text, begins_block(strbuf_span(out), text), ids);
}

void md_cell(struct strbuf *out, struct span text)
{
	md_add(out, text, false, NULL);
}

void html_text(struct strbuf *out, struct span text)
{
	static const char *const entities[128] = {['&'] = "&amp;",
						  ['<'] = "&lt;",
						  ['>'] = "&gt;",
						  ['"'] = "&quot;",
						  ['\''] = "&#39;"};
	struct strbuf shown = {0};
	shown_text(&shown, text, "\n\t");
	for (size_t i = 0; i < shown.len; i++) {
		unsigned char c = (unsigned char)shown.buf[i];
		if (c < 128 && entities[c])
			strbuf_addstr(out, entities[c]);
		else
			strbuf_addch(out, (char)c);
	}
	strbuf_free(&shown);
}

static void add_ascii(struct strbuf *out, struct span text, const char *stays)
{
	struct strbuf shown = {0};
	shown_text(&shown, text, stays);
	for (struct span rest = strbuf_span(&shown); rest.len;) {
		struct span character = utf8_cut(&rest, NULL);
		if (character.len == 1)
			strbuf_addspan(out, character);
		else
			strbuf_repeat(out, "?", utf8_columns(character));
	}
	strbuf_free(&shown);
}

void terminal_text(struct strbuf *out, struct span text)
{
	shown_text(out, text, "");
}

void terminal_ascii(struct strbuf *out, struct span text)
{
	add_ascii(out, text, "");
}

void terminal_text_lines(struct strbuf *out, struct span text)
{
	shown_text(out, text, "\n");
}

void terminal_ascii_lines(struct strbuf *out, struct span text)
{
	add_ascii(out, text, "\n");
}
