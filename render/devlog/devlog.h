/*
 * Development logs in a Markdown file: finds an entry `### V<N>: ...` below `## Development log`
 * by cmark-gfm's source positions and fills what belongs to the machine; every other byte stays.
 * The seed's Chinese words (`## 开发日志`, **性能**, **瓶颈**, **现存问题**, **洞察**) are read as
 * the English ones.
 *
 * Never add other parts of the log.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "base/json/json.h"

enum devlog_language { DEVLOG_ENGLISH, DEVLOG_CHINESE };

struct devlog_entry {
	int64_t version;     /* the N of V<N> */
	const char *heading; /* its plain text, in the arena */
	enum devlog_language language;
	struct span text; /* from its heading to the next, a piece of the file */
};

/* The entry of this version, or the newest where `version` is negative: the highest N, of equal
 * ones the last. Its language is that of its own parts, else of the other entries', else of the
 * log's heading. ERR_FORMAT when there is no log or no such entry, saying what is expected. */
int devlog_find(struct arena *arena, struct span file, int64_t version, struct devlog_entry *entry,
		struct error *err);

/* What an entry would be that is added: the version after the newest (1 in an empty log), unless
 * `version` asks for one, which must not be there yet. Heading and text are not set. */
int devlog_next(struct arena *arena, struct span file, int64_t version, struct devlog_entry *entry,
		struct error *err);

/* Gives the document the member "entry", which the template of a new one shows; `own_words`: the
 * text is the user's, not the commit's subject. */
void devlog_add_entry(struct arena *arena, struct json *document, const struct devlog_entry *entry,
		      const char *text, bool own_words);

/* `text` is what the template renders: the Performance block (a paragraph that starts with
 * **Performance**, a table, a **Bottleneck** paragraph) and after it, each optional, **Issues** and
 * **Insights** with what the machine proposes below them. What stands in front is the heading of a
 * new entry and what else it begins with. */
struct devlog_fill {
	struct span file, text;
	int64_t version;               /* of the entry; negative: the newest */
	enum devlog_language language; /* of the heading of a log that is made */
};

/* Where the entry has a Performance block, that is replaced from its paragraph to the end of the
 * table and of the **Bottleneck** paragraph that follow; a line that starts with other bold text
 * ends either. Else the block is put before the entry's **Issues** or **Insights**, or at the end
 * of the entry. A blank line is added on either side where there is none.
 *
 * A proposal goes below **Issues** or **Insights** where nothing stands but placeholders ("- todo",
 * "- [Remaining problems]") or an earlier proposal that nobody has edited: it ends in a comment
 * with the hash of its text. Anything else there is a person's and stays.
 *
 * Line endings of the file (LF, CRLF or CR) are kept, and so is a missing final newline. Filling
 * twice gives the same bytes: a proposal that would not be found again is left out (`unplaced` gets
 * its heading, else NULL), and for the block that is ERR_FORMAT. */
int devlog_fill(struct arena *arena, const struct devlog_fill *fill, struct strbuf *out,
		const char **unplaced, struct error *err);

/* Puts a new entry of fill->version, its beginning and the headings from the text, where the log's
 * order wants it: in front of the newest when that is the first of several, else behind it. A file
 * without a log gets one at its end. */
int devlog_add(const struct devlog_fill *fill, struct strbuf *out, struct error *err);
