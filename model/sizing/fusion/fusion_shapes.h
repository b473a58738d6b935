/*
 * What the scheduler decides for a shape that was not measured, by the rule of should_fuse(): each
 * side's time is interpolated in all dimensions between the corners of the measured cell around the
 * shape; sizes outside are moved to the nearest measured one; if a corner is missing, the time is
 * that of the shape nearest by the sum of the differences. It fuses if unfused > fused (1 +
 * margin).
 *
 * The interval of a derived time is derived in the same way from those of its neighbours.
 */
#pragma once

#include "model/sizing/fusion/fusion_works.h"

/* A shape as people ask for it: "[1, 300, 4096]", "1x300x4096", or "b=1,s=300". Sizes without a
 * name in the latter are 0: the measured one, if there is just one. */
struct fusion_wanted {
	struct fusion_shape shape;
	bool named; /* by b, s and h: the first, second and last of three sizes */
};

/* Reads it; ERR_USAGE says what is expected. */
int fusion_wanted_of(const char *text, struct fusion_wanted *wanted, struct error *err);

enum fusion_source {
	FUSION_BY_MEASURING,
	FUSION_BY_INTERPOLATION, /* between measured shapes */
	FUSION_BY_EXTRAPOLATION, /* sizes outside were moved to the nearest measured ones */
	FUSION_BY_NEAREST,       /* corners are missing: the nearest shape's time */
	FUSION_BY_NOTHING        /* no shape of this rank */
};

struct fusion_neighbour {
	const struct fusion_work *work;
	double weight; /* of all neighbours: 1 */
};

struct fusion_derived {
	struct fusion_reader_time time;
	enum fusion_source source;
	struct fusion_neighbour *neighbours; /* those with a weight */
	size_t count;
};

struct fusion_answer {
	const struct fusion_work *group;   /* the first of the works that were asked */
	struct fusion_shape shape;         /* rank 0: a size is not named and not the only one */
	size_t ambiguous;                  /* with rank 0: which dimension */
	struct fusion_derived sides[2];    /* FUSION_SIDE_UNFUSED, FUSION_SIDE_FUSED */
	struct fusion_judgement judgement; /* whether the decision is beyond noise */
	bool fuses;                        /* what the scheduler does */
	bool too_small;                    /* the scheduler never fuses so few elements */
};

/* The answer of works[start, end): one kernel on one device, dtype and tool. */
struct fusion_answer fusion_answer_of(struct arena *arena, const struct fusion_works *works,
				      size_t start, size_t end, const struct fusion_wanted *wanted);
/* Adds what the scheduler does. */
void fusion_answer_decide(struct fusion_answer *answer, double margin);
