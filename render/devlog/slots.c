/*
 * The contents below **Issues** and **Insights**: empty, placeholders, rooflog's proposal, or a
 * person's text. A proposal ends in a comment, which rendered pages hide, with the hash of its
 * lines. Once a line is edited, the text counts as a person's.
 */
#include <ctype.h>
#include <strings.h>

#include "base/hash/hash.h"
#include "render/devlog/lines.h"

static const char marker_start[] = "<!-- rooflog ";
static const char marker_end[] = ": proposed; edited text is never overwritten -->";

enum owner { OWNER_NOBODY, OWNER_MACHINE, OWNER_PERSON };

/* The part's heading up to `head_end`, and the lines below it without trailing blank ones. */
struct slot {
	size_t head;
	const char *head_end;
	struct devlog_range content;
	enum owner owner;
};

static bool among(char c, const char *set)
{
	return c && strchr(set, c);
}

static struct span right_trim(struct span text)
{
	while (text.len && among(text.ptr[text.len - 1], " \t"))
		text.len--;
	return text;
}

/* "---", "* * *" */
static bool is_rule(const struct markdown_line *line)
{
	size_t count = 0;
	char mark = 0;
	for (size_t i = 0; i < line->text.len; i++) {
		char c = line->text.ptr[i];
		if (c == ' ' || c == '\t')
			continue;
		if (!among(c, "-*_") || (mark && c != mark))
			return false;
		mark = c;
		count++;
	}
	return line->kind == MARKDOWN_OTHER && count >= 3;
}

/* The text of a list item, after "- ", "1. " and "[ ] ". */
static struct span item_text(struct span text)
{
	size_t digits = 0;
	text = span_trim(text);
	while (digits < text.len && isdigit((unsigned char)text.ptr[digits]))
		digits++;
	bool number = digits && digits < text.len && among(text.ptr[digits], ".)");
	bool bullet = text.len && among(text.ptr[0], "-*+");
	size_t mark = number ? digits + 1 : bullet ? 1 : 0;
	if (mark && (mark == text.len || among(text.ptr[mark], " \t")))
		text = span_trim(span_from(text, mark));
	if (span_starts(text, "[ ] ") || span_is(text, "[ ]"))
		text = span_trim(span_from(text, 3));
	return text;
}

/* Whether "[label]: target" in the file turns "[label]" into a link. */
static bool is_defined(struct span file, struct span label)
{
	for (const char *at = file.ptr; at + label.len < file.ptr + file.len; at++) {
		if (*at != '[' || at[label.len] != ':')
			continue;
		if (strncasecmp(at, label.ptr, label.len) == 0)
			return true;
	}
	return false;
}

/* "[Remaining problems]" */
static bool is_bracketed(struct span file, struct span text)
{
	if (text.len < 4 || text.ptr[0] != '[' || text.ptr[text.len - 1] != ']')
		return false;
	struct span inside = {text.ptr + 1, text.len - 2};
	return !memchr(inside.ptr, '[', inside.len) && !memchr(inside.ptr, ']', inside.len) &&
	       !is_defined(file, text);
}

static bool is_placeholder(struct span file, struct span line)
{
	static const char *const placeholders[] = {"",       "todo",   "tbd", "…",
						   "待补充", "待填写", "待定"};
	struct span text = item_text(line);
	if (is_bracketed(file, text))
		return true;
	while (text.len && among(text.ptr[0], "*_().:"))
		text = span_from(text, 1);
	while (text.len && among(text.ptr[text.len - 1], "*_().:"))
		text.len--;
	for (size_t i = 0; i < sizeof placeholders / sizeof *placeholders; i++)
		if (text.len == strlen(placeholders[i]) &&
		    strncasecmp(text.ptr, placeholders[i], text.len) == 0)
			return true;
	return false;
}

/* Hashes lines without line ends and trailing blanks, which editors and git may change. */
static uint64_t hash_of_lines(const struct markdown_lines *lines, struct devlog_range range)
{
	struct strbuf text = {NULL, 0, 0};
	for (size_t i = range.begin; i < range.end; i++) {
		strbuf_addspan(&text, right_trim(lines->items[i].text));
		strbuf_addch(&text, '\n');
	}
	uint64_t hash = table_hash_of(strbuf_span(&text));
	strbuf_free(&text);
	return hash;
}

/* Whether the last line is the comment with the hash of the lines before it. */
static bool is_untouched(const struct markdown_lines *lines, struct devlog_range content)
{
	char marker[sizeof marker_start + 16];
	if (content.begin == content.end)
		return false;
	struct devlog_range body = {content.begin, content.end - 1};
	snprintf(marker, sizeof marker, "%s%016llx", marker_start,
		 (unsigned long long)hash_of_lines(lines, body));
	return span_starts(lines->items[body.end].text, marker) &&
	       span_ends(right_trim(lines->items[body.end].text), "-->");
}

static enum owner owner_of(struct span file, const struct markdown_lines *lines,
			   struct devlog_range content)
{
	if (is_untouched(lines, content))
		return OWNER_MACHINE;
	for (size_t i = content.begin; i < content.end; i++)
		if (lines->items[i].kind == MARKDOWN_OPAQUE ||
		    lines->items[i].kind == MARKDOWN_TABLE ||
		    !is_placeholder(file, lines->items[i].text))
			return OWNER_PERSON;
	return OWNER_NOBODY;
}

/* The end of the part's heading: "**Issues**:", "**Issues:**", "**Issues** (known):". Anything
 * after it on the line, other than a placeholder, was written by a person. */
static const char *head_end(struct span file, const struct markdown_line *line, enum owner *owner)
{
	struct span text = right_trim(line->text);
	if (span_ends(text, ":") || span_ends(text, "："))
		return text.ptr + text.len;
	struct span rest = devlog_line_text(line);
	rest = span_from(rest, 2);
	size_t bold = span_find(rest, "**");
	rest = span_from(rest, bold);
	if (rest.len)
		rest = span_from(rest, 2);
	size_t colon = span_starts(rest, ":") ? 1 : span_starts(rest, "：") ? strlen("：") : 0;
	rest = span_from(rest, colon);
	if (!is_placeholder(file, rest))
		*owner = OWNER_PERSON;
	return rest.ptr;
}

static bool find_slot(struct span file, const struct markdown_lines *lines,
		      struct devlog_range entry, enum devlog_part part, struct slot *slot)
{
	size_t at = entry.begin + 1;
	while (at < entry.end && !devlog_starts_part(&lines->items[at], part, NULL))
		at++;
	if (at >= entry.end)
		return false;
	size_t end = at + 1;
	while (end < entry.end && lines->items[end].level == 0 && !is_rule(&lines->items[end]) &&
	       !devlog_starts_bold(&lines->items[end]))
		end++;
	end = devlog_content_end(lines, end);
	slot->head = at;
	slot->content = (struct devlog_range){at + 1, end > at + 1 ? end : at + 1};
	slot->owner = owner_of(file, lines, slot->content);
	slot->head_end = head_end(file, &lines->items[at], &slot->owner);
	return true;
}

/* Adds the proposal and its comment below the heading. */
static void add_proposal(const struct devlog_proposal *proposal, struct span end,
			 struct strbuf *out)
{
	struct arena arena = {0};
	struct markdown_lines lines;
	struct error none;
	struct strbuf text = devlog_fit(proposal->text, end);
	if (devlog_read(&arena, strbuf_span(&text), &lines, &none) == 0) {
		struct devlog_range all = {0, lines.count};
		strbuf_addspan(out, end);
		strbuf_addspan(out, strbuf_span(&text));
		strbuf_addspan(out, end);
		strbuf_addf(out, "%s%016llx%s", marker_start,
			    (unsigned long long)hash_of_lines(&lines, all), marker_end);
	}
	strbuf_free(&text);
	arena_free(&arena);
}

static void put(struct span file, const struct markdown_lines *lines, const struct slot *slot,
		const struct devlog_proposal *proposal, struct strbuf *out)
{
	const struct markdown_line *last = &lines->items[slot->content.end - 1];
	const char *rest = last->text.ptr + last->text.len;
	struct span end = devlog_line_end(file, lines, slot->head);
	size_t next = slot->content.end;
	strbuf_add(out, file.ptr, (size_t)(slot->head_end - file.ptr));
	if (proposal->text.len)
		add_proposal(proposal, end, out);
	if (next < lines->count && !markdown_is_blank(&lines->items[next]))
		strbuf_addspan(out, end);
	strbuf_add(out, rest, (size_t)(file.ptr + file.len - rest));
}

int devlog_propose(struct span file, const struct devlog_proposal *proposal, struct strbuf *out,
		   struct error *err)
{
	struct arena arena = {0};
	struct markdown_lines lines;
	struct devlog_section entry;
	struct slot slot;
	int rc = devlog_read(&arena, file, &lines, err);
	if (rc == 0)
		rc = devlog_locate(&lines, proposal->version, &entry, err);
	if (rc == 0) {
		bool found = find_slot(file, &lines, entry.lines, proposal->part, &slot);
		enum owner lowest = proposal->text.len ? OWNER_NOBODY : OWNER_MACHINE;
		if (found && slot.owner >= lowest && slot.owner != OWNER_PERSON)
			put(file, &lines, &slot, proposal, out);
		else
			strbuf_addspan(out, file);
	}
	arena_free(&arena);
	return rc;
}
