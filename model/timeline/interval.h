/*
 * The union of intervals that arrive one by one, in fixed memory: how long at
 * least one of them was active, and how busy each part of a time line was.
 * Times are whole ticks; the caller knows how long a tick is.
 *
 * Up to interval_limit disjoint intervals are kept exactly, whatever their
 * order. Beyond that the oldest half is folded into an exact length and into
 * bins whose width doubles as time goes on. Intervals that arrive later and
 * begin before that part are cut off there and counted: the length is then a
 * lower bound, and interval_union_late() is not 0.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { interval_limit = 65536 };

struct interval_union;

/* Never NULL; ended by interval_union_free(), which takes NULL too. */
struct interval_union *interval_union_new(void);
/* For tests: keep at most `limit` (2 to interval_limit) disjoint intervals. */
struct interval_union *interval_union_new_limited(size_t limit);
void interval_union_free(struct interval_union *set);
/* What is added to `part` from now on counts for `whole` too, which costs less than adding it to
 * both. Both must be empty, and `part` in no other whole; neither is used after one is freed. */
void interval_union_include(struct interval_union *whole, struct interval_union *part);

/* [start, end); nothing when end <= start. */
void interval_union_add(struct interval_union *set, uint64_t start, uint64_t end);

/* Ticks covered by at least one interval. */
uint64_t interval_union_length(struct interval_union *set);
/* Whether any tick of [start, end) is covered; exact unless interval_union_is_folded(). */
bool interval_union_overlaps(struct interval_union *set, uint64_t start, uint64_t end);
/* Smallest start and largest end; false when there is no interval. */
bool interval_union_bounds(struct interval_union *set, uint64_t *first, uint64_t *last);
/* Busy fractions of `count` equal parts of [origin, origin + ticks); what lies outside is cut
 * off. Exact unless interval_union_is_folded(). */
void interval_union_timeline(struct interval_union *set, uint64_t origin, double ticks, float *bins,
			     size_t count);
bool interval_union_is_folded(struct interval_union *set);
/* How many intervals came too late to be counted whole; those that touch count as one. */
uint64_t interval_union_late(struct interval_union *set);
