/*
 * Fills an entry of a development log in three steps: cuts the text that a template rendered into
 * its parts, inserts the Performance block, and fills the slots below **Issues** and **Insights**
 * (slots.c). Each step maps the whole file to the whole file. It runs a second time to verify that
 * it is idempotent.
 */
#include "render/devlog/devlog.h"

#include "render/devlog/lines.h"

/* Whether the line starts another part: other bold text, or a quote that ended because the line
 * lacks ">". */
static bool starts_other(const struct markdown_line *line)
{
	return span_starts(devlog_line_text(line), "**") ||
	       span_starts(devlog_line_text(line), ">");
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

/* Whether line `at` belongs to the paragraph or table that contains line `from`. */
static bool same_leaf(const struct markdown_lines *lines, size_t from, size_t at, size_t end)
{
	return at < end && lines->items[at].leaf == lines->items[from].leaf &&
	       lines->items[at].kind == lines->items[from].kind &&
	       !markdown_is_blank(&lines->items[at]) && !starts_other(&lines->items[at]);
}

/* The line after the Performance paragraph and its table. */
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

/* The line after the **Bottleneck** paragraph if one follows, otherwise `at`. */
static size_t skip_bottleneck(const struct markdown_lines *lines, size_t at, size_t end)
{
	size_t from = skip_blank(lines, at, end);
	if (from == end || !devlog_starts_part(&lines->items[from], DEVLOG_BOTTLENECK, NULL))
		return at;
	at = from + 1;
	while (same_leaf(lines, from, at, end) &&
	       !span_starts(devlog_line_text(&lines->items[at]), "|"))
		at++;
	return at;
}

/* The lines that the block replaces. Empty if the entry has no block yet; then its beginning is
 * where to insert. */
static struct devlog_range block_range(const struct markdown_lines *lines,
				       struct devlog_range entry)
{
	for (size_t i = entry.begin + 1; i < entry.end; i++)
		if (devlog_starts_part(&lines->items[i], DEVLOG_PERFORMANCE, NULL)) {
			size_t end = skip_performance(lines, i, entry.end);
			return (struct devlog_range){i, skip_bottleneck(lines, end, entry.end)};
		}
	size_t before = entry.end;
	for (size_t i = entry.end - 1; i > entry.begin; i--)
		if (devlog_starts_part(&lines->items[i], DEVLOG_ISSUES, NULL) ||
		    devlog_starts_part(&lines->items[i], DEVLOG_INSIGHTS, NULL))
			before = i;
	before = devlog_content_end(lines, before);
	return (struct devlog_range){before, before};
}

/* Verifies that a second fill changes nothing: the range that it would replace in `filled` must be
 * exactly `block`. */
static int check_block(struct span filled, int64_t version, struct span block, struct error *err)
{
	struct arena arena = {0};
	struct markdown_lines lines;
	struct devlog_section entry;
	struct span found = {NULL, 0};
	if (devlog_read(&arena, filled, &lines, err) < 0)
		return -1;
	if (devlog_locate(&lines, version, &entry, err) == 0) {
		struct devlog_range range = block_range(&lines, entry.lines);
		if (range.begin < range.end) {
			const struct markdown_line *last = &lines.items[range.end - 1];
			found.ptr = lines.items[range.begin].text.ptr;
			found.len = (size_t)(last->text.ptr + last->text.len - found.ptr);
		}
	}
	arena_free(&arena);
	if (found.ptr == block.ptr && found.len == block.len)
		return 0;
	return error_set(err, ERR_FORMAT,
			 "the template's Performance block could not be found again: it needs a "
			 "paragraph starting with **Performance**, a table, and a **Bottleneck** "
			 "paragraph; the entry must not end inside code or HTML");
}

static int fill_block(struct span file, int64_t version, struct span block, struct strbuf *out,
		      struct error *err)
{
	struct arena arena = {0};
	struct markdown_lines lines;
	struct devlog_section entry;
	struct strbuf fitted = {NULL, 0, 0};
	int rc = devlog_read(&arena, file, &lines, err);
	if (rc == 0)
		rc = devlog_locate(&lines, version, &entry, err);
	if (rc == 0) {
		struct span end = devlog_line_end(file, &lines, entry.lines.begin);
		struct devlog_edit edit = {file, &lines, block_range(&lines, entry.lines), end};
		fitted = devlog_fit(block, end);
		size_t at = devlog_put(&edit, strbuf_span(&fitted), out);
		rc = check_block(strbuf_span(out), version,
				 (struct span){out->buf + at, fitted.len}, err);
	}
	strbuf_free(&fitted);
	arena_free(&arena);
	return rc;
}

static struct span lines_text(const struct markdown_lines *lines, size_t begin, size_t end)
{
	if (begin >= end)
		return (struct span){NULL, 0};
	const struct markdown_line *last = &lines->items[end - 1];
	const char *from = lines->items[begin].text.ptr;
	return span_trim((struct span){from, (size_t)(last->text.ptr + last->text.len - from)});
}

/* The first line of a part; `count` if the part is absent. */
static size_t part_line(const struct markdown_lines *lines, enum devlog_part part, size_t from)
{
	size_t at = from;
	while (at < lines->count && !devlog_starts_part(&lines->items[at], part, NULL))
		at++;
	return at;
}

int devlog_cut(struct span text, struct devlog_rendered *parts, struct error *err)
{
	struct arena arena = {0};
	struct markdown_lines lines;
	*parts = (struct devlog_rendered){0};
	if (devlog_read(&arena, text, &lines, err) < 0)
		return -1;
	size_t block = part_line(&lines, DEVLOG_PERFORMANCE, 0);
	if (block == lines.count)
		block = 0; /* refused after insertion, by check_block() */
	size_t issues = part_line(&lines, DEVLOG_ISSUES, block);
	size_t insights = part_line(&lines, DEVLOG_INSIGHTS, block);
	size_t block_end = issues < insights ? issues : insights;
	const size_t at[] = {issues, insights}, other[] = {insights, issues};
	parts->head = lines_text(&lines, 0, block);
	parts->block = lines_text(&lines, block, block_end);
	for (int i = 0; i < 2; i++) {
		size_t end = other[i] > at[i] ? other[i] : lines.count;
		if (at[i] == lines.count)
			continue;
		parts->heading[DEVLOG_ISSUES + i] = span_trim(lines.items[at[i]].text);
		parts->body[DEVLOG_ISSUES + i] = lines_text(&lines, at[i] + 1, end);
	}
	arena_free(&arena);
	return 0;
}

/* Whether repeating the step leaves the file unchanged. */
static bool stays(struct span file, const struct devlog_rendered *parts,
		  const struct devlog_proposal *proposal)
{
	struct strbuf again = {NULL, 0, 0};
	struct error why;
	bool same = devlog_propose(file, proposal, &again, &why) == 0 &&
		    span_eq(file, strbuf_span(&again));
	strbuf_reset(&again);
	same = same && fill_block(file, proposal->version, parts->block, &again, &why) == 0 &&
	       span_eq(file, strbuf_span(&again));
	strbuf_free(&again);
	return same;
}

/* Adds a proposal, unless a second fill would not find it or the parts filled before. */
static bool add_proposal(const struct devlog_rendered *parts, enum devlog_part part,
			 int64_t version, struct strbuf *file)
{
	struct strbuf filled = {NULL, 0, 0};
	struct error why;
	struct devlog_proposal proposal = {parts->body[part], part, version};
	struct devlog_proposal issues = {parts->body[DEVLOG_ISSUES], DEVLOG_ISSUES, version};
	bool added = devlog_propose(strbuf_span(file), &proposal, &filled, &why) == 0 &&
		     stays(strbuf_span(&filled), parts, &proposal);
	if (added && part != DEVLOG_ISSUES && parts->heading[DEVLOG_ISSUES].ptr &&
	    stays(strbuf_span(file), parts, &issues))
		added = stays(strbuf_span(&filled), parts, &issues);
	if (added) {
		strbuf_reset(file);
		strbuf_addspan(file, strbuf_span(&filled));
	}
	strbuf_free(&filled);
	return added;
}

int devlog_fill(struct arena *arena, const struct devlog_fill *fill, struct strbuf *out,
		const char **unplaced, struct error *err)
{
	struct devlog_rendered parts;
	struct strbuf filled = {NULL, 0, 0};
	const char *left_out = NULL;
	if (devlog_cut(fill->text, &parts, err) < 0 ||
	    fill_block(fill->file, fill->version, parts.block, &filled, err) < 0) {
		strbuf_free(&filled);
		return -1;
	}
	for (int i = DEVLOG_ISSUES; i <= DEVLOG_INSIGHTS; i++) {
		struct span heading = parts.heading[i];
		if (heading.ptr &&
		    !add_proposal(&parts, (enum devlog_part)i, fill->version, &filled))
			left_out = arena_strndup(arena, heading.ptr, heading.len);
	}
	strbuf_addspan(out, strbuf_span(&filled));
	strbuf_free(&filled);
	*unplaced = left_out;
	return 0;
}

/* Sets the language of the parts in the range: the entry, or the whole log if the entry has
 * none. */
static bool language_of_parts(const struct markdown_lines *lines, struct devlog_range range,
			      enum devlog_language *language)
{
	for (size_t i = range.begin; i < range.end; i++)
		for (int part = 0; part < DEVLOG_PARTS; part++)
			if (devlog_starts_part(&lines->items[i], (enum devlog_part)part, language))
				return true;
	return false;
}

enum devlog_language devlog_language_of(const struct markdown_lines *lines,
					struct devlog_range entry)
{
	enum devlog_language language = DEVLOG_ENGLISH;
	if (language_of_parts(lines, entry, &language))
		return language;
	for (size_t i = 0; i < lines->count; i++) {
		struct devlog_range log = {i, devlog_section_end(lines, i, 2)};
		if (!devlog_is_log(&lines->items[i]))
			continue;
		if (language_of_parts(lines, log, &language))
			return language;
		return span_is(span_trim(span_of(lines->items[i].heading)), "开发日志")
			       ? DEVLOG_CHINESE
			       : DEVLOG_ENGLISH;
	}
	return DEVLOG_ENGLISH;
}

int devlog_find(struct arena *arena, struct span file, int64_t version, struct devlog_entry *entry,
		struct error *err)
{
	struct markdown_lines lines;
	struct devlog_section section;
	if (devlog_read(arena, file, &lines, err) < 0 ||
	    devlog_locate(&lines, version, &section, err) < 0)
		return -1;
	const struct markdown_line *first = &lines.items[section.lines.begin];
	const struct markdown_line *last = &lines.items[section.lines.end - 1];
	size_t len = (size_t)(last->text.ptr + last->text.len - first->text.ptr);
	*entry = (struct devlog_entry){section.version,
				       section.heading,
				       devlog_language_of(&lines, section.lines),
				       {first->text.ptr, len}};
	return 0;
}
