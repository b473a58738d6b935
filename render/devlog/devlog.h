/*
 * Development logs in a Markdown file. Finds an entry `### V<N>: ...` below `## Development log`
 * by cmark-gfm's source positions and fills the parts that rooflog owns; every other byte stays.
 * The Chinese headings (`## 开发日志`, **性能**, **瓶颈**, **现存问题**, **洞察**) are equivalent
 * to the English ones.
 *
 * Never add other parts of the log.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"

enum devlog_language { DEVLOG_ENGLISH, DEVLOG_CHINESE };

struct devlog_entry {
	int64_t version;     /* N of V<N> */
	const char *heading; /* plain text of the heading, in the arena */
	enum devlog_language language;
	struct span text; /* from its heading to the next, a slice of the file */
};

/* Finds the entry of this version. A negative `version` selects the newest: the highest N, and the
 * last of several with the same N. The entry's language is that of its own parts, otherwise of the
 * other entries, otherwise of the log's heading. Returns ERR_FORMAT with the expected form if the
 * file has no log or no such entry. */
int devlog_find(struct arena *arena, struct span file, int64_t version, struct devlog_entry *entry,
		struct error *err);

/* Describes an entry to be added. Its version follows the newest (1 in an empty log); a `version`
 * >= 0 is used instead and must not exist yet. Heading and text stay unset. */
int devlog_next(struct arena *arena, struct span file, int64_t version, struct devlog_entry *entry,
		struct error *err);

/* Adds the member "entry" to the document, for the template of a new entry. `own_words`: the text
 * comes from the user, not from the commit's subject. */
void devlog_add_entry(struct arena *arena, struct json *document, const struct devlog_entry *entry,
		      const char *text, bool own_words);

/* `text` is the output of the template: optionally the beginning of a new entry (its heading and
 * what follows), the Performance block (a paragraph that starts with **Performance**, a table, a
 * **Bottleneck** paragraph), then optionally **Issues** and **Insights**, each with rooflog's
 * proposal below it. */
struct devlog_fill {
	struct span file, text;
	int64_t version;               /* the entry's; negative: the newest */
	enum devlog_language language; /* of the heading, if a log is created */
};

/* Replaces the entry's Performance block: from its paragraph to the end of the table and of the
 * **Bottleneck** paragraph that follows. A line that starts with other bold text ends either. An
 * entry without the block gets it before its **Issues** or **Insights**, otherwise at its end.
 * Blank lines are added around it as needed.
 *
 * A proposal goes below **Issues** or **Insights** if only placeholders ("- todo", "- [Remaining
 * problems]") or an unedited earlier proposal stand there. A proposal ends in a comment with the
 * hash of its text. Anything else was written by a person and stays.
 *
 * Keeps the file's line endings (LF, CRLF or CR) and a missing final newline. Filling twice gives
 * the same bytes: a proposal that would not be found again is left out, and `unplaced` gets its
 * heading (otherwise NULL). For the block this is ERR_FORMAT. */
int devlog_fill(struct arena *arena, const struct devlog_fill *fill, struct strbuf *out,
		const char **unplaced, struct error *err);

/* What fills the markers of an own layout. */
struct devlog_marked {
	struct span file;
	const struct json *block; /* run.devlog of the document, or its "zh" */
	int64_t version;          /* of the entry; negative: the newest */
};

/* Replaces what stands between <!-- rooflog:begin NAME --> and <!-- rooflog:end --> in the entry,
 * or in the whole file if it is not a development log. NAME is performance (heading and table),
 * heading, table, bottleneck, issues or insights. *count is the number of markers; without any,
 * `out` may be empty. Filling twice gives the same bytes. ERR_FORMAT for an unknown NAME and a
 * missing end. */
int devlog_fill_marked(struct arena *arena, const struct devlog_marked *fill, struct strbuf *out,
		       size_t *count, struct error *err);

/* Adds a new entry of fill->version: its beginning and the headings from the text. It goes before
 * the newest entry if that is the first of several, otherwise after it. A file without a log gets
 * one at its end. */
int devlog_add(const struct devlog_fill *fill, struct strbuf *out, struct error *err);
