/* Fused and unfused runs of the same work brought together: what is compared, exported, and checked
 * for gaps. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "model/run/run.h"
#include "model/sizing/fusion.h"

enum { FUSION_SIDE_UNFUSED, FUSION_SIDE_FUSED };
/* The variants of the two sides; NULL at the end. */
extern const char *const fusion_sides[];

/* The same work by several variants. */
struct fusion_work {
	const struct run *run; /* any of them, for what they share */
	const char *shape;     /* the parameter "shape", else all parameters */
	struct fusion_shape sizes;
	struct fusion_reader_time *times; /* one for each variant asked for; time NAN: not there */
};

struct fusion_works {
	struct fusion_work *items;
	size_t count;
	size_t capacity;
};

/* The works that have at least one of the variants (a NULL-terminated list), sorted by device,
 * dtype, tool, kernel and size. Runs of other variants or without a time are left out. `noise`: of
 * a time with few repeats. */
struct fusion_works fusion_works_of(struct arena *arena, const struct run *const *runs,
				    size_t count, const char *const *variants, double noise);
/* Where the works of the same device, dtype and tool end, and of the same kernel if wanted. */
size_t fusion_group_end(const struct fusion_works *works, size_t start, bool by_kernel);
/* "a100-sxm-80gb, fp16 (infinicore-profile)" */
const struct message *fusion_group_message(struct arena *arena, const struct run *run);
/* Whether a shape was timed on both sides, which the scheduler needs. */
bool fusion_is_timed(const struct fusion_work *work);
