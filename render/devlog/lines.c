/*
 * Classifies the lines of a development log. cmark-gfm reports headings, code and paragraphs.
 * Inside a paragraph or table this file decides line by line, because people write the table and
 * **Issues** directly below the text, without the blank lines that Markdown requires.
 */
#include "render/devlog/lines.h"

#include <strings.h>

struct span devlog_line_text(const struct markdown_line *line)
{
	struct span text = line->text;
	for (int i = 0; i < 3 && text.len && *text.ptr == ' '; i++) {
		text.ptr++;
		text.len--;
	}
	return text;
}

/* Whether the line can start a part: people continue at the margin after a list or quote. */
static bool at_margin(const struct markdown_line *line)
{
	if (line->kind != MARKDOWN_PARAGRAPH && line->kind != MARKDOWN_TABLE)
		return false;
	return line->top || devlog_line_text(line).len == line->text.len;
}

static bool starts_word(const struct markdown_line *line, const char *word)
{
	static const char *const ends[] = {"**", ":**", " (", "：**", "（", "("};
	struct span text = devlog_line_text(line);
	size_t len = strlen(word);
	if (!at_margin(line) || text.len < len + 4 || !span_starts(text, "**"))
		return false;
	struct span rest = span_from(text, 2);
	if (!span_starts(rest, word))
		return false;
	rest = span_from(rest, len);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (span_starts(rest, ends[i]))
			return true;
	return false;
}

bool devlog_starts_part(const struct markdown_line *line, enum devlog_part part,
			enum devlog_language *language)
{
	static const char *const names[DEVLOG_PARTS][2] = {
		[DEVLOG_PERFORMANCE] = {"Performance", "性能"},
		[DEVLOG_BOTTLENECK] = {"Bottleneck", "瓶颈"},
		[DEVLOG_ISSUES] = {"Issues", "现存问题"},
		[DEVLOG_INSIGHTS] = {"Insights", "洞察"},
	};
	for (int i = DEVLOG_ENGLISH; i <= DEVLOG_CHINESE; i++)
		if (starts_word(line, names[part][i])) {
			if (language)
				*language = (enum devlog_language)i;
			return true;
		}
	return false;
}

bool devlog_starts_bold(const struct markdown_line *line)
{
	return at_margin(line) && span_starts(devlog_line_text(line), "**");
}

/* Undoes a heading: "-" directly below **Issues** is meant as an empty list item, but Markdown
 * takes it for the underline of a heading. */
static void undo_heading(struct markdown_lines *lines, size_t at)
{
	struct markdown_line *line = &lines->items[at], before = *line;
	if (line->level != 2 || at + 1 == lines->count ||
	    !span_is(span_trim(lines->items[at + 1].text), "-"))
		return;
	line->kind = MARKDOWN_PARAGRAPH;
	for (int part = 0; part < DEVLOG_PARTS; part++)
		if (devlog_starts_part(line, (enum devlog_part)part, NULL)) {
			line->level = 0;
			line->heading = NULL;
			lines->items[at + 1].kind = MARKDOWN_PARAGRAPH;
			return;
		}
	*line = before;
}

int devlog_read(struct arena *arena, struct span text, struct markdown_lines *lines,
		struct error *err)
{
	if (markdown_lines(arena, text, lines, err) < 0)
		return -1;
	for (size_t i = 0; i < lines->count; i++)
		undo_heading(lines, i);
	return 0;
}

/* N of "V<N>: ...", or -1. */
static int64_t version_of(const char *heading)
{
	enum { digit_limit = 18 };
	int64_t version = 0;
	int digits = 0;
	if (*heading != 'V' && *heading != 'v')
		return -1;
	for (heading++; *heading >= '0' && *heading <= '9'; heading++, digits++) {
		if (digits == digit_limit)
			return -1;
		version = version * 10 + (*heading - '0');
	}
	while (*heading == ' ')
		heading++;
	bool colon = *heading == ':' || span_starts(span_of(heading), "：");
	return digits > 0 && colon ? version : -1;
}

bool devlog_is_log(const struct markdown_line *line)
{
	static const char english[] = "development log";
	if (line->level != 2)
		return false;
	struct span text = span_trim(span_of(line->heading));
	return span_is(text, "开发日志") ||
	       (text.len == sizeof english - 1 && strncasecmp(text.ptr, english, text.len) == 0);
}

bool devlog_has_log(const struct markdown_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		if (devlog_is_log(&lines->items[i]))
			return true;
	return false;
}

size_t devlog_section_end(const struct markdown_lines *lines, size_t at, int level)
{
	for (at++; at < lines->count; at++)
		if (lines->items[at].level > 0 && lines->items[at].level <= level)
			break;
	return at;
}

size_t devlog_content_end(const struct markdown_lines *lines, size_t end)
{
	while (end > 0 && markdown_is_blank(&lines->items[end - 1]))
		end--;
	return end;
}

/* A position in the log; each next_entry() advances it to the next entry, in the file's order. */
struct entry_walk {
	const struct markdown_lines *lines;
	size_t at;
	bool has_log, inside;
};

static bool next_entry(struct entry_walk *walk, struct devlog_section *section)
{
	for (; walk->at < walk->lines->count; walk->at++) {
		const struct markdown_line *line = &walk->lines->items[walk->at];
		if (line->level > 0 && line->level <= 2)
			walk->inside = devlog_is_log(line);
		int64_t version = line->level == 3 ? version_of(line->heading) : -1;
		if (version < 0 || (walk->has_log && !walk->inside))
			continue;
		section->lines.begin = walk->at;
		section->lines.end = devlog_section_end(walk->lines, walk->at, 3);
		section->heading = line->heading;
		section->version = version;
		walk->at++;
		return true;
	}
	return false;
}

bool devlog_entry_from(const struct markdown_lines *lines, size_t at,
		       struct devlog_section *section)
{
	struct entry_walk walk = {lines, 0, devlog_has_log(lines), false};
	while (next_entry(&walk, section))
		if (section->lines.begin >= at)
			return true;
	return false;
}

int devlog_locate(const struct markdown_lines *lines, int64_t version,
		  struct devlog_section *section, struct error *err)
{
	struct entry_walk walk = {lines, 0, devlog_has_log(lines), false};
	struct devlog_section one = {0};
	int64_t newest = -1;
	bool found = false;
	while (next_entry(&walk, &one)) {
		bool wanted = version < 0 ? one.version >= newest : one.version == version;
		newest = one.version > newest ? one.version : newest;
		if (wanted)
			*section = one;
		found = found || wanted;
	}
	if (found)
		return 0;
	if (newest >= 0)
		return error_set(err, ERR_FORMAT,
				 "no entry V%lld in the development log; the latest is V%lld",
				 (long long)version, (long long)newest);
	return error_set(
		err, ERR_FORMAT,
		walk.has_log ? "no entries in the development log: expected a heading \"### V<N>: "
			       "<what changed>\" below \"## Development log\"; --new adds one"
			     : "no development log found: expected \"## Development log\" with "
			       "entries \"### V<N>: <what changed>\"; --new adds both");
}

static struct span end_of(const struct markdown_line *line)
{
	return (struct span){line->text.ptr + line->text.len, line->end};
}

struct span devlog_line_end(struct span file, const struct markdown_lines *lines, size_t near)
{
	if (lines->count == 0)
		return span_of("\n");
	const struct markdown_line *line = &lines->items[near < lines->count ? near : 0];
	if (line->end == 0)
		line = &lines->items[0];
	if (line->end == 0 ||
	    (span_is(end_of(line), "\r") && memchr(file.ptr, '\n', file.len) != NULL))
		return span_of("\n");
	return end_of(line);
}

struct strbuf devlog_fit(struct span text, struct span end)
{
	struct strbuf fitted = {NULL, 0, 0};
	while (span_ends(text, "\n") || span_ends(text, "\r"))
		text.len--;
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '\n')
			strbuf_addspan(&fitted, end);
		else if (text.ptr[i] != '\r' || i + 1 == text.len || text.ptr[i + 1] != '\n')
			strbuf_addch(&fitted, text.ptr[i]);
	}
	return fitted;
}

/* Adds the file up to the change, ending in a blank line. */
static void put_before(const struct devlog_edit *edit, struct strbuf *out)
{
	size_t first = edit->range.begin;
	if (first == 0)
		return;
	const struct markdown_line *before = &edit->lines->items[first - 1];
	bool replaces = edit->range.begin < edit->range.end;
	struct span end = before->end ? end_of(before) : edit->end;
	strbuf_add(out, edit->file.ptr,
		   (size_t)(before->text.ptr + before->text.len - edit->file.ptr));
	strbuf_addspan(out, end);
	if (!markdown_is_blank(before) && !(replaces && before->kind == MARKDOWN_HEADING))
		strbuf_addspan(out, end);
}

size_t devlog_put(const struct devlog_edit *edit, struct span text, struct strbuf *out)
{
	const struct markdown_line *items = edit->lines->items;
	size_t next = edit->range.end, count = edit->lines->count;
	assert(edit->range.begin <= next && next <= count);
	const char *file_end = edit->file.ptr + edit->file.len;
	const char *rest = next < count ? items[next].text.ptr : file_end;
	put_before(edit, out);
	size_t at = out->len;
	strbuf_addspan(out, text);
	if (next == 0 || items[next - 1].end)
		strbuf_addspan(out, edit->end);
	if (next < count && !markdown_is_blank(&items[next]))
		strbuf_addspan(out, edit->end);
	strbuf_add(out, rest, (size_t)(file_end - rest));
	return at;
}
