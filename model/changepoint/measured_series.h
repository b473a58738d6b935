/* Series of measurements by commit, each with its repeats: what detect and judge read of a table.
 */
#ifndef MODEL_CHANGEPOINT_MEASURED_SERIES_H
#define MODEL_CHANGEPOINT_MEASURED_SERIES_H

#include <stddef.h>

#include "base/arena.h"

struct measured_commit {
	long long index;
	const double *values; /* at least one, all finite */
	size_t count;
};

struct measured_series {
	const char *name; /* "" where the table has one series without a name */
	struct measured_commit *commits;
	size_t count;
};

struct measured_series_list {
	struct measured_series *items;
	size_t count;
};

/* One value a commit: repeats do not tell more about the code than their middle does. */
double *measured_series_values(struct arena *arena, const struct measured_series *series);

#endif
