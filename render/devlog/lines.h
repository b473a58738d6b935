/*
 * What the lines of a development log are: its entries, and the parts that an entry is made of, by
 * the seed's words in English and Chinese. Inside render/ only.
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

/* The lines of a log as hands mean them. */
int devlog_read(struct arena *arena, struct span text, struct markdown_lines *lines,
		struct error *err);

/* A line with at most three blanks in front, without them. */
struct span devlog_line_text(const struct markdown_line *line);
/* The line shows **Word**, **Word:** or **Word (...)** in front. Inside a list or quote only a
 * line without blanks can have left it. `language` receives that of the word; may be NULL. */
bool devlog_starts_part(const struct markdown_line *line, enum devlog_part part,
			enum devlog_language *language);
/* The same for any bold text. */
bool devlog_starts_bold(const struct markdown_line *line);

/* "## Development log" */
bool devlog_is_log(const struct markdown_line *line);
/* Whether the file has such a heading. Without one its entries are all that there is of a log. */
bool devlog_has_log(const struct markdown_lines *lines);
/* The entry at or behind line `at`; false when there is none. */
bool devlog_entry_from(const struct markdown_lines *lines, size_t at,
		       struct devlog_section *section);
/* As devlog_find(). */
int devlog_locate(const struct markdown_lines *lines, int64_t version,
		  struct devlog_section *section, struct error *err);
/* The first line behind `at` with a heading of at most this level. */
size_t devlog_section_end(const struct markdown_lines *lines, size_t at, int level);
/* Behind the last line that is not blank in front of `end`. */
size_t devlog_content_end(const struct markdown_lines *lines, size_t end);

/* A change of whole lines: `range` is replaced, or where it is empty something is put there. */
struct devlog_edit {
	struct span file;
	const struct markdown_lines *lines;
	struct devlog_range range;
	struct span end; /* the line end to write */
};

/* The line end of line `near`, else the first of the file, else LF. A bare CR is only followed in a
 * file without LF: beside an LF it would become a CRLF. */
struct span devlog_line_end(struct span file, const struct markdown_lines *lines, size_t near);
/* A text without its last line ends and with those of the file inside. */
struct strbuf devlog_fit(struct span text, struct span end);
/* The file with the fitted `text` there, blank lines around. Returns where in `out` it begins. */
size_t devlog_put(const struct devlog_edit *edit, struct span text, struct strbuf *out);

/* What a template rendered, cut. A part that is not there has a NULL heading. */
struct devlog_rendered {
	struct span head, block;
	struct span heading[DEVLOG_PARTS], body[DEVLOG_PARTS]; /* of issues and insights */
};
int devlog_cut(struct span text, struct devlog_rendered *parts, struct error *err);
/* Of the entry's own parts, else of the log's parts, else of its heading. */
enum devlog_language devlog_language_of(const struct markdown_lines *lines,
					struct devlog_range entry);

/* What stands below a part of the entry: a proposal for the place, and the version of the entry. */
struct devlog_proposal {
	struct span text;
	enum devlog_part part;
	int64_t version;
};
/* The file with the proposal where a person has left room for it; an empty one takes away an
 * earlier one. (devlog_slots.c) */
int devlog_propose(struct span file, const struct devlog_proposal *proposal, struct strbuf *out,
		   struct error *err);
