/*
 * gate.shown: the part of a gate that a report of limited size shows. A sentence, what to do, the
 * magnitudes of the changes in a table of fixed size, and comparisons in lists, each with its
 * total and the number left out (docs/formats/report-document.md).
 */
#pragma once

#include "model/run/runs.h"
#include "render/report/report.h"

struct report_shown {
	size_t bad;    /* maximal rows of comparisons that keep the gate from passing */
	size_t folded; /* maximal rows of each other list */
};

/* Adds `shown` to the gate of the document, which must have one. */
void summary_add_bounded(struct arena *arena, struct json *document, const struct gate_result *gate,
			 const struct report_shown *shown);

/* --- its texts (bounded_words.c) --- */

struct shown_words {
	struct arena *arena;
	const struct gate_result *gate;
	struct short_names naming; /* of all comparisons of the gate */
};

/* "3 of 482 series are slower, the worst mlp s=512 by +7.3 %" */
const char *bounded_sentence(const struct shown_words *w);
/* "Repair or accept them ..." */
const char *bounded_action(const struct shown_words *w);
/* Both commits, the kind of baseline and its age. */
const char *bounded_commits(const struct shown_words *w);
/* "Judged 472 of 482 series: 3 regressed, 469 unchanged; not judged: 8 new, 2 missing." */
const char *bounded_judged(const struct shown_words *w);
/* Adds ages, versions and other reasons to trust the numbers less, one sentence each. */
void bounded_add_notes(const struct shown_words *w, struct json *notes);
/* The short name of a series, cut to the width of a cell. */
const char *bounded_name(const struct shown_words *w, const struct comparison *one);
/* At most `most` bytes of the text, in whole characters, then "…". */
const char *bounded_cut(struct arena *arena, const char *text, size_t most);
