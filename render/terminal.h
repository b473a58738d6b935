/* The terminal view of the report document: a line a run, or a card for one. */
#ifndef RENDER_TERMINAL_H
#define RENDER_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/strbuf.h"

struct terminal {
	size_t columns; /* at least 40 */
	bool utf8;      /* else only ASCII is written */
	bool color;
};

/* The key figures of every run in one table, and below it each run's first finding. */
void terminal_table(struct arena *arena, const struct terminal *terminal, const struct json *report,
		    struct strbuf *out);
/* Everything worth knowing about one run (an item of report.runs). */
void terminal_card(struct arena *arena, const struct terminal *terminal, const struct json *run,
		   struct strbuf *out);

#endif
