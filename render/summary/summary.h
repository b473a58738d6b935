/*
 * Documents that summarize a gate: comment, nightly, weekly, comparison. Each function adds one
 * member to the report document, which must contain the gate.
 *
 * Never add statistics.
 */
#pragma once

#include "model/periodic/nightly.h"
#include "model/periodic/weekly.h"
#include "render/report/report.h"

/* gate.shown: the part of a gate that a report of limited size shows. A sentence, what to do, the
 * magnitudes of the changes in a table of fixed size, and comparisons in lists, each with its
 * total and the number left out (docs/formats/report-document.md). */
struct report_shown {
	size_t bad;    /* maximal rows of comparisons that keep the gate from passing */
	size_t folded; /* maximal rows of each other list */
};

void summary_add_bounded(struct arena *arena, struct json *document, const struct gate_result *gate,
			 const struct report_shown *shown);

/* The names that the user gave the two commits. */
struct report_sides {
	const char *baseline, *candidate;
};

/* compare: a gate's comparisons as two columns, one block per metric, all numbers of a block in one
 * unit, with means of all rows and of each scenario. */
void summary_add_compare(struct arena *arena, struct json *document, const struct gate_result *gate,
			 const struct report_sides *sides, const struct scenario_list *scenarios);
/* Adds to it, series by series, the metrics that differ between the medians of both sides. */
void summary_add_agreements(struct arena *arena, struct json *document,
			    const struct gate_result *gate);
/* The same as summary_add_compare(), with the commits' abbreviated ids as names. */
void summary_add_compare_of_gate(struct arena *arena, struct json *document,
				 const struct gate_result *gate,
				 const struct scenario_list *scenarios);

enum { REPORT_NIGHTLY_ROWS = 12 }; /* rows per list: one screen */

/* "1 new slowdown: mlp s=512 +7.3 % since 3f2a91c0de; 0 still open; 9 of 9 series judged" */
const struct message *summary_nightly_title(struct arena *arena, const struct nightly *nightly);
/* Adds document.night to a document with a gate. Takes nightly_of() with REPORT_NIGHTLY_ROWS. */
void summary_add_nightly(struct arena *arena, struct json *document, const struct nightly *nightly);

enum { REPORT_WEEKLY_COMMITS = 12 }; /* commits shown, with their authors */

/* Adds document.week to a document with a gate. Takes weekly_of() with REPORT_NIGHTLY_ROWS. */
void summary_add_weekly(struct arena *arena, struct json *document, const struct weekly *weekly);
