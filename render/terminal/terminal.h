/* The terminal view of the report document: a line a run, or a card for one. */
#ifndef RENDER_TERMINAL_TERMINAL_H
#define RENDER_TERMINAL_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/json/json.h"
#include "base/strbuf.h"

struct terminal {
	size_t columns; /* at least 40 */
	bool utf8;      /* else only ASCII is written */
	bool color;
	bool wraps; /* tables keep within its columns; else their rows are as long as they are */
};

/* The key figures of every run in one table, and below it each run's first finding. */
void terminal_table(struct arena *arena, const struct terminal *terminal, const struct json *report,
		    struct strbuf *out);
/* What matters about one run (an item of report.runs), with `details` all of its metrics. */
void terminal_card(struct arena *arena, const struct terminal *terminal, const struct json *run,
		   bool details, struct strbuf *out);
/* report.compare: two commits, a block a metric. */
void terminal_compare(struct arena *arena, const struct terminal *terminal,
		      const struct json *report, struct strbuf *out);
/* The document of "log --view series" or, where it has points, "--view history": at most so many
 * series, or commits of each; 0: all. */
void terminal_history(struct arena *arena, const struct terminal *terminal,
		      const struct json *history, size_t most, struct strbuf *out);

#endif
