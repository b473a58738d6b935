/*
 * Coverage of the shapes that the scheduler needs (prompts: batch 1, sequences from 128; decoding:
 * batches up to 32, one token) by the stored runs of each platform: measured, interpolated between
 * measured shapes, or missing. With fusion_shapes.h the door of the room that says whether fusing
 * pays.
 *
 * Never add drawing or loading.
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"
#include "model/sizing/fusion/fusion_works.h"

enum { fusion_expected_count = 11 };
struct fusion_expected {
	const char *phase; /* "prefill", "decode" */
	double batch, sequence;
};
extern const struct fusion_expected fusion_expected[fusion_expected_count];

/* One line: an operator of one hidden size on one platform. */
struct fusion_coverage {
	const char *platform, *kernel;
	double hidden; /* NAN: no known shape of the operator on any platform */
	enum fusion_cover of[fusion_expected_count];
	size_t counts[FUSION_MISSING + 1];
	size_t measured; /* shapes of this hidden size, expected or not */
};

struct fusion_coverages {
	struct fusion_coverage *items;
	size_t count, capacity;
};

struct fusion_question {
	struct arena *arena;
	const struct hardware_list *devices; /* their titles begin with the platform */
	const char *const *kernels;          /* globs, any of which fits ... */
	size_t kernel_count;                 /* ... or 0: all operators */
	bool all_platforms; /* all platforms of the scheduler; else only those of the works */
};
struct fusion_coverages fusion_coverage_of(const struct fusion_question *question,
					   const struct fusion_works *works);
