/*
 * Upper bounds of the gain from fixing a finding (model/roofline/findings.c): Amdahl's law on the
 * share of time that an engine, the memory or idling takes. Each is computed from numbers of the
 * profile, never estimated; the gain is unknown without them.
 */
#pragma once

#include "base/base.h"
#include "model/message/message.h"
#include "model/run/run.h"

struct potential_gain {
	double fraction;               /* 0 to 1; NAN: unknown, or no gain */
	const struct message *formula; /* the formula with its numbers; NULL without a gain */
	enum message_code of;          /* base of the fraction: the total time, or the host's */
	bool bound; /* a true upper bound; else the time of the bytes at the peak rate, and a memory
		     * below that rate loses more */
	const char *estimated_by; /* the profiler whose estimate it is; NULL: our formula */
};

typedef struct potential_gain gain_function(struct arena *arena, const struct run *run);

gain_function gain_of_compiling, gain_of_dispatch, gain_of_cores, gain_of_throttling,
	gain_of_overlap, gain_of_reuse, gain_of_formula_traffic, gain_of_spills, gain_of_transposes,
	gain_of_dma, gain_of_model_flops;
gain_function gain_of_occupancy, gain_of_theoretical_occupancy, gain_of_issue, gain_of_waves,
	gain_of_tail;

/* Bytes that the work formula requires, for profiles that do not count them; NAN: unknown. */
double gain_formula_bytes(const struct run *run);
