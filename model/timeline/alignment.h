/*
 * Which part of a run got longer. Aligns the timelines of a run and of its baseline over absolute
 * time, monotonically, at least cost: matched cells cost the difference in activity of all engines,
 * unmatched cells cost a constant. Every alignment of nearly the same cost counts as well: a part
 * ends only where all of them agree. A part is therefore as long as the data leave it open where in
 * it the time was lost; for two runs that are evenly busy throughout, it is the whole run.
 *
 * Never add drawing, or the reading of traces.
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"

enum { TIMELINE_PART_LIMIT = 12 };

/* Parts start at the start of each run, in order and without gaps, so their durations add up to the
 * times of the runs. */
struct timeline_part {
	double baseline_from, baseline_to; /* s */
	double from, to;
	double change; /* (to - from) - (baseline_to - baseline_from) */
	/* The engine whose active time changed most in the direction of `change`; "idle" if it was
	 * the time in which none was active; NULL if none explains a quarter of it, or if `change`
	 * is below the resolution. */
	const char *engine;
	double engine_change; /* s; NAN without an engine */
};

struct timeline_difference {
	struct timeline_part parts[TIMELINE_PART_LIMIT];
	size_t count;
	double before, after; /* total times, s */
	double resolution;    /* shorter changes are not distinguished, s */
	double likeness;      /* 1: equal except for unmatched cells; 0: nothing in common */
	bool aligned;         /* false: too different, one part for the whole run */
};

/* The lengths only, without likeness and parts: much faster. */
bool timeline_lengths(const struct run *baseline, const struct run *run,
		      struct timeline_difference *difference);
/* False if the runs cannot be compared: no total time, or no engine with a timeline in both. */
bool timeline_compare(const struct run *baseline, const struct run *run,
		      struct timeline_difference *difference);
