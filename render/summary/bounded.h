/*
 * gate.shown: what a report of limited size shows of a gate. A sentence, what to do,
 * the sizes of the changes in a table that does not grow, and comparisons in
 * lists, each with a count of all and of those left out (docs/formats/report-document.md).
 */
#pragma once

#include "model/run/runs.h"
#include "render/report/report.h"

struct report_shown {
	size_t bad;    /* rows of what keeps the gate from passing, at most */
	size_t folded; /* rows of each other list, at most */
};

/* Adds `shown` to the gate of the document, which has one. */
void summary_add_bounded(struct arena *arena, struct json *document, const struct gate_result *gate,
			 const struct report_shown *shown);

/* --- its texts (report_shown_words.c) --- */

struct shown_words {
	struct arena *arena;
	const struct gate_result *gate;
	struct short_names naming; /* of all its comparisons */
};

/* "3 of 482 series are slower, the worst mlp s=512 by +7.3 %" */
const char *bounded_sentence(const struct shown_words *w);
/* "Repair or accept them ..." */
const char *bounded_action(const struct shown_words *w);
/* Both commits, what the baseline is and how old. */
const char *bounded_commits(const struct shown_words *w);
/* "Judged 472 of 482 series: 3 regressed, 469 unchanged; not judged: 8 new, 2 missing." */
const char *bounded_judged(const struct shown_words *w);
/* Ages, versions and whatever else makes the numbers worth less, a sentence each. */
void bounded_add_notes(const struct shown_words *w, struct json *notes);
/* The name of a series among the others, cut where it is too long for a cell. */
const char *bounded_name(const struct shown_words *w, const struct comparison *one);
/* At most `most` bytes of the text, whole characters, then "…". */
const char *bounded_cut(struct arena *arena, const char *text, size_t most);
