/* Levels that a series left again. */
#pragma once

#include "base/base.h"

/* The newest commits from `first` on, `count` of them; 0: none. */
struct excursion {
	size_t first, count;
};

/* The only stretch of two to nine commits of a history that is far from the commits on both of its
 * sides, which are alike: a change that was fixed. Its values say nothing of the noise. Two
 * such stretches are a mode of the series, and a single far commit is noise. x: values, or their
 * logs; now: the candidate's, by which the newest stretch ends. */
struct excursion excursion_find(struct arena *arena, const double *x, size_t count, double now);
