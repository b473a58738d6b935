/*
 * Whether to fuse: compares the time of a pattern of operators run one by one with the time of the
 * single operator that does all of it, given the noise.
 *
 * A time is an interval: the range of its repeats; with fewer than three repeats at least the noise
 * on both sides of the median; in any case half the resolution with which it was written. The
 * speed-up lies between lowest and highest:
 *    fuse       lowest > 1 + margin
 *    keep       highest <= 1 + margin
 *    undecided  1 + margin lies between, or a time is only estimated
 * The scheduler decides by the point values: it fuses if unfused > fused (1 + margin). A decision
 * made here is the same there.
 */
#pragma once

#include "model/message/message.h"
#include "model/run/run.h"

/* Relative. Repeats of one kernel on one machine differ by 1 to 2 %. */
#define FUSION_NOISE 0.02

struct fusion_reader_time {
	double time;            /* median of the repeats, s; NAN unknown */
	double lowest, highest; /* s */
	size_t repeats;
	enum provenance provenance; /* the weakest of the repeats' */
};

/* The time of runs of one series. A run's attribute "time_resolution" is the unit to which its
 * times were rounded. A run's own spread counts as its repeats. `noise`: relative. */
struct fusion_reader_time fusion_time_of(struct arena *arena, const struct run *const *runs,
					 size_t count, double noise);

enum fusion_decision { FUSION_FUSE, FUSION_KEEP, FUSION_UNDECIDED, FUSION_UNKNOWN, FUSION_LIMIT };

struct fusion_judgement {
	enum fusion_decision decision;
	double speedup, lowest, highest; /* unfused / fused; NAN unknown */
	enum message_code reason;
};

/* "fuse", "keep", "undecided", "unknown" */
const char *fusion_decision_name(enum fusion_decision decision);
struct fusion_judgement fusion_judge(const struct fusion_reader_time *unfused,
				     const struct fusion_reader_time *fused, double margin);

/* --- shapes --- */

enum { FUSION_RANK = 8 };

struct fusion_shape {
	double sizes[FUSION_RANK];
	size_t rank; /* 0: no shape */
};

/* "[1, 512, 4096]"; anything else has rank 0. */
struct fusion_shape fusion_shape_of(const char *text);
/* Orders by rank, then by the last size, the first and so on, so that shapes of one hidden size are
 * adjacent. */
int fusion_shape_compare(const struct fusion_shape *a, const struct fusion_shape *b);

/* How the scheduler derives the answer for a shape from the measured ones. */
enum fusion_cover {
	FUSION_MEASURED,     /* measured itself */
	FUSION_INTERPOLATED, /* between measured shapes: all corners of the cell around it are
			      * measured */
	FUSION_MISSING       /* outside, or without corners: the answer is that of another shape */
};
enum fusion_cover fusion_cover(const struct fusion_shape *measured, size_t count,
			       const struct fusion_shape *wanted);
