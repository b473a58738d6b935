/*
 * Whether to fuse: the time of a pattern of operators run one by one against the
 * time of the one operator that does all of it, with what is known of the noise.
 *
 * A time is an interval: the range of its repeats; with fewer than three of them at
 * least the noise to both sides of the median; in any case half the resolution that
 * it was written with. The speed-up lies between lowest and highest:
 *   fuse       lowest > 1 + margin
 *   keep       highest <= 1 + margin
 *   undecided  1 + margin lies between, or a time is only estimated
 * The point values decide in the scheduler: it fuses where unfused > fused (1 + margin).
 * What is decided here is decided the same there.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/message/message.h"
#include "model/run/run.h"

/* Repeats of one kernel on one machine differ by 1 to 2 %. */
#define FUSION_NOISE 0.02

struct fusion_reader_time {
	double time;            /* median of the repeats, s; NAN unknown */
	double lowest, highest; /* s */
	size_t repeats;
	enum provenance provenance; /* the worst of the repeats' */
};

/* Of runs of one series. The attribute "time_resolution" of a run is what its times were rounded
 * to. A run's own spread counts as its repeats. */
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
/* By rank, then by the last size, the first and so on: shapes of one hidden size stay together. */
int fusion_shape_compare(const struct fusion_shape *a, const struct fusion_shape *b);

/* How the scheduler answers for a shape from those that were measured. */
enum fusion_cover {
	FUSION_MEASURED,     /* it is among them */
	FUSION_INTERPOLATED, /* between them: all corners of the cell around it are there */
	FUSION_MISSING       /* outside, or without corners: the answer is that of another shape */
};
enum fusion_cover fusion_cover(const struct fusion_shape *measured, size_t count,
			       const struct fusion_shape *wanted);
