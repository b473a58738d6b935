/* What to measure again: series that another measurement of the candidate would decide. */
#ifndef MODEL_GATE_RERUN_H
#define MODEL_GATE_RERUN_H

#include "model/gate/gate.h"

struct gate_rerun {
	const struct gate_series *series;
	const struct comparison *const *because; /* worst first, as the gate's comparisons are */
	size_t because_count;
	size_t measurements; /* more of them, each in a session of its own */
	size_t runs;         /* in each measurement */
};

struct gate_reruns {
	struct gate_rerun *items; /* one per series, the worst first */
	size_t count;
};

struct gate_reruns gate_reruns_of(struct arena *arena, const struct gate *gate);

#endif
