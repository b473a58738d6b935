/*
 * Acceptances: known faults that the base branch puts up with, one a line:
 *
 *   series | metric | ceiling | expires | author | reason
 *
 * A line accepts what is not worse than its ceiling until it expires. The file is read from the
 * reference commit, never from the candidate: a change must not waive itself. Here is its grammar,
 * which series a line is about, and which line accepts what; nothing here knows files or git.
 *
 * series   A pattern (* and ?) of the kernel, then, with blanks or commas between, patterns of what
 *          else is to be matched: variant, dtype, device, instance type, tool, "2-core",
 *          parameters as name=value; in any order. What is left out matches anything, so a series'
 *          name in any table of rooflog is a pattern for it. ? stands for a bar.
 * metric   A key of metric.def, or * for all that the ceiling's unit fits.
 * ceiling  The worst value that is accepted, with its unit; where neither way is worse the very
 *          value. "retired": the series may be missing or stale.
 * expires  A day (YYYY-MM-DD, which still counts, in UTC), "never", or a revision: accepted until
 *          it is the candidate or an ancestor of it.
 * author, reason  Not empty. The reason is all that is left of the line, bars too.
 *
 * Empty lines, and lines whose first character is #, are comments.
 *
 * Never add the gate's own rules.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "model/run/run.h"
#include "model/message/message.h"

struct run;

enum { ACCEPTANCE_LINE_LIMIT = 4096, ACCEPTANCE_FILE_LIMIT = 1 << 20 }; /* bytes */

enum acceptance_expiry { ACCEPTANCE_NEVER, ACCEPTANCE_DAY, ACCEPTANCE_REVISION };

struct acceptance {
	size_t line; /* the first is 1 */
	const char *series;
	enum metric metric;  /* METRIC_COUNT: any */
	const char *ceiling; /* as written */
	bool retired;
	enum acceptance_expiry expiry;
	const char *expires; /* as written */
	int64_t end;         /* of a day: the first second that is too late, Unix time */
	const char *author, *reason;
};

struct acceptance_list {
	const char *path; /* for messages: "1234567890:.rooflog/accept" */
	struct acceptance *items;
	size_t count, capacity;
};

/* All lines or an error (ERR_FORMAT) with path and line. */
int acceptance_parse(struct arena *arena, const char *path, struct span bytes,
		     struct acceptance_list *list, struct error *err);
/* The fields as a line without its end, such that acceptance_parse() gives them back. */
const char *acceptance_line(struct arena *arena, const struct acceptance *acceptance);
/* "*" for any. */
const char *acceptance_metric(const struct acceptance *acceptance);
/* Whether the pattern is one of the run's series. */
bool acceptance_names(const char *pattern, const struct run *run);
/* The ceiling in the metric's unit; NAN when the line is not about the metric, or is "retired". */
double acceptance_ceiling(const struct acceptance *acceptance, enum metric metric);
/* Whether a value is worse than a ceiling. A NAN is. */
bool acceptance_is_worse(double value, double ceiling, enum metric_direction direction);

/* Whether a revision is the candidate or an ancestor of it. */
enum acceptance_reached {
	ACCEPTANCE_REACHED_NO,
	ACCEPTANCE_REACHED_YES,
	ACCEPTANCE_REACHED_NOWHERE, /* nothing is called so (yet) */
	ACCEPTANCE_REACHED_UNKNOWN  /* a shallow clone hides it */
};
struct acceptance_clock {
	int64_t now; /* Unix seconds */
	enum acceptance_reached (*reached)(void *context, const char *revision);
	void *context;
};

enum acceptance_standing {
	ACCEPTANCE_VALID,
	ACCEPTANCE_WAITING, /* valid; its revision does not exist yet */
	ACCEPTANCE_EXPIRED,
	ACCEPTANCE_UNCLEAR /* accepts nothing: whether its revision is reached cannot be told */
};
enum acceptance_standing acceptance_standing(const struct acceptance *acceptance,
					     const struct acceptance_clock *clock);
const char *acceptance_standing_name(enum acceptance_standing standing);

enum acceptance_outcome {
	ACCEPTANCE_OUTCOME_NONE,     /* no line is about it */
	ACCEPTANCE_OUTCOME_ACCEPTED, /* `by` accepts it */
	ACCEPTANCE_OUTCOME_LAPSED,   /* `by` would, but it expired or is unclear */
	ACCEPTANCE_OUTCOME_EXCEEDED  /* worse than `by` accepts */
};

/* Something that keeps the gate from passing. */
struct acceptance_item {
	const struct run *run; /* names the series */
	enum metric metric;
	enum metric_direction direction; /* as the gate judges it */
	double value;                    /* the candidate's; NAN unknown: nothing accepts it */
	bool absent; /* missing or stale: only "retired" accepts it, and only it is accepted so */
	/* Filled by acceptance_apply(): */
	enum acceptance_outcome outcome;
	const struct acceptance *by; /* NULL with NONE */
	double ceiling;              /* of `by`; NAN when it is "retired" */
	double excess; /* by how much the value is worse than the ceiling, as a fraction of it; NAN
			  when not exceeded or the ceiling is 0 */
};

/* What came of a line, in the order of what a report should say first. */
enum acceptance_state {
	ACCEPTANCE_STATE_LAPSED,   /* expired or unclear, needed or not */
	ACCEPTANCE_STATE_EXCEEDED, /* some item is worse; it may accept others */
	ACCEPTANCE_STATE_USED,     /* accepts some item */
	ACCEPTANCE_STATE_COVERED, /* all that it would accept is accepted by a more generous line */
	ACCEPTANCE_STATE_UNUSED   /* nothing needs it */
};

struct acceptance_use {
	enum acceptance_standing standing;
	enum acceptance_state state;
	size_t accepted; /* items that it accepts */
	size_t covered;  /* items that it would accept, had not a more generous line */
	size_t exceeded; /* items that are worse, of which it is the most generous line */
	size_t lapsed;   /* items that it would have accepted */
	double excess;   /* the largest of the exceeded; NAN */
};
const char *acceptance_state_name(enum acceptance_state state);

/* Fills the items' results, and one use for each line of the list (`uses` has list->count).
 *
 * Of the valid lines about an item the most generous decides (of equals the first): it accepts the
 * item or is exceeded. Only that line is used: without any other the item would be accepted all the
 * same, so the others are covered. Where no valid line accepts the item but one that lapsed would,
 * the item is LAPSED by that one. */
void acceptance_apply(const struct acceptance_list *list, const struct acceptance_clock *clock,
		      struct acceptance_item *items, size_t count, struct acceptance_use *uses);
/* About an item with an outcome other than NONE, with line, author and reason; else NULL. */
const struct message *acceptance_message(struct arena *arena, const struct acceptance_list *list,
					 const struct acceptance_item *item);
