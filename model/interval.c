/* Streaming union of intervals: a sorted list of disjoint ones, a short one of those that came
 * out of order and wait to be merged, and bins for the part that no longer fits. */
#include "model/interval.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { pending_limit = 8192, fine_count = 4096 };

struct interval {
	uint64_t start, end;
};

struct interval_union {
	size_t limit;
	struct interval *items; /* sorted, disjoint, not touching */
	size_t count, room;
	struct interval *pending; /* came out of order */
	size_t pending_count, pending_room;
	bool any;
	uint64_t first, last;

	/* The oldest part, once there were more than `limit` intervals. */
	bool folded;
	uint64_t frontier; /* end of the folded part */
	uint64_t folded_length;
	uint64_t late;
	uint64_t fine_origin, fine_width;
	uint64_t fine[fine_count]; /* busy ticks of each `fine_width` ticks from `fine_origin` */
};

static void *allocate(size_t count, size_t size)
{
	void *memory = malloc(count * size);
	if (!memory)
		abort();
	return memory;
}

/* Most unions have few intervals. */
static void make_place(struct interval **items, size_t *room, size_t needed)
{
	if (needed <= *room)
		return;
	*room = needed < 64 ? 64 : needed > *room * 2 ? needed : *room * 2;
	*items = realloc(*items, *room * sizeof **items);
	if (!*items)
		abort();
}

struct interval_union *interval_union_new_limited(size_t limit)
{
	struct interval_union *set = allocate(1, sizeof *set);
	memset(set, 0, sizeof *set);
	set->limit = limit;
	return set;
}

struct interval_union *interval_union_new(void)
{
	return interval_union_new_limited(interval_limit);
}

void interval_union_free(struct interval_union *set)
{
	if (!set)
		return;
	free(set->items);
	free(set->pending);
	free(set);
}

/* --- the folded part --- */

static void double_fine_width(struct interval_union *set)
{
	for (size_t i = 0; i < fine_count / 2; i++)
		set->fine[i] = set->fine[2 * i] + set->fine[2 * i + 1];
	memset(set->fine + fine_count / 2, 0, fine_count / 2 * sizeof *set->fine);
	set->fine_width *= 2;
}

static void add_to_fine(struct interval_union *set, struct interval item)
{
	uint64_t start = item.start - set->fine_origin, end = item.end - set->fine_origin;
	while ((end - 1) / set->fine_width >= fine_count)
		double_fine_width(set);
	while (start < end) {
		uint64_t bin = start / set->fine_width;
		uint64_t left = set->fine_width - start % set->fine_width;
		uint64_t part = end - start < left ? end - start : left;
		set->fine[bin] += part;
		start += part;
	}
}

/* Folds the oldest intervals until half of the limit is left. */
static void fold(struct interval_union *set)
{
	size_t gone = set->count - set->limit / 2;
	if (!set->folded) {
		set->folded = true;
		set->fine_origin = set->items[0].start;
		set->fine_width = 1;
	}
	for (size_t i = 0; i < gone; i++) {
		set->folded_length += set->items[i].end - set->items[i].start;
		add_to_fine(set, set->items[i]);
	}
	set->frontier = set->items[gone - 1].end;
	set->count -= gone;
	memmove(set->items, set->items + gone, set->count * sizeof *set->items);
}

/* --- the exact part --- */

static int by_start(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;
	return (x->start > y->start) - (x->start < y->start);
}

/* Joins neighbours that overlap or touch in a list sorted by start. */
static void join(struct interval_union *set)
{
	size_t kept = 0;
	for (size_t i = 1; i < set->count; i++) {
		struct interval *last = &set->items[kept], item = set->items[i];
		if (item.start > last->end)
			set->items[++kept] = item;
		else if (item.end > last->end)
			last->end = item.end;
	}
	set->count = kept + 1;
}

/* Merges the pending intervals into the list, from its end so that no second list is needed. */
static void settle(struct interval_union *set)
{
	size_t a = set->count, b = set->pending_count, to = a + b;
	if (b == 0)
		return;
	qsort(set->pending, b, sizeof *set->pending, by_start);
	make_place(&set->items, &set->room, to);
	while (b > 0) {
		bool take = a > 0 && set->items[a - 1].start > set->pending[b - 1].start;
		set->items[--to] = take ? set->items[--a] : set->pending[--b];
	}
	set->count += set->pending_count;
	set->pending_count = 0;
	join(set);
	if (set->count > set->limit)
		fold(set);
}

/* Makes room for one more interval; what is the newest interval may be another one then. */
static void make_room(struct interval_union *set)
{
	settle(set);
	if (set->count == set->limit)
		fold(set);
}

/* How many intervals start at or before `start`. */
static size_t count_up_to(const struct interval_union *set, uint64_t start)
{
	size_t low = 0, high = set->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (set->items[middle].start <= start)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_covered(const struct interval_union *set, struct interval item)
{
	size_t before = count_up_to(set, item.start);
	return before > 0 && set->items[before - 1].end >= item.end;
}

static void insert(struct interval_union *set, struct interval item)
{
	if (is_covered(set, item))
		return;
	make_place(&set->pending, &set->pending_room, set->pending_count + 1);
	set->pending[set->pending_count++] = item;
	if (set->pending_count == pending_limit)
		settle(set);
}

static void note_bounds(struct interval_union *set, uint64_t start, uint64_t end)
{
	if (!set->any || start < set->first)
		set->first = start;
	if (!set->any || end > set->last)
		set->last = end;
	set->any = true;
}

void interval_union_add(struct interval_union *set, uint64_t start, uint64_t end)
{
	if (end <= start)
		return;
	note_bounds(set, start, end);
	if (set->count == set->limit)
		make_room(set);
	if (set->folded && start < set->frontier) {
		set->late++;
		start = set->frontier;
		if (end <= start)
			return;
	}
	make_place(&set->items, &set->room, set->count + 1);
	assert(set->items && set->count < set->limit);
	struct interval item = {start, end};
	struct interval *last = set->count ? &set->items[set->count - 1] : NULL;
	if (!last || start > last->end)
		set->items[set->count++] = item;
	else if (start < last->start)
		insert(set, item);
	else if (end > last->end)
		last->end = end;
}

uint64_t interval_union_length(struct interval_union *set)
{
	settle(set);
	uint64_t length = set->folded_length;
	for (size_t i = 0; i < set->count; i++)
		length += set->items[i].end - set->items[i].start;
	return length;
}

bool interval_union_overlaps(struct interval_union *set, uint64_t start, uint64_t end)
{
	settle(set);
	size_t before = count_up_to(set, start);
	if (end <= start)
		return false;
	return (before > 0 && set->items[before - 1].end > start) ||
	       (before < set->count && set->items[before].start < end) ||
	       (set->folded && start < set->frontier);
}

bool interval_union_bounds(const struct interval_union *set, uint64_t *first, uint64_t *last)
{
	if (set->any) {
		*first = set->first;
		*last = set->last;
	}
	return set->any;
}

bool interval_union_is_folded(const struct interval_union *set)
{
	return set->folded;
}

uint64_t interval_union_late(const struct interval_union *set)
{
	return set->late;
}

/* --- timelines --- */

struct timeline {
	uint64_t origin;
	double ticks, width;
	double *busy; /* ticks */
	size_t count;
};

/* Adds `density` busy ticks per tick of [start, end) to the bins it lies in. */
static void spread(const struct timeline *line, uint64_t start, uint64_t end, double density)
{
	double from = start > line->origin ? (double)(start - line->origin) : 0;
	double to = end > line->origin ? (double)(end - line->origin) : 0;
	if (to > line->ticks)
		to = line->ticks;
	if (from >= to)
		return;
	size_t bin = (size_t)(from / line->width);
	for (bin -= bin > 0; bin < line->count; bin++) {
		double low = (double)bin * line->width, high = (double)(bin + 1) * line->width;
		if (low >= to)
			break;
		double part = (high < to ? high : to) - (low > from ? low : from);
		if (part > 0)
			line->busy[bin] += part * density;
	}
}

static void spread_folded(const struct interval_union *set, const struct timeline *line)
{
	double width = (double)set->fine_width;
	for (size_t i = 0; i < fine_count; i++) {
		uint64_t start = set->fine_origin + i * set->fine_width;
		/* The last bin may reach beyond the last tick there is. */
		uint64_t left = UINT64_MAX - start;
		uint64_t length = set->fine_width < left ? set->fine_width : left;
		if (set->fine[i])
			spread(line, start, start + length, (double)set->fine[i] / width);
	}
}

void interval_union_timeline(struct interval_union *set, uint64_t origin, double ticks, float *bins,
			     size_t count)
{
	double *busy = allocate(count, sizeof *busy);
	struct timeline line = {origin, ticks, ticks / (double)count, busy, count};
	settle(set);
	for (size_t i = 0; i < count; i++)
		busy[i] = 0;
	if (ticks > 0) {
		if (set->folded)
			spread_folded(set, &line);
		for (size_t i = 0; i < set->count; i++)
			spread(&line, set->items[i].start, set->items[i].end, 1);
	}
	for (size_t i = 0; i < count; i++) {
		double fraction = ticks > 0 ? busy[i] / line.width : 0;
		bins[i] = fraction < 1 ? (float)fraction : 1;
	}
	free(busy);
}
