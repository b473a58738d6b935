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
/* Adds the member `name` {count, more, rows} with the first rows of a list; nothing if it is
 * empty. */
void summary_nightly_list(struct arena *arena, struct json *out, const char *name,
			  const struct nightly_list *list);
/* Kernel, variant, parameters and dtype; a long name is cut in the middle. */
const char *summary_nightly_name(struct arena *arena, const struct comparison *one);
/* Cuts the middle out of a text longer than `limit` bytes; NULL stays NULL. */
const char *summary_nightly_cut(struct arena *arena, const char *text, size_t limit);
