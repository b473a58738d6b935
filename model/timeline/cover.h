/*
 * Where at least a given number of intervals run at once: disjoint stretches in the order of time,
 * in memory of two numbers for each interval. Times are whole ticks.
 */
#pragma once

#include "base/base.h"

struct interval_span {
	uint64_t begin, end; /* [begin, end) */
};

struct interval_cover {
	struct interval_span *items;
	uint64_t *before; /* ticks of the stretches before each */
	size_t count;
	uint64_t length; /* ticks of all */
};

/* The stretches in which at least `least` (1 or more) of the intervals run. Empty intervals count
 * for nothing. */
struct interval_cover interval_cover_of(struct arena *arena, const struct interval_span *intervals,
					size_t count, size_t least);
/* Ticks of [begin, end) that are covered. */
uint64_t interval_cover_within(const struct interval_cover *cover, struct interval_span part);
/* Ticks that both cover. */
uint64_t interval_cover_both(const struct interval_cover *a, const struct interval_cover *b);
/* Ticks since the last covered tick before `time`; 0 if the one before it is covered; false if none
 * is. */
bool interval_cover_since(const struct interval_cover *cover, uint64_t time, uint64_t *ticks);
