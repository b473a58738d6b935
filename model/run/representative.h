/* Repeats of one measurement: chooses the run that represents them. */
#pragma once

#include "base/base.h"
#include "model/run/run.h"

struct repeats {
	size_t median;           /* index of the run with the median headline (for an even number
				  * the faster of the middle two), so that no report shows a lucky
				  * repeat */
	size_t count;            /* runs with the same kind of headline as that one */
	double fastest, slowest; /* their times, s; NAN if they have none */
};

/* `runs`: at least one, of one series and commit, all derived. Runs with a time take precedence
 * over those with another headline, and these over runs without a headline. */
struct repeats representative_of(struct arena *arena, struct run *const *runs, size_t count);
/* The run that represents the list; NULL if it is empty. */
const struct run *representative_median(struct arena *arena, const struct run_list *list);
