/*
 * The least time that the counted work of a run takes: by the roofline, the larger of FLOP / peak
 * and bytes / bandwidth. A shorter time was measured wrongly, or is the time of other work.
 *
 * The work is that of MFU and MBU (model/run/metric.def), the peaks are those that no kernel of the
 * run's dtype exceeds (struct peaks). Peaks of low confidence, and work by a formula, which a
 * kernel may find a way around, have no floor.
 */
#pragma once

#include "base/base.h"
#include "model/message/message.h"
#include "model/run/run.h"

struct time_floor {
	double seconds;    /* NAN: unknown */
	double least;      /* share of it from which a time is possible */
	double work, peak; /* FLOP and FLOP/s, or bytes and B/s */
	enum unit work_unit, peak_unit;
};

struct time_floor time_floor_of(const struct run *run);
/* Whether no hardware can have taken the run's time: it is below the floor, or an engine was active
 * for longer. */
bool time_floor_is_broken(const struct run *run);
/* With the arithmetic: "0.05 us is less than the 1.011 us that 1 GFLOP takes at ..."; NULL if the
 * time is possible. */
const struct message *time_floor_message(struct arena *arena, const struct run *run);
