/*
 * Own layouts: the lines between <!-- rooflog:begin NAME --> and <!-- rooflog:end --> are
 * rooflog's, wherever they stand. A marker is a line of its own outside of lists, quotes and code.
 */
#include "render/devlog/lines.h"
#include "render/document/key.h"

static const char begin_text[] = "<!-- rooflog:begin", end_text[] = "<!-- rooflog:end";

/* --- the parts --- */

static void add_heading(const struct json *block, struct strbuf *out)
{
	strbuf_addstr(out, json_text(block, KEY(heading), ""));
}

static void add_table(const struct json *block, struct strbuf *out)
{
	strbuf_addstr(out, json_text(block, KEY(table), ""));
}

static void add_bottleneck(const struct json *block, struct strbuf *out)
{
	md_text(out, span_of(json_text(block, KEY(bottleneck), "")));
}

static void add_list(const struct json *list, struct strbuf *out)
{
	for (const struct json *item = list ? list->first : NULL; item; item = item->next) {
		strbuf_addstr(out, out->len ? "\n- " : "- ");
		md_text(out, span_of(item->text));
	}
}

static void add_issues(const struct json *block, struct strbuf *out)
{
	add_list(json_get(block, KEY(issues)), out);
}

static void add_insights(const struct json *block, struct strbuf *out)
{
	add_list(json_get(block, KEY(insights)), out);
}

static void add_performance(const struct json *block, struct strbuf *out)
{
	add_heading(block, out);
	strbuf_addstr(out, "\n\n");
	add_table(block, out);
}

static const struct part {
	const char *name;
	void (*add)(const struct json *block, struct strbuf *out);
} parts[] = {
	{"performance", add_performance}, {"heading", add_heading}, {"table", add_table},
	{"bottleneck", add_bottleneck},   {"issues", add_issues},   {"insights", add_insights},
};
enum { PARTS = sizeof parts / sizeof *parts };

static const struct part *part_of(struct span name)
{
	for (size_t i = 0; i < PARTS; i++)
		if (span_is(name, parts[i].name))
			return &parts[i];
	return NULL;
}

/* --- the markers --- */

/* A line of code, or one within a block of HTML, is opaque. cmark-gfm gives a comment of one line
 * no lines at all, so the line is of no kind. */
static bool is_marker(const struct markdown_line *line, const char *prefix)
{
	return line->kind == MARKDOWN_OTHER && span_starts(line->text, prefix) &&
	       span_ends(span_trim(line->text), "-->");
}

/* "table" of <!-- rooflog:begin table --> */
static struct span name_of(const struct markdown_line *line)
{
	struct span text = span_trim(line->text);
	size_t from = strlen(begin_text), end = strlen("-->");
	return from + end > text.len
		       ? span_of("")
		       : span_trim((struct span){text.ptr + from, text.len - from - end});
}

static int fail_at(const struct markdown_lines *lines, size_t at, const char *what,
		   struct error *err)
{
	struct span text = span_trim(lines->items[at].text);
	return error_set(err, ERR_FORMAT, "line %zu, %.*s: %s", at + 1,
			 (int)(text.len < 80 ? text.len : 80), text.ptr, what);
}

/* The line of the end marker of the one at `begin`; -1 and *err without one. */
static int find_end(const struct markdown_lines *lines, size_t begin, size_t limit, size_t *end,
		    struct error *err)
{
	for (*end = begin + 1; *end < limit; ++*end) {
		if (is_marker(&lines->items[*end], end_text))
			return 0;
		if (is_marker(&lines->items[*end], begin_text))
			break;
	}
	return fail_at(lines, begin, "no <!-- rooflog:end --> follows", err);
}

/* Adds the marker line, the part between blank lines, and leaves out what stood there. */
static void put(struct span file, const struct markdown_lines *lines, size_t begin,
		const struct part *part, const struct devlog_marked *fill, struct strbuf *out)
{
	struct span end = devlog_line_end(file, lines, begin);
	struct strbuf text = {0};
	strbuf_addspan(out, lines->items[begin].text);
	strbuf_addspan(out, end);
	part->add(fill->block, &text);
	if (text.len) {
		struct strbuf fitted = devlog_fit(strbuf_span(&text), end);
		strbuf_addspan(out, end);
		strbuf_addspan(out, strbuf_span(&fitted));
		strbuf_addspan(out, end);
		strbuf_addspan(out, end);
		strbuf_free(&fitted);
	}
	strbuf_free(&text);
}

static int fill_range(const struct markdown_lines *lines, struct devlog_range range,
		      const struct devlog_marked *fill, struct strbuf *out, size_t *count,
		      struct error *err)
{
	const char *copied = fill->file.ptr;
	for (size_t at = range.begin; at < range.end; at++) {
		size_t end;
		if (!is_marker(&lines->items[at], begin_text))
			continue;
		const struct part *part = part_of(name_of(&lines->items[at]));
		if (!part)
			return fail_at(
				lines, at,
				"this name is unknown; known are performance, heading, table, "
				"bottleneck, issues and insights",
				err);
		if (find_end(lines, at, range.end, &end, err) < 0)
			return -1;
		strbuf_add(out, copied, (size_t)(lines->items[at].text.ptr - copied));
		put(fill->file, lines, at, part, fill, out);
		copied = lines->items[end].text.ptr;
		at = end;
		++*count;
	}
	strbuf_add(out, copied, (size_t)(fill->file.ptr + fill->file.len - copied));
	return 0;
}

int devlog_fill_marked(struct arena *arena, const struct devlog_marked *fill, struct strbuf *out,
		       size_t *count, struct error *err)
{
	struct markdown_lines lines;
	struct devlog_section entry;
	struct error none;
	*count = 0;
	if (devlog_read(arena, fill->file, &lines, err) < 0)
		return -1;
	struct devlog_range range = {0, lines.count};
	if (devlog_locate(&lines, fill->version, &entry, &none) == 0)
		range = entry.lines;
	else if (devlog_has_log(&lines) || fill->version >= 0)
		return 0;
	return fill_range(&lines, range, fill, out, count, err);
}
