/*
 * Derived metrics: the formulas of metric.def, computed whenever a run is read. If a formula reads
 * a metric that is itself derived, it reads the recomputed value, never the one in the file. If the
 * file reports a derived metric and differs by more than the tolerance, that is a mismatch.
 */
#pragma once

#include "model/run/hardware.h"
#include "model/run/run.h"

/* Fills run->derived from run->given and the peaks. Values that cannot be computed stay NAN; those
 * outside the bounds of their metric become NAN, also given ones that an older program stored, and
 * run->excess mentions them. */
void run_derive(struct run *run, const struct peaks *peaks);

/* Parses the formulas; run_derive() does so itself on first use. ERR_FORMAT names a formula that is
 * wrong, or that reads a derived metric declared below it. */
int derive_parse(struct error *err);

struct mismatch {
	enum metric metric;
	double reported, derived;
	double relative; /* |reported - derived| / |derived| */
};

/* Relative tolerance between reported and recomputed values. */
extern const double derive_tolerance; /* 1e-6 */

/* Writes all metrics whose reported value disagrees with the one recomputed from the file's own
 * peaks to `found` (METRIC_COUNT long); returns their number. A configured peak does not contradict
 * the file. */
size_t run_mismatches(const struct run *run, struct mismatch *found);

/* Physical cores, inferred from the reported HFU, MFU or max-achievable ratios of a summary that
 * does not state them; 0 if these fit no count from 1 to 8. */
int run_infer_cores(const struct run *run, const struct peaks *peaks);
