/* Breaks text into lines. */
#include "base/text/fill.h"

#include "base/base.h"
#include "base/text/utf8.h"

static bool cut_prefix(struct span *text, const char *prefix)
{
	if (!span_starts(*text, prefix))
		return false;
	size_t len = strlen(prefix);
	*text = span_from(*text, len);
	return true;
}

static bool cut_any(struct span *text, const char *const *prefixes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (cut_prefix(text, prefixes[i]))
			return true;
	return false;
}

/* "%", "us", "TFLOP/s", "FLOP/B" or the x of "36 x", and what ends a clause after it. */
static bool is_unit(struct span word)
{
	static const char *const signs[] = {"%", "x"}, *const prefixes[] = {"f", "p", "n", "u",
									    "µ", "m", "k", "M",
									    "G", "T", "P"},
				 *const units[] = {"FLOP", "Hz", "s", "B", "W", "J"},
				 *const rates[] = {"/s", "/B"};
	struct span rest = word;
	while (rest.len && strchr(",;:.)", rest.ptr[rest.len - 1]))
		rest.len--;
	if (cut_any(&rest, signs, sizeof signs / sizeof *signs))
		return rest.len == 0;
	cut_any(&rest, prefixes, sizeof prefixes / sizeof *prefixes);
	if (!cut_any(&rest, units, sizeof units / sizeof *units))
		return false;
	cut_any(&rest, rates, sizeof rates / sizeof *rates);
	return rest.len == 0;
}

struct span fill_next(struct span *rest)
{
	struct span word = span_cut(rest, ' ');
	char last = word.len ? word.ptr[word.len - 1] : ' ';
	if (!rest->ptr || last < '0' || last > '9')
		return word;
	struct span after = *rest, unit = span_cut(&after, ' ');
	if (!is_unit(unit))
		return word;
	*rest = after;
	return (struct span){word.ptr, (size_t)(unit.ptr - word.ptr) + unit.len};
}

static bool is_one_of(struct span character, const char *characters)
{
	for (struct span rest = span_of(characters); rest.len;)
		if (span_eq(utf8_cut(&rest, NULL), character))
			return true;
	return false;
}

size_t fill_piece(struct span word)
{
	struct span rest = word, before = rest.len ? utf8_cut(&rest, NULL) : rest;
	while (rest.len) {
		struct span tail = rest, next = utf8_cut(&tail, NULL);
		bool wide = utf8_columns(before) == 2 || utf8_columns(next) == 2;
		if (wide && !is_one_of(before, "（“《") &&
		    !is_one_of(next, "，。：；、！？）”》%") && utf8_columns(next))
			break;
		before = next;
		rest = tail;
	}
	return word.len - rest.len;
}

/* Adds the words of one line of text. The last column is given back. */
static size_t add_words(struct strbuf *out, struct span text, size_t column, size_t indent,
			size_t columns, bool *first)
{
	while (text.ptr) {
		struct span word = fill_next(&text);
		if (word.len == 0)
			continue;
		for (size_t blank = 1; word.len; blank = 0) {
			struct span piece = {word.ptr, fill_piece(word)};
			size_t width = utf8_columns(piece);
			if (!*first && column + blank + width > columns) {
				strbuf_addch(out, '\n');
				strbuf_repeat(out, " ", indent);
				column = indent;
			} else if (!*first && blank) {
				strbuf_addch(out, ' ');
				column++;
			}
			strbuf_addspan(out, piece);
			column += width;
			word = (struct span){word.ptr + piece.len, word.len - piece.len};
			*first = false;
		}
	}
	return column;
}

void fill_text(struct strbuf *out, const char *text, size_t indent, size_t columns)
{
	size_t column = indent;
	bool first = true;
	for (struct span rest = span_of(text); rest.ptr;)
		column = add_words(out, span_cut(&rest, '\n'), column, indent, columns, &first);
	strbuf_addch(out, '\n');
}

void fill_words(struct strbuf *out, const char *text, size_t indent)
{
	fill_text(out, text, indent, 80);
}

static void fill_line(struct strbuf *out, const char *line, size_t width)
{
	const char *label = strstr(line, ":  ");
	size_t indent = label ? (size_t)(label - line) + 1 : 0;
	indent += strspn(line + indent, " ");
	strbuf_add(out, line, indent);
	fill_text(out, line + indent, indent, width);
}

void fill_lines(struct strbuf *out, const char *text, size_t width)
{
	struct arena scratch = {0};
	struct span rest = span_of(text);
	while (rest.len) {
		struct span line = span_cut(&rest, '\n');
		if (width && utf8_columns(line) > width)
			fill_line(out, arena_strndup(&scratch, line.ptr, line.len), width);
		else
			strbuf_addf(out, "%.*s\n", (int)line.len, line.ptr);
	}
	arena_free(&scratch);
}
