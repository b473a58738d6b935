/*
 * The union of intervals that arrive one by one, in bounded memory: how long at least one of them
 * was active, and how busy each part of a timeline was. Times are whole ticks; the caller knows the
 * length of a tick.
 *
 * Up to interval_limit disjoint intervals are stored exactly, whatever their order. Beyond that the
 * oldest half is folded into an exact length and into bins whose width doubles as time goes on.
 * Later intervals that begin before the folded part's end are cut off there and counted: the length
 * is then a lower bound, and interval_union_late() is not 0.
 */
#pragma once

#include "base/base.h"
#include "model/timeline/cover.h"

enum { interval_limit = 65536 };

struct interval_union;

/* Never NULL; freed by interval_union_free(), which accepts NULL. */
struct interval_union *interval_union_new(void);
/* For tests: stores at most `limit` (2 to interval_limit) disjoint intervals. */
struct interval_union *interval_union_new_limited(size_t limit);
void interval_union_free(struct interval_union *set);
/* From now on everything added to `part` also counts for `whole`, which is cheaper than adding it
 * to both. Both must be empty, and `part` must not be in another whole; neither may be used after
 * one is freed. */
void interval_union_include(struct interval_union *whole, struct interval_union *part);

/* Adds [start, end); nothing if end <= start. */
void interval_union_add(struct interval_union *set, uint64_t start, uint64_t end);

/* Ticks covered by at least one interval. */
uint64_t interval_union_length(struct interval_union *set);
/* Whether any tick of [start, end) is covered; exact unless interval_union_is_folded(). */
bool interval_union_overlaps(struct interval_union *set, uint64_t start, uint64_t end);
/* Smallest start and largest end; false if the union is empty. */
bool interval_union_bounds(struct interval_union *set, uint64_t *first, uint64_t *last);
/* Busy fractions of `count` equal parts of [origin, origin + ticks); intervals outside are cut off.
 * Exact unless interval_union_is_folded(). */
void interval_union_timeline(struct interval_union *set, uint64_t origin, double ticks, float *bins,
			     size_t count);
bool interval_union_is_folded(struct interval_union *set);
/* Number of intervals that came too late to be counted fully; touching ones count once. */
uint64_t interval_union_late(struct interval_union *set);
