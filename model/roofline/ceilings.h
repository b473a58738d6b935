/*
 * Peaks that a tool measured on the device of a run, stored as attributes of the run: "1389 GB/s,
 * median of 2 devices, measured by rocprof-compute". They are drawn, and judge nothing.
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"

struct measured_peak {
	const char *attribute;
	const char *name; /* the memory ("HBM", "L2"), or the dtype of a compute rate */
	const char *unit; /* of the attribute: 1e9 per second */
	bool compute;
};
enum { CEILING_PEAKS = 14 };
extern const struct measured_peak ceiling_peaks[CEILING_PEAKS];

/* The rate in B/s or FLOP/s, and who measured it; NAN if the run has no such attribute, or one that
 * states no number of this unit. */
double ceiling_rate(const struct run *run, const struct measured_peak *peak, const char **source);
