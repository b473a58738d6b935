/*
 * A series over its commits, prepared for drawing: points, segments, changes, and the band in which
 * the next commit is expected. A place is a commit on the first-parent chain, counted back from the
 * newest commit of the picture; so series align with each other, and an unmeasured commit is a gap.
 *
 * Up to TREND_POINTS measured commits are one point each. More are grouped into bins of equally
 * many places; a bin has the lowest, the median and the highest of its values, so no extreme is
 * lost.
 *
 * Neighbouring points are connected if they are at most `gap` commits apart: three times the usual
 * distance of measured commits, at least three.
 *
 * Never add drawing.
 */
#pragma once

#include "base/base.h"
#include "model/changepoint/changepoint.h"
#include "model/verdict/series_history.h"
#include "model/verdict/verdicts.h"
#include "model/run/run.h"

enum { TREND_POINTS = 240, TREND_SPARK = 24, TREND_NOISE_LEAST = 5 };

struct trend_point {
	uint32_t place;           /* place; for a bin that of its middle commit */
	uint32_t commits, runs;   /* measured commits and runs in the point */
	double low, middle, high; /* equal for a single commit */
};

struct trend_level {
	uint32_t from, to; /* places of its first and last measured commit; from >= to */
	double value;      /* median of its commits */
	double noise; /* standard deviation of single commits from it, by the median distance; NAN:
		       * fewer than TREND_NOISE_LEAST commits */
};

struct trend_change {
	uint32_t last_before, first_after; /* places of measured commits */
	const struct revision *last_commit_before, *first_commit_after;
	double before, after;
	double effect, low, high; /* as in struct detect_change, with the 95 % confidence
				   * interval */
	double p;
	bool relative;  /* else `effect` is a difference, in the metric's unit */
	bool confirmed; /* confirmed by the commits after it; else a suspect */
	bool worse, better;
};

/* An acceptance, at the place of the accepted change. */
struct trend_acceptance {
	uint32_t place;
	size_t line;
	const char *author, *reason, *expires;
	double limit; /* NAN: for another metric, or retired */
};

struct trend {
	uint32_t shift;             /* place = index into the chain + shift */
	size_t commits;             /* measured commits, including the candidate */
	uint32_t bin;               /* places per point; 1: each point is a commit */
	uint32_t gap;               /* points farther apart are not connected */
	struct trend_point *points; /* oldest first */
	size_t point_count;
	const struct revision *oldest, *newest; /* commits of the first and the last point */
	struct trend_level *levels;             /* oldest first */
	size_t level_count;
	struct trend_change *changes;
	size_t change_count;
	double level;                   /* mean that the next commit is compared with; NAN: none */
	double band_low, band_high;     /* 95 % prediction band of the next commit; NAN: unknown */
	struct history_point candidate; /* at place 0, also one of the points; no runs: none */
	struct trend_acceptance *accepted; /* NULL: none */
	const char *spark;                 /* trend_spark() of the whole trend */
};

struct trend_options {
	enum metric_direction direction;
	const struct detect_result *detected; /* changes among the points; NULL: to be detected */
	size_t known; /* number of first points that determine the segments, and to which
		       * `detected` applies; 0: all */
	const struct detect_change *open; /* a change that the newest points suggest; NULL: to be
					   * looked for */
};

/* points: oldest first, places descending. The result is in the arena. */
struct trend trend_of(struct arena *arena, const struct history_points *points,
		      const struct trend_options *options);

/* The values of a sparkline. */
struct trend_bins {
	size_t count;     /* cells used, at most those requested; 0: no points */
	double *middles;  /* oldest first; NAN where nothing was measured */
	double low, high; /* range of the values, widened to at least 5 % of their size, so that
			   * quiet series look quiet */
};
/* Values from the oldest point's place down to `last`: one per place, or, with more than `cells`
 * places, the median of each of `cells` equal parts. The part with the newest point has that
 * point's value, because a median would hide the latest change. */
struct trend_bins trend_bins_of(struct arena *arena, const struct history_points *points,
				size_t cells, uint32_t last);
/* The bins of at most `cells` cells (0: TREND_SPARK) as Unicode blocks, "·" for unmeasured. ""
 * without points. */
const char *trend_spark(struct arena *arena, const struct history_points *points, size_t cells);

/* Sets mean and band from the judge's prediction interval, for a history that was turned
 * (verdict_turned()). Leaves both unchanged if the judge knows too little. */
void trend_set_band(const struct judge_result *judged, enum verdict_turn turn, struct trend *trend);

/* Finds the commits of the trend's points and changes on a chain of `count` revisions, newest
 * first; their indices are the places minus trend->shift. A place outside the chain is the
 * candidate. */
void trend_find_commits(struct trend *trend, const struct revision *chain, size_t count,
			const struct revision *candidate);
