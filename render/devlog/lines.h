/*
 * The lines of a development log: its entries and their parts, recognized by the English and
 * Chinese headings. Private to render/.
 */
#pragma once

#include "render/devlog/devlog.h"
#include "render/markup/markup.h"

enum devlog_part {
	DEVLOG_PERFORMANCE,
	DEVLOG_BOTTLENECK,
	DEVLOG_ISSUES,
	DEVLOG_INSIGHTS,
	DEVLOG_PARTS
};

/* Lines [begin, end). */
struct devlog_range {
	size_t begin, end;
};

struct devlog_section {
	struct devlog_range lines; /* the first is the heading */
	const char *heading;
	int64_t version;
};

/* Reads the lines of a log, with the corrections that lines.c describes. */
int devlog_read(struct arena *arena, struct span text, struct markdown_lines *lines,
		struct error *err);

/* The text of a line indented by at most three blanks, without them. */
struct span devlog_line_text(const struct markdown_line *line);
/* Whether the line starts with **Word**, **Word:** or **Word (...)**. Inside a list or quote only
 * an unindented line can start a part. `language` (may be NULL) receives the language of the
 * word. */
bool devlog_starts_part(const struct markdown_line *line, enum devlog_part part,
			enum devlog_language *language);
/* As devlog_starts_part(), for any bold text. */
bool devlog_starts_bold(const struct markdown_line *line);

/* "## Development log" */
bool devlog_is_log(const struct markdown_line *line);
/* Whether the file has such a heading. A file without one is a log if it has entries. */
bool devlog_has_log(const struct markdown_lines *lines);
/* Finds the first entry at or after line `at`; false if there is none. */
bool devlog_entry_from(const struct markdown_lines *lines, size_t at,
		       struct devlog_section *section);
/* As devlog_find(). */
int devlog_locate(const struct markdown_lines *lines, int64_t version,
		  struct devlog_section *section, struct error *err);
/* The first line after `at` with a heading of at most this level. */
size_t devlog_section_end(const struct markdown_lines *lines, size_t at, int level);
/* The line after the last nonblank line before `end`. */
size_t devlog_content_end(const struct markdown_lines *lines, size_t end);

/* Replaces the lines of `range`; an empty range inserts before its beginning. */
struct devlog_edit {
	struct span file;
	const struct markdown_lines *lines;
	struct devlog_range range;
	struct span end; /* line end to write */
};

/* The line end of line `near`, otherwise the first of the file, otherwise LF. A bare CR is used
 * only in a file without LF: next to an LF it would become CRLF. */
struct span devlog_line_end(struct span file, const struct markdown_lines *lines, size_t near);
/* The text without its final line ends; the others become `end`. */
struct strbuf devlog_fit(struct span text, struct span end);
/* Adds the file with the fitted `text` inserted between blank lines. Returns the offset of the
 * text in `out`. */
size_t devlog_put(const struct devlog_edit *edit, struct span text, struct strbuf *out);

/* The output of a template, cut into parts. The heading of an absent part is NULL. */
struct devlog_rendered {
	struct span head, block;
	struct span heading[DEVLOG_PARTS], body[DEVLOG_PARTS]; /* of issues and insights */
};
int devlog_cut(struct span text, struct devlog_rendered *parts, struct error *err);
/* The language of the entry's own parts, otherwise of the log's parts, otherwise of its heading. */
enum devlog_language devlog_language_of(const struct markdown_lines *lines,
					struct devlog_range entry);

/* A proposal for the text below a part of the entry. */
struct devlog_proposal {
	struct span text;
	enum devlog_part part;
	int64_t version;
};
/* Adds the file with the proposal if the slot is free. An empty proposal removes an earlier one.
 * Defined in slots.c. */
int devlog_propose(struct span file, const struct devlog_proposal *proposal, struct strbuf *out,
		   struct error *err);
