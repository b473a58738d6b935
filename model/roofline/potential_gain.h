/*
 * What it would gain to remove what a rule of model/roofline/findings.c found: by Amdahl on
 * the share of the time that an engine, the memory or idling takes, with the
 * numbers that it was computed with. Nothing is estimated by feeling; where the
 * profile does not have the numbers there is no gain.
 */
#pragma once

#include <stdbool.h>

#include "base/base.h"
#include "model/message/message.h"
#include "model/run/run.h"

struct potential_gain {
	double fraction;               /* 0 to 1; NAN: it cannot be computed, or there is none */
	const struct message *formula; /* with its numbers; NULL without a gain */
	enum message_code of;          /* of what it is a fraction: the total or the host's time */
	bool bound; /* no more can be gained; else it is what the bytes take at the peak
		     * rate, and a memory that does not reach it loses more */
};

typedef struct potential_gain gain_function(struct arena *arena, const struct run *run);

gain_function gain_of_compiling, gain_of_dispatch, gain_of_cores, gain_of_throttling,
	gain_of_overlap, gain_of_reuse, gain_of_formula_traffic, gain_of_spills, gain_of_transposes,
	gain_of_dma, gain_of_model_flops;
gain_function gain_of_occupancy, gain_of_theoretical_occupancy, gain_of_issue, gain_of_waves,
	gain_of_tail;

/* Bytes that the work needs by its formula when the profile does not count them; NAN unknown. */
double gain_formula_bytes(const struct run *run);
