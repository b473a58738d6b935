/*
 * New names for series: which series a text names, and what they are called from then on.
 *
 * A name is exact, since names of kernels contain * and ? themselves: it is the kernel
 * ("attention"), the kernel with other parts of the name as tables print it ("attention fused
 * s=512"), or the key of a series. The first two may name several series. A new name is a kernel,
 * or the parts that change: "variant=v2,s=512", where kernel and variant are those and anything
 * else is a parameter.
 *
 * Never add patterns.
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"

struct renaming {
	const char *from, *to;
};
struct renaming_list {
	struct renaming *items;
	size_t count, capacity;
};

/* Whether the text names the series of the run. */
bool renaming_fits(const char *name, const struct run *run);
/* ERR_USAGE if the text cannot be a new name. */
int renaming_check(const char *to, struct error *err);
/* What identifies the run's series under the new name, which was checked; not its figures. */
struct run *renaming_apply(struct arena *arena, const char *to, const struct run *run);
/* What identifies the run's series after all renamings of the list that fit, each at most once;
 * NULL: none does. */
const struct run *renaming_of(struct arena *arena, const struct renaming_list *list,
			      const struct run *run);
