/*
 * A series over its commits, made to be looked at: points, levels, changes and the
 * band of values in which the next commit is expected. Places are commits on the
 * first-parent chain, counted back from the newest one of the picture, so that
 * series stand under each other and a commit that was not measured stays a gap.
 *
 * Up to TREND_POINTS measured commits are a point each. More are put into bins of
 * as many places each; a bin keeps the least, the median and the largest of its
 * values, so no extreme is lost.
 *
 * Neighbouring points are joined by a line when they lie at most `gap` commits
 * apart: three times the usual distance of measured commits, and never less than
 * three. What is further apart is a gap.
 *
 * Never add drawing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "model/changepoint/changepoint.h"
#include "model/verdict/series_history.h"
#include "model/verdict/verdicts.h"
#include "model/run/run.h"

enum { TREND_POINTS = 240, TREND_SPARK = 24 };

struct trend_point {
	uint32_t place;           /* of a bin: that of the commit in its middle */
	uint32_t commits, runs;   /* measured, in the point */
	double low, middle, high; /* equal where it is one commit */
};

struct trend_level {
	uint32_t from, to; /* places of its first and last measured commit; from >= to */
	double value;      /* median of its commits */
};

struct trend_change {
	uint32_t last_before, first_after; /* places of measured commits */
	const struct revision *last_commit_before, *first_commit_after;
	double before, after;
	double effect, low, high; /* as in a detect_change, with the 95 % interval */
	double p;
	bool relative;  /* else `effect` is a difference in the metric's unit */
	bool confirmed; /* by the commits after it; else a suspect */
	bool worse, better;
};

/* An accepted fault: where the change stands that somebody accepted. */
struct trend_acceptance {
	uint32_t place;
	size_t line;
	const char *author, *reason, *expires;
	double ceiling; /* NAN: of another metric, or retired */
};

struct trend {
	uint32_t shift;             /* a place is one of the chain plus this */
	size_t commits;             /* measured, the candidate with them */
	uint32_t bin;               /* places in a point; 1: each is a commit */
	uint32_t gap;               /* points further apart are not joined */
	struct trend_point *points; /* oldest first */
	size_t point_count;
	const struct revision *oldest, *newest; /* the commits of the first and the last point */
	struct trend_level *levels;             /* oldest first */
	size_t level_count;
	struct trend_change *changes;
	size_t change_count;
	double level;               /* what the next commit is compared with; NAN none */
	double band_low, band_high; /* the next commit is in it in 95 of 100 cases; NAN unknown */
	struct history_point candidate;    /* at place 0, one of the points, too; no runs: none */
	struct trend_acceptance *accepted; /* NULL: none */
	const char *spark;                 /* trend_spark() of all of it */
};

struct trend_options {
	enum metric_direction direction;
	const struct detect_result *detected; /* changes among the points; NULL: they are looked
					       * for */
	size_t record; /* the first so many points make levels, and `detected` is about them; 0: all
			*/
};

/* points: oldest first, places descending. */
struct trend trend_of(struct arena *arena, const struct history_points *points,
		      const struct trend_options *options);

/* What a small line is drawn from. */
struct trend_bins {
	size_t count;     /* of the cells asked for; 0 without points */
	double *middles;  /* oldest first; NAN where nothing was measured */
	double low, high; /* from the lowest to the highest, and at least 5 % of the values' size,
			   * so quiet series look quiet */
};
/* Of each place from the oldest point's down to `last` its value or, where there are more than
 * `cells` places, of each equal share of them the median; but where the newest point is, its value:
 * the median would hide where it went. */
struct trend_bins trend_bins_of(struct arena *arena, const struct history_points *points,
				size_t cells, uint32_t last);
/* Those of at most TREND_SPARK (0: so many) cells as bars of Unicode blocks, "·" where nothing was
 * measured. "" without points. */
const char *trend_spark(struct arena *arena, const struct history_points *points, size_t cells);

/* Level and band by the judge's interval for one more commit, of a record turned so. Nothing
 * changes where the judge knows too little. */
void trend_set_band(const struct judge_result *record, enum verdict_turn turn, struct trend *trend);

/* Finds the commits of the trend's points and changes on a chain of `count` revisions, newest
 * first, of which places are trend->shift away; what lies outside it is the candidate. */
void trend_find_commits(struct trend *trend, const struct revision *chain, size_t count,
			const struct revision *candidate);
