/* Runs that repeat one measurement: which of them stands for all. */
#pragma once

#include "base/base.h"
#include "model/run/run.h"

struct repeats {
	size_t median;           /* index: the run with the median headline (of an even number
				  * the faster of the middle two), so that nobody is shown a lucky
				  * repeat */
	size_t count;            /* runs with the same kind of headline as that one */
	double fastest, slowest; /* their times, s; NAN where they have none */
};

/* Of runs of one series and commit, at least one, all derived. Those with a time come before those
 * with another headline, and those before runs without any. */
struct repeats representative_of(struct arena *arena, struct run *const *runs, size_t count);
/* The run that stands for the list; NULL when it is empty. */
const struct run *representative_median(struct arena *arena, const struct run_list *list);
