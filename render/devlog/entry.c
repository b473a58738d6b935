/* A new entry of a development log: its number, its position, and the headings that a person fills
 * in. */
#include "render/document/key.h"
#include "render/devlog/lines.h"

int devlog_next(struct arena *arena, struct span file, int64_t version, struct devlog_entry *entry,
		struct error *err)
{
	struct markdown_lines lines;
	struct devlog_section section;
	struct error none;
	if (devlog_read(arena, file, &lines, err) < 0)
		return -1;
	if (version >= 0 && devlog_locate(&lines, version, &section, &none) == 0)
		return error_set(err, ERR_FORMAT, "the development log already has an entry \"%s\"",
				 section.heading);
	int64_t newest = devlog_locate(&lines, -1, &section, &none) == 0 ? section.version : 0;
	*entry = (struct devlog_entry){version >= 0 ? version : newest + 1,
				       NULL,
				       devlog_language_of(&lines, (struct devlog_range){0, 0}),
				       {NULL, 0}};
	return 0;
}

void devlog_add_entry(struct arena *arena, struct json *document, const struct devlog_entry *entry,
		      const char *text, bool own_words)
{
	struct json *object = json_set_object(arena, document, "entry");
	json_set_number(arena, object, KEY(version), (double)entry->version);
	json_set_text(arena, object, KEY(text), text);
	json_set_bool(arena, object, "own_words", own_words);
}

/* The heading line of the section that contains line `at`. */
static size_t section_of(const struct markdown_lines *lines, size_t at)
{
	while (at > 0 && !(lines->items[at].level > 0 && lines->items[at].level <= 2))
		at--;
	return at;
}

/* Before the newest entry if that is the first of several below its heading, otherwise after it. */
static size_t position_of_new(const struct markdown_lines *lines)
{
	struct devlog_section newest, first, second;
	struct error none;
	if (devlog_locate(lines, -1, &newest, &none) < 0) {
		for (size_t i = 0; i < lines->count; i++)
			if (devlog_is_log(&lines->items[i]))
				return devlog_content_end(lines, devlog_section_end(lines, i, 2));
		return devlog_content_end(lines, lines->count);
	}
	size_t at = newest.lines.begin, end = devlog_section_end(lines, at, 2);
	bool newest_first = devlog_entry_from(lines, section_of(lines, at), &first) &&
			    first.lines.begin == at &&
			    devlog_entry_from(lines, newest.lines.end, &second) &&
			    second.lines.begin < end;
	return newest_first ? at : devlog_content_end(lines, newest.lines.end);
}

/* The beginning of the entry, and the headings of its slots. */
static struct strbuf skeleton(const struct markdown_lines *lines, const struct devlog_fill *fill,
			      const struct devlog_rendered *parts)
{
	struct strbuf text = {NULL, 0, 0};
	struct devlog_section any;
	struct error none;
	bool chinese = fill->language == DEVLOG_CHINESE;
	if (!devlog_has_log(lines) && devlog_locate(lines, -1, &any, &none) < 0)
		strbuf_addf(&text, "## %s\n\n", chinese ? "开发日志" : "Development log");
	strbuf_addspan(&text, parts->head);
	for (int i = DEVLOG_ISSUES; i <= DEVLOG_INSIGHTS; i++)
		if (parts->heading[i].ptr) {
			strbuf_addstr(&text, "\n\n");
			strbuf_addspan(&text, parts->heading[i]);
		}
	return text;
}

/* Verifies that Markdown reads the new lines as an entry: an unclosed code block or comment above
 * would swallow them. */
static int check_added(struct span file, int64_t version, struct error *err)
{
	struct arena arena = {0};
	struct markdown_lines lines;
	struct devlog_section entry;
	int rc = devlog_read(&arena, file, &lines, err);
	if (rc == 0 && devlog_locate(&lines, version, &entry, err) < 0)
		rc = error_set(err, ERR_FORMAT,
			       "the new entry could not be located again: the template must start "
			       "with \"### V%lld: <what changed>\", and the log must not end "
			       "inside code or HTML",
			       (long long)version);
	arena_free(&arena);
	return rc;
}

int devlog_add(const struct devlog_fill *fill, struct strbuf *out, struct error *err)
{
	struct arena arena = {0};
	struct markdown_lines lines;
	struct devlog_rendered parts;
	struct strbuf added = {NULL, 0, 0};
	int rc = devlog_cut(fill->text, &parts, err);
	if (rc == 0)
		rc = devlog_read(&arena, fill->file, &lines, err);
	if (rc == 0) {
		size_t at = position_of_new(&lines);
		struct span end = devlog_line_end(fill->file, &lines, at ? at - 1 : 0);
		struct strbuf text = skeleton(&lines, fill, &parts);
		struct strbuf fitted = devlog_fit(strbuf_span(&text), end);
		struct devlog_edit edit = {fill->file, &lines, {at, at}, end};
		devlog_put(&edit, strbuf_span(&fitted), &added);
		rc = check_added(strbuf_span(&added), fill->version, err);
		strbuf_free(&text);
		strbuf_free(&fitted);
	}
	if (rc == 0)
		strbuf_addspan(out, strbuf_span(&added));
	strbuf_free(&added);
	arena_free(&arena);
	return rc;
}
