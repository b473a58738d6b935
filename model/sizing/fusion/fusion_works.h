/* Groups fused and unfused runs of the same work, to be compared, exported, and checked for
 * gaps. */
#pragma once

#include "base/base.h"
#include "model/run/run.h"
#include "model/sizing/fusion/fusion.h"

enum { FUSION_SIDE_UNFUSED, FUSION_SIDE_FUSED };
/* The variants of the two sides; NULL at the end. */
extern const char *const fusion_sides[];

/* The same work by several variants. */
struct fusion_work {
	const struct run *run; /* any of its runs, for what they share */
	const char *shape;     /* the parameter "shape", else all parameters */
	struct fusion_shape sizes;
	struct fusion_reader_time *times; /* one per requested variant; time NAN: not measured */
};

struct fusion_works {
	struct fusion_work *items;
	size_t count;
	size_t capacity;
};

/* The works with at least one of the variants (a NULL-terminated list), sorted by device, dtype,
 * tool, kernel and size. Runs of other variants or without a time are skipped. `noise`: relative,
 * for times with few repeats. */
struct fusion_works fusion_works_of(struct arena *arena, const struct run *const *runs,
				    size_t count, const char *const *variants, double noise);
/* End of the group that begins at `start`: works of the same device, dtype and tool, and of the
 * same kernel if `by_kernel`. */
size_t fusion_group_end(const struct fusion_works *works, size_t start, bool by_kernel);
/* "a100-sxm-80gb, fp16 (infinicore-profile)" */
const struct message *fusion_group_message(struct arena *arena, const struct run *run);
/* Whether the shape was timed on both sides, as the scheduler requires. */
bool fusion_is_timed(const struct fusion_work *work);
