/*
 * Derived metrics: every formula of metric.def, computed whenever a run is read. In a formula a
 * metric that is itself derived is the recomputed one, never what the file reports. A value that
 * the file reports itself and that differs by more than the tolerance is a mismatch.
 */
#ifndef MODEL_RUN_DERIVE_H
#define MODEL_RUN_DERIVE_H

#include "model/run/hardware.h"
#include "model/run/run.h"

/* Fills run->derived from run->given and the peaks. What cannot be computed stays NAN. */
void run_derive(struct run *run, const struct peaks *peaks);

/* Parses the formulas, which run_derive() does by itself. ERR_FORMAT names one that is wrong or
 * reads a derived metric of a row below its own. */
int derive_parse(struct error *err);

struct mismatch {
	enum metric metric;
	double reported, derived;
	double relative; /* |reported - derived| / |derived| */
};

/* Relative tolerance between reported and recomputed values. */
extern const double derive_tolerance; /* 1e-6 */

/* All metrics whose reported value disagrees with the one recomputed from the file's own peaks (a
 * configured peak is no contradiction); returns how many, in `found` (METRIC_COUNT long). */
size_t run_mismatches(const struct run *run, struct mismatch *found);

/* Physical cores inferred from the reported HFU, MFU or max-achievable ratios of a summary that
 * does not name them: 0 when they do not fit any count from 1 to 8. */
int run_infer_cores(const struct run *run, const struct peaks *peaks);

#endif
