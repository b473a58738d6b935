/* Pieces that the documents of this room share. */
#pragma once

#include "model/run/runs.h"
#include "render/summary/summary.h"

/* --- texts of gate.shown (bounded_text.c) --- */

struct bounded_gate {
	struct arena *arena;
	const struct gate_result *gate;
	struct short_names naming; /* of all comparisons of the gate */
};

/* "3 of 482 series slower: mlp s=512 +7.3 %." */
const char *bounded_sentence(const struct bounded_gate *w);
/* "Fix it or accept it ...". NULL: nothing beyond the sentence. */
const char *bounded_action(const struct bounded_gate *w);
/* Whether this is a first run, whose commit becomes the baseline. */
bool bounded_is_recorded(const struct gate_result *gate);
/* The heading: the first sentence with the fewest words. */
const char *bounded_answer(const struct bounded_gate *w);
/* Why nothing was compared: a sentence. */
const char *bounded_nothing_compared(const struct bounded_gate *w);
/* What the baseline is, without its id: "merge-base". NULL: nothing beyond the id. */
const char *bounded_against(const struct bounded_gate *w);
/* The smallest changes that would have been seen; NULL: unknown. */
const char *bounded_detectable(const struct bounded_gate *w);
/* The command that accepts the worst failure; NULL: none, or its name is special to a shell. */
const char *bounded_accept(const struct bounded_gate *w);
/* The command that compares the two commits; NULL: the baselines differ. */
const char *bounded_compare(const struct bounded_gate *w);
/* Both commits, the kind of baseline and its age. */
const char *bounded_commits(const struct bounded_gate *w);
/* "Judged 472 of 482 series: 3 slower, 469 unchanged; not judged: 8 new, 2 missing." */
const char *bounded_judged(const struct bounded_gate *w);
/* Adds ages, versions and other reasons to trust the numbers less, one sentence each. */
void bounded_add_notes(const struct bounded_gate *w, struct json *notes);
/* The short name of a series, cut to the width of a cell. */
const char *bounded_name(const struct bounded_gate *w, const struct comparison *one);
/* At most `limit` bytes of the text, in whole characters, then "…". */
const char *bounded_cut(struct arena *arena, const char *text, size_t limit);

/* --- rows of the nightly and the weekly lists (nightly.c) --- */

/* Adds one comparison as a row of a list: name, mark, verdict, before and now, since when,
 * spark. */
struct json *summary_nightly_row(struct arena *arena, struct json *list,
				 const struct nightly_row *shown);
/* The same in an object that exists. */
struct json *summary_nightly_fill(struct arena *arena, struct json *row,
				  const struct nightly_row *shown);
/* Adds the first lines of the page: answer, worst, also, coverage_text (nightly_answer.c). */
void summary_add_nightly_answer(struct arena *arena, struct json *out,
				const struct nightly *nightly);
/* Adds the member `name` {count, more, rows} with the first rows of a list; nothing if it is
 * empty. */
void summary_nightly_list(struct arena *arena, struct json *out, const char *name,
			  const struct nightly_list *list);
/* Kernel, variant, parameters and dtype; a long name is cut in the middle. */
const char *summary_nightly_name(struct arena *arena, const struct comparison *one);
/* A pattern of the series without characters that are special to a shell or to patterns; NULL: its
 * name has some. */
const char *summary_plain_pattern(struct arena *arena, const struct comparison *one);
/* Adds name, kernel, details and page of the series. */
void summary_nightly_names(struct arena *arena, struct json *row, const struct comparison *one);
/* Cuts the middle out of a text longer than `limit` bytes; NULL stays NULL. */
const char *summary_cut(struct arena *arena, const char *text, size_t limit);
