/*
 * Which part of a run got longer. The timelines of a run and of its baseline are aligned over
 * absolute time, monotonically, at the least cost: what lies on each other costs how much the
 * activity of all engines differs, what has no counterpart costs a constant. Every alignment
 * that costs nearly as little counts as well: a part ends only where all of them agree, so that
 * a part is as long as the data leave it open where in it the time was lost. Of two runs that
 * are evenly busy throughout that is the whole run.
 *
 * Never add drawing, or the reading of traces.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "model/run/run.h"

enum { TIMELINE_PART_LIMIT = 12 };

/* From the start of each run, in order and without gaps: the durations of all parts add up to the
 * times of the runs. */
struct timeline_part {
	double baseline_from, baseline_to; /* s */
	double from, to;
	double change; /* (to - from) - (baseline_to - baseline_from) */
	/* Whose active time changed most, in the direction of `change`; "idle" when it was the time
	 * in which none was active; NULL: none that explains a quarter of it, or `change` is below
	 * the resolution. */
	const char *engine;
	double engine_change; /* s; NAN without an engine */
};

struct timeline_difference {
	struct timeline_part parts[TIMELINE_PART_LIMIT];
	size_t count;
	double before, after; /* total times, s */
	double resolution;    /* changes shorter than this are not told apart, s */
	double likeness;      /* 1: equal but for what has no counterpart; 0: nothing alike */
	bool aligned;         /* else too different: one part for the whole run */
};

/* The lengths alone, without likeness and parts: far quicker. */
bool timeline_lengths(const struct run *baseline, const struct run *run,
		      struct timeline_difference *difference);
/* False when there is nothing to compare: no total time, no engine with a timeline in both. */
bool timeline_compare(const struct run *baseline, const struct run *run,
		      struct timeline_difference *difference);
