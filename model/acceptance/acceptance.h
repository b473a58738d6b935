/*
 * Acceptances: known regressions that the base branch accepts up to a limit, one per line:
 *
 *    series | metric | limit | expires | author | reason
 *
 * A line accepts values that are not worse than its limit until it expires. The file is read from
 * the reference commit, never from the candidate: a change must not waive its own regression. This
 * room has the grammar, the matching of lines with series, and the decision which line accepts
 * what; it has no access to files or git.
 *
 *    series   A pattern (* and ?) of the kernel, followed by patterns, separated by blanks or
 *             commas and in any order, of other parts of the identity: variant, dtype, device,
 *             instance type, tool, "2-core", parameters as name=value. Omitted parts match
 *             anything, so the name of a series in any table of rooflog is a pattern for it.
 *             ? stands for a bar.
 *    metric   A key of metric.def, or * for all metrics that the limit's unit fits.
 *    limit  The worst value that is accepted, with its unit; for metrics without a better
 *             direction the exact value. "retired": the series may be missing or stale.
 *    expires  A day (YYYY-MM-DD, inclusive, in UTC), "never", or a revision: accepted until the
 *             candidate is or contains that revision.
 *    author, reason  Not empty. The reason is the rest of the line, including bars.
 *
 * Empty lines, and lines whose first character is #, are comments.
 *
 * Never add the gate's own rules.
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"
#include "model/message/message.h"

struct run;

enum { ACCEPTANCE_LINE_LIMIT = 4096, ACCEPTANCE_FILE_LIMIT = 1 << 20 }; /* bytes */

enum acceptance_expiry { ACCEPTANCE_NEVER, ACCEPTANCE_DAY, ACCEPTANCE_REVISION };

struct acceptance {
	size_t line; /* the first is 1 */
	const char *series;
	enum metric metric; /* METRIC_COUNT: any */
	const char *limit;  /* as written */
	bool retired;
	enum acceptance_expiry expiry;
	const char *expires; /* as written */
	int64_t end;         /* of a day: the first second after it, Unix time */
	const char *author, *reason;
};

struct acceptance_list {
	const char *path; /* for messages: "1234567890:.rooflog/accept" */
	struct acceptance *items;
	size_t count, capacity;
};

/* Parses all lines; on error ERR_FORMAT with path and line. The texts are in the arena. */
int acceptance_parse(struct arena *arena, const char *path, struct span bytes,
		     struct acceptance_list *list, struct error *err);
/* The fields as a line without a line end; acceptance_parse() restores them. */
const char *acceptance_line(struct arena *arena, const struct acceptance *acceptance);
/* "*" for any. */
const char *acceptance_metric(const struct acceptance *acceptance);
/* Whether the pattern matches the run's series. */
bool acceptance_names(const char *pattern, const struct run *run);
/* The limit in the metric's unit; NAN if the line is for another metric, or is "retired". */
double acceptance_limit(const struct acceptance *acceptance, enum metric metric);
/* Whether the value is worse than the limit; true for NAN. */
bool acceptance_is_worse(double value, double limit, enum metric_direction direction);

/* Whether a revision is the candidate or an ancestor of it. */
enum acceptance_reached {
	ACCEPTANCE_REACHED_NO,
	ACCEPTANCE_REACHED_YES,
	ACCEPTANCE_REACHED_NOWHERE, /* no such revision (yet) */
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
	ACCEPTANCE_UNCLEAR /* accepts nothing: it is unknown whether its revision is reached */
};
enum acceptance_standing acceptance_standing(const struct acceptance *acceptance,
					     const struct acceptance_clock *clock);
const char *acceptance_standing_name(enum acceptance_standing standing);

enum acceptance_outcome {
	ACCEPTANCE_OUTCOME_NONE,     /* no line matches */
	ACCEPTANCE_OUTCOME_ACCEPTED, /* `by` accepts it */
	ACCEPTANCE_OUTCOME_LAPSED,   /* `by` would accept it, but it expired or is unclear */
	ACCEPTANCE_OUTCOME_EXCEEDED  /* worse than `by` accepts */
};

/* A comparison that keeps the gate from passing. */
struct acceptance_item {
	const struct run *run; /* names the series */
	enum metric metric;
	enum metric_direction direction; /* as the gate judges it */
	double value;                    /* the candidate's; NAN unknown: nothing accepts it */
	bool absent; /* missing or stale: accepted by "retired" only, which accepts nothing else */
	/* Filled by acceptance_apply(): */
	enum acceptance_outcome outcome;
	const struct acceptance *by; /* NULL with NONE */
	double limit;                /* of `by`; NAN when it is "retired" */
	double excess; /* by how much the value exceeds the limit, as a fraction of it; NAN if it
			* does not, or if the limit is 0 */
};

/* The result of a line, most important first. */
enum acceptance_state {
	ACCEPTANCE_STATE_LAPSED,   /* expired or unclear, needed or not */
	ACCEPTANCE_STATE_EXCEEDED, /* some item exceeds it; it may accept others */
	ACCEPTANCE_STATE_USED,     /* accepts some item */
	ACCEPTANCE_STATE_COVERED, /* a more generous line accepts everything that it would accept */
	ACCEPTANCE_STATE_UNUSED   /* nothing needs it */
};

struct acceptance_use {
	enum acceptance_standing standing;
	enum acceptance_state state;
	size_t accepted; /* items that it accepts */
	size_t covered;  /* items that it would accept, if there were no more generous line */
	size_t exceeded; /* items that exceed it, for which it is the most generous line */
	size_t lapsed;   /* items that it would have accepted */
	double excess;   /* largest excess; NAN: none */
};
const char *acceptance_state_name(enum acceptance_state state);
/* The state, or the standing of a line that lapsed. */
const char *acceptance_use_name(const struct acceptance_use *use);

/* Fills the items' results, and one use per line of the list (`uses` has list->count).
 *
 * Among the valid lines that match an item, the most generous one decides (the first among equals):
 * it accepts the item or is exceeded. Only that line is used. The others are covered, because
 * without them the item would be accepted all the same. If no valid line accepts the item but a
 * lapsed one would, the item is LAPSED by that line. */
void acceptance_apply(const struct acceptance_list *list, const struct acceptance_clock *clock,
		      struct acceptance_item *items, size_t count, struct acceptance_use *uses);
/* Describes the outcome of an item, with line, author and reason; NULL for outcome NONE. */
const struct message *acceptance_message(struct arena *arena, const struct acceptance_list *list,
					 const struct acceptance_item *item);
