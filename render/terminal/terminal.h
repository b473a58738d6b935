/* The terminal view of the report document: one line per run, or a card for one run. */
#pragma once

#include "base/base.h"
#include "base/json/json.h"

struct launch_order;

struct terminal {
	size_t columns; /* at least 40 */
	bool utf8;      /* otherwise output is ASCII */
	bool color;
	bool wraps; /* limit tables to `columns`; otherwise rows have any length */
	/* Takes the text of long histories while it is made; NULL: it is needed whole. */
	const struct strbuf_drain *drain;
};

/* Prints the key figures of all runs in one table, followed by each run's first finding. */
void terminal_table(struct arena *arena, const struct terminal *terminal, const struct json *report,
		    struct strbuf *out);
/* Prints one run (an item of report.runs); `details` adds all of its metrics. */
void terminal_card(struct arena *arena, const struct terminal *terminal, const struct json *run,
		   bool details, struct strbuf *out);
/* Prints report.compare: two commits, one block per metric. */
void terminal_compare(struct arena *arena, const struct terminal *terminal,
		      const struct json *report, struct strbuf *out);
/* Prints the document of "log --view series" or, if it has points, "--view history": at most this
 * many series, or commits of each; 0: all. */
void terminal_history(struct arena *arena, const struct terminal *terminal,
		      const struct json *history, size_t limit, struct strbuf *out);
/* Prints a capture: GPUs with what runs at once, streams, the longest gaps, and the launches in
 * their order. `width` is that of tables, 0: unlimited. */
void terminal_launches(struct arena *arena, const struct launch_order *order, size_t width,
		       struct strbuf *out);
struct json *terminal_launches_json(struct arena *arena, const struct launch_order *order);
/* Adds finished text with the verdicts of its lines, their marks and their changes in color. */
void terminal_paint(struct strbuf *out, struct span text);
