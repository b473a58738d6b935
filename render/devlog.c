/*
 * cmark-gfm says which lines are headings, code and paragraphs; inside a paragraph or table
 * this file decides line by line, because hands write the table and **Issues** right below
 * without the blank lines that Markdown wants.
 */
#include "render/devlog.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

/* Lines [begin, end). */
struct range {
	size_t begin, end;
};

struct entry {
	struct range lines; /* the first is the heading */
	const char *heading;
};

/* Where the block goes: it replaces `lines`, which are none when there was no block. */
struct place {
	struct range lines;
	struct entry entry;
};

/* A line with at most three blanks in front, without them. */
static struct span line_text(const struct markdown_line *line)
{
	struct span text = line->text;
	for (int i = 0; i < 3 && text.len && *text.ptr == ' '; i++) {
		text.ptr++;
		text.len--;
	}
	return text;
}

/* The line shows **Word**, **Word:** or **Word (...)** in front. Inside a list or quote only a
 * line without blanks can have left it. */
static bool starts_part(const struct markdown_line *line, const char *word)
{
	struct span text = line_text(line);
	size_t len = strlen(word);
	if (line->kind != MARKDOWN_PARAGRAPH && line->kind != MARKDOWN_TABLE)
		return false;
	if (!line->top && text.len != line->text.len)
		return false;
	if (text.len < len + 4 || memcmp(text.ptr, "**", 2) != 0 ||
	    memcmp(text.ptr + 2, word, len) != 0)
		return false;
	struct span rest = {text.ptr + 2 + len, text.len - 2 - len};
	return span_starts(rest, "**") || span_starts(rest, ":**") || span_starts(rest, " (");
}

/* Other bold text, or the quote that a line without ">" had left. */
static bool starts_other(const struct markdown_line *line)
{
	return span_starts(line_text(line), "**") || span_starts(line_text(line), ">");
}

static bool has_pipe(const struct markdown_line *line)
{
	return memchr(line->text.ptr, '|', line->text.len) != NULL;
}

/* "| --- | :-: |" */
static bool is_delimiter_row(const struct markdown_line *line)
{
	bool dash = false;
	for (size_t i = 0; i < line->text.len; i++) {
		if (!strchr("|-: \t", line->text.ptr[i]) || !line->text.ptr[i])
			return false;
		dash = dash || line->text.ptr[i] == '-';
	}
	return dash;
}

static size_t skip_blank(const struct markdown_lines *lines, size_t at, size_t end)
{
	while (at < end && markdown_is_blank(&lines->items[at]))
		at++;
	return at;
}

/* Line `at` still belongs to the paragraph or table of line `from`. */
static bool same_leaf(const struct markdown_lines *lines, size_t from, size_t at, size_t end)
{
	return at < end && lines->items[at].leaf == lines->items[from].leaf &&
	       lines->items[at].kind == lines->items[from].kind &&
	       !markdown_is_blank(&lines->items[at]) && !starts_other(&lines->items[at]);
}

/* Behind the Performance paragraph and its table. */
static size_t skip_performance(const struct markdown_lines *lines, size_t from, size_t end)
{
	size_t at = from + 1;
	bool table = false;
	for (; same_leaf(lines, from, at, end); at++) {
		if (table && !has_pipe(&lines->items[at]))
			return at;
		table = table || has_pipe(&lines->items[at]);
	}
	size_t next = skip_blank(lines, at, end);
	if (table || next + 1 >= end || lines->items[next].kind != MARKDOWN_TABLE ||
	    starts_other(&lines->items[next]) || !is_delimiter_row(&lines->items[next + 1]))
		return at;
	at = next;
	while (same_leaf(lines, next, at, end) && has_pipe(&lines->items[at]))
		at++;
	return at;
}

/* Behind the **Bottleneck** paragraph when that is what follows, else `at` itself. */
static size_t skip_bottleneck(const struct markdown_lines *lines, size_t at, size_t end)
{
	size_t from = skip_blank(lines, at, end);
	if (from == end || !starts_part(&lines->items[from], "Bottleneck"))
		return at;
	at = from + 1;
	while (same_leaf(lines, from, at, end) && !span_starts(line_text(&lines->items[at]), "|"))
		at++;
	return at;
}

/* N of "V<N>: ...", or -1. */
static int64_t version_of(const char *heading)
{
	enum { most_digits = 18 };
	int64_t version = 0;
	int digits = 0;
	if (*heading != 'V' && *heading != 'v')
		return -1;
	for (heading++; *heading >= '0' && *heading <= '9'; heading++, digits++) {
		if (digits == most_digits)
			return -1;
		version = version * 10 + (*heading - '0');
	}
	while (*heading == ' ')
		heading++;
	return digits > 0 && *heading == ':' ? version : -1;
}

static bool is_log_heading(const struct markdown_line *line)
{
	if (line->level != 2)
		return false;
	struct span text = span_trim(span_of(line->heading));
	static const char wanted[] = "development log";
	return text.len == sizeof wanted - 1 && strncasecmp(text.ptr, wanted, text.len) == 0;
}

/* The first line behind `at` with a heading of at most this level. */
static size_t section_end(const struct markdown_lines *lines, size_t at, int level)
{
	for (at++; at < lines->count; at++)
		if (lines->items[at].level > 0 && lines->items[at].level <= level)
			break;
	return at;
}

static int find_entry(const struct markdown_lines *lines, struct entry *entry, struct error *err)
{
	bool has_log = false, inside = false;
	int64_t newest = -1;
	for (size_t i = 0; i < lines->count; i++)
		has_log = has_log || is_log_heading(&lines->items[i]);
	for (size_t i = 0; i < lines->count; i++) {
		const struct markdown_line *line = &lines->items[i];
		if (line->level > 0 && line->level <= 2)
			inside = is_log_heading(line);
		if (line->level != 3 || (has_log && !inside))
			continue;
		int64_t version = version_of(line->heading);
		if (version < 0 || version < newest)
			continue;
		newest = version;
		entry->lines = (struct range){i, section_end(lines, i, 3)};
		entry->heading = line->heading;
	}
	if (newest >= 0)
		return 0;
	return error_set(err, ERR_FORMAT,
			 has_log ? "the development log has no entry: a heading "
				   "\"### V<N>: <what changed>\" is expected below "
				   "\"## Development log\""
				 : "no development log: a heading \"## Development log\" with "
				   "entries \"### V<N>: <what changed>\" below is expected");
}

/* Behind the last line that is not blank in front of `end`. */
static size_t content_end(const struct markdown_lines *lines, size_t end)
{
	while (end > 0 && markdown_is_blank(&lines->items[end - 1]))
		end--;
	return end;
}

static int find_place(const struct markdown_lines *lines, struct place *place, struct error *err)
{
	if (find_entry(lines, &place->entry, err) < 0)
		return -1;
	struct range entry = place->entry.lines;
	for (size_t i = entry.begin + 1; i < entry.end; i++)
		if (starts_part(&lines->items[i], "Performance")) {
			size_t end = skip_performance(lines, i, entry.end);
			place->lines.begin = i;
			place->lines.end = skip_bottleneck(lines, end, entry.end);
			return 0;
		}
	size_t before = entry.end;
	for (size_t i = entry.end - 1; i > entry.begin; i--)
		if (starts_part(&lines->items[i], "Issues") ||
		    starts_part(&lines->items[i], "Insights"))
			before = i;
	before = content_end(lines, before);
	place->lines = (struct range){before, before};
	return 0;
}

static struct span end_of(const struct markdown_line *line)
{
	return (struct span){line->text.ptr + line->text.len, line->end};
}

/* The line end of the entry's heading, else the first of the file, else LF. A bare CR is only
 * followed in a file without LF: beside an LF it would become a CRLF. */
static struct span line_end(struct span file, const struct markdown_lines *lines,
			    const struct entry *entry)
{
	const struct markdown_line *line = &lines->items[entry->lines.begin];
	if (line->end == 0)
		line = &lines->items[0];
	if (line->end == 0 ||
	    (span_is(end_of(line), "\r") && memchr(file.ptr, '\n', file.len) != NULL))
		return span_of("\n");
	return end_of(line);
}

/* The block without its last line end and with the file's line ends inside. */
static struct strbuf fit_block(struct span block, struct span end)
{
	struct strbuf fitted = {NULL, 0, 0};
	while (span_ends(block, "\n") || span_ends(block, "\r"))
		block.len--;
	for (size_t i = 0; i < block.len; i++) {
		if (block.ptr[i] == '\n')
			strbuf_addspan(&fitted, end);
		else if (block.ptr[i] != '\r' || i + 1 == block.len || block.ptr[i + 1] != '\n')
			strbuf_addch(&fitted, block.ptr[i]);
	}
	return fitted;
}

/* Returns where in `out` the block begins. */
static size_t put_block(struct span file, const struct markdown_lines *lines,
			const struct place *place, struct span block, struct strbuf *out)
{
	struct span end = line_end(file, lines, &place->entry);
	const struct markdown_line *items = lines->items;
	size_t first = place->lines.begin, next = place->lines.end;
	const char *rest = next < lines->count ? items[next].text.ptr : file.ptr + file.len;
	bool replaces = first < next;
	const struct markdown_line *before = &items[first - 1];

	strbuf_add(out, file.ptr, (size_t)(before->text.ptr + before->text.len - file.ptr));
	strbuf_addspan(out, before->end ? end_of(before) : end);
	if (!markdown_is_blank(before) && !(replaces && before->kind == MARKDOWN_HEADING))
		strbuf_addspan(out, before->end ? end_of(before) : end);
	size_t at = out->len;
	strbuf_addspan(out, block);
	if (items[next - 1].end)
		strbuf_addspan(out, end);
	if (next < lines->count && !markdown_is_blank(&items[next]))
		strbuf_addspan(out, end);
	strbuf_add(out, rest, (size_t)(file.ptr + file.len - rest));
	return at;
}

/* The promise that a second fill changes nothing: the `block` inside `filled` is what it would
 * replace, no more and no less. */
static int check_filled(struct arena *arena, struct span filled, struct span block,
			struct error *err)
{
	struct markdown_lines lines;
	struct place place = {0};
	if (markdown_lines(arena, filled, &lines, err) < 0)
		return -1;
	if (find_place(&lines, &place, err) == 0 && place.lines.begin < place.lines.end) {
		const struct markdown_line *last = &lines.items[place.lines.end - 1];
		const char *begin = lines.items[place.lines.begin].text.ptr;
		size_t len = (size_t)(last->text.ptr + last->text.len - begin);
		if (begin == block.ptr && len == block.len)
			return 0;
	}
	return error_set(err, ERR_FORMAT,
			 "the block would not be found again in this entry: it must be a "
			 "paragraph that starts with **Performance**, a table and a "
			 "**Bottleneck** paragraph, and the entry must not end inside "
			 "code or HTML");
}

int devlog_fill(struct arena *arena, struct span file, struct span block, struct strbuf *out,
		const char **entry, struct error *err)
{
	struct markdown_lines lines;
	struct place place = {0};
	struct strbuf filled = {NULL, 0, 0};
	if (markdown_lines(arena, file, &lines, err) < 0 || find_place(&lines, &place, err) < 0)
		return -1;
	struct strbuf fitted = fit_block(block, line_end(file, &lines, &place.entry));
	size_t at = put_block(file, &lines, &place, strbuf_span(&fitted), &filled);
	int result = check_filled(arena, strbuf_span(&filled),
				  (struct span){filled.buf + at, fitted.len}, err);
	if (result == 0) {
		strbuf_addspan(out, strbuf_span(&filled));
		*entry = place.entry.heading;
	}
	strbuf_free(&fitted);
	strbuf_free(&filled);
	return result;
}
