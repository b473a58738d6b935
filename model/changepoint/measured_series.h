/* Series of measurements by commit, each with its repeats: the input of detect and judge for
 * tables. */
#pragma once

#include "base/base.h"

struct measured_commit {
	long long index;
	const double *values; /* at least one, all finite */
	size_t count;
};

struct measured_series {
	const char *name; /* "" if the table has one series without a name */
	struct measured_commit *commits;
	size_t count;
};

struct measured_series_list {
	struct measured_series *items;
	size_t count;
};

/* One value per commit: the location of its repeats, which say no more about the code than that. */
double *measured_series_values(struct arena *arena, const struct measured_series *series);
