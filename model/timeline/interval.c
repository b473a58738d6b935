/* Streaming union of intervals. A set has a batch of the latest intervals, unsorted; a sorted list
 * of disjoint intervals; and bins for the folded part. A full batch is sorted once, and merged into
 * the list of its set and of all sets that include it. */
#include "model/timeline/interval.h"

enum { batch_limit = 4096, fine_count = 4096 };

struct interval {
	uint64_t start, end;
};

struct interval_union {
	size_t limit;
	/* Sorted, disjoint, not touching. May exceed `limit` by the batches of the set and its
	 * parts, because a set is folded only when no older interval waits in them. */
	struct interval *items;
	size_t count, room;
	struct interval *batch; /* in the order of arrival */
	size_t batch_count, batch_room;
	struct interval *sorted; /* scratch for sorting the batch, of the same capacity */
	size_t sorted_room;
	uint32_t *runs; /* starts of the batch's runs, and its end */
	size_t runs_room;
	bool any;
	uint64_t first, last;

	/* The set that includes this one, its parts, and the next part of the same whole. */
	struct interval_union *whole, *parts, *next;

	/* The folded part, once there were more than `limit` intervals. */
	bool folded;
	uint64_t frontier; /* end of the folded part */
	uint64_t folded_length;
	uint64_t late;
	uint64_t fine_origin;
	unsigned fine_shift;
	uint64_t *fine; /* fine_count: busy ticks of each 2^fine_shift ticks from `fine_origin` */
};

/* Grows an array to at least `needed` items; starts small, because most unions have few
 * intervals. */
static void *grow(void *things, size_t *room, size_t needed, size_t size)
{
	if (needed <= *room)
		return things;
	*room = needed < 64 ? 64 : needed > *room * 2 ? needed : *room * 2;
	things = realloc(things, *room * size);
	if (!things)
		abort();
	return things;
}

struct interval_union *interval_union_new_limited(size_t limit)
{
	struct interval_union *set = memory_allocate(1, sizeof *set);
	set->limit = limit;
	return set;
}

struct interval_union *interval_union_new(void)
{
	return interval_union_new_limited(interval_limit);
}

void interval_union_include(struct interval_union *whole, struct interval_union *part)
{
	assert(!part->whole && whole->count + whole->batch_count == 0);
	assert(part->count + part->batch_count == 0);
	part->whole = whole;
	part->next = whole->parts;
	whole->parts = part;
}

void interval_union_free(struct interval_union *set)
{
	if (!set)
		return;
	free(set->items);
	free(set->batch);
	free(set->sorted);
	free(set->runs);
	free(set->fine);
	free(set);
}

/* --- the folded part --- */

static void double_fine_width(struct interval_union *set)
{
	for (size_t i = 0; i < fine_count / 2; i++)
		set->fine[i] = set->fine[2 * i] + set->fine[2 * i + 1];
	memset(set->fine + fine_count / 2, 0, fine_count / 2 * sizeof *set->fine);
	set->fine_shift++;
}

static void add_to_fine(struct interval_union *set, struct interval item)
{
	uint64_t start = item.start - set->fine_origin, end = item.end - set->fine_origin;
	while ((end - 1) >> set->fine_shift >= fine_count)
		double_fine_width(set);
	while (start < end) {
		uint64_t bin = start >> set->fine_shift;
		uint64_t left = ((bin + 1) << set->fine_shift) - start;
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
		set->fine = memory_allocate(fine_count, sizeof *set->fine);
		set->fine_origin = set->items[0].start;
	}
	for (size_t i = 0; i < gone; i++) {
		set->folded_length += set->items[i].end - set->items[i].start;
		add_to_fine(set, set->items[i]);
	}
	set->frontier = set->items[gone - 1].end;
	set->count -= gone;
	memmove(set->items, set->items + gone, set->count * sizeof *set->items);
}

/* --- a batch --- */

/* Merges two neighbouring runs; branch-free, because the branches would be unpredictable. */
static void merge_runs(const struct interval *from, struct interval *to, size_t a, size_t b,
		       size_t end)
{
	size_t at = a, middle = b;
	while (a < middle && b < end) {
		bool second = from[b].start < from[a].start;
		to[at++] = from[second ? b : a];
		a += !second;
		b += second;
	}
	memcpy(to + at, from + a, (middle - a) * sizeof *to);
	memcpy(to + at + (middle - a), from + b, (end - b) * sizeof *to);
}

static size_t find_runs(struct interval_union *set)
{
	size_t count = 0;
	set->runs = grow(set->runs, &set->runs_room, set->batch_count + 1, sizeof *set->runs);
	for (size_t i = 0; i < set->batch_count; i++)
		if (i == 0 || set->batch[i].start < set->batch[i - 1].start)
			set->runs[count++] = (uint32_t)i;
	set->runs[count] = (uint32_t)set->batch_count;
	return count;
}

/* Joins neighbours that overlap or touch in a list sorted by start; returns the new count. */
static size_t join(struct interval *list, size_t count)
{
	size_t last = 0;
	for (size_t i = 1; i < count; i++) {
		if (list[i].start > list[last].end)
			list[++last] = list[i];
		else if (list[i].end > list[last].end)
			list[last].end = list[i].end;
	}
	return last + 1;
}

/* Natural merge sort: input from a few sorted sources has few runs. */
static struct interval *sort_batch(struct interval_union *set, size_t *count)
{
	size_t runs = find_runs(set);
	set->sorted = grow(set->sorted, &set->sorted_room, set->batch_count, sizeof *set->sorted);
	struct interval *from = set->batch, *to = set->sorted;
	while (runs > 1) {
		size_t left = 0;
		for (size_t i = 0; i < runs; i += 2) {
			size_t end = i + 2 < runs ? i + 2 : runs;
			merge_runs(from, to, set->runs[i], set->runs[i + 1], set->runs[end]);
			set->runs[left++] = set->runs[i];
		}
		set->runs[left] = set->runs[runs];
		runs = left;
		struct interval *merged = to;
		to = from;
		from = merged;
	}
	*count = join(from, set->batch_count);
	return from;
}

/* --- the exact part --- */

/* Merges sorted, disjoint intervals into the list, from its end, so that no second list is
 * needed. */
static void merge(struct interval_union *set, const struct interval *batch, size_t count)
{
	set->first = !set->any || batch[0].start < set->first ? batch[0].start : set->first;
	set->last =
		!set->any || batch[count - 1].end > set->last ? batch[count - 1].end : set->last;
	set->any = true;
	for (; count > 0 && set->folded && batch[0].end <= set->frontier; count--, batch++)
		set->late++;
	if (count == 0)
		return;
	struct interval first = batch[0];
	if (set->folded && first.start < set->frontier) {
		set->late++;
		first.start = set->frontier;
	}
	size_t a = set->count, to = a + count;
	set->items = grow(set->items, &set->room, to, sizeof *set->items);
	set->count = to;
	for (size_t b = count; b > 0;) {
		struct interval next = b == 1 ? first : batch[b - 1];
		bool use_item = a > 0 && set->items[a - 1].start > next.start;
		set->items[--to] = use_item ? set->items[--a] : next;
		b -= !use_item;
	}
	a -= a > 0;
	set->count = a + join(set->items + a, set->count - a);
}

/* Merges all pending batches of the set and its parts. The sets that include it may then exceed
 * their limits. */
static void settle(struct interval_union *set)
{
	for (struct interval_union *part = set->parts; part; part = part->next)
		settle(part);
	if (set->batch_count > 0) {
		size_t count;
		const struct interval *batch = sort_batch(set, &count);
		for (struct interval_union *each = set; each; each = each->whole)
			merge(each, batch, count);
		set->batch_count = 0;
	}
	if (set->count > set->limit)
		fold(set);
}

static void settle_upwards(struct interval_union *set)
{
	settle(set);
	while ((set = set->whole))
		if (set->count > set->limit)
			settle(set);
}

void interval_union_add(struct interval_union *set, uint64_t start, uint64_t end)
{
	if (end <= start)
		return;
	if (set->batch_count > 0) {
		struct interval *last = &set->batch[set->batch_count - 1];
		if (start >= last->start && start <= last->end) {
			last->end = end > last->end ? end : last->end;
			return;
		}
	}
	if (set->batch_count == set->batch_room) {
		if (set->batch_count >= batch_limit)
			settle_upwards(set);
		set->batch = grow(set->batch, &set->batch_room, set->batch_count + 1,
				  sizeof *set->batch);
	}
	set->batch[set->batch_count++] = (struct interval){start, end};
}

/* Number of intervals that start at or before `start`. */
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

uint64_t interval_union_length(struct interval_union *set)
{
	settle_upwards(set);
	uint64_t length = set->folded_length;
	for (size_t i = 0; i < set->count; i++)
		length += set->items[i].end - set->items[i].start;
	return length;
}

bool interval_union_overlaps(struct interval_union *set, uint64_t start, uint64_t end)
{
	settle_upwards(set);
	size_t before = count_up_to(set, start);
	if (end <= start)
		return false;
	return (before > 0 && set->items[before - 1].end > start) ||
	       (before < set->count && set->items[before].start < end) ||
	       (set->folded && start < set->frontier);
}

bool interval_union_bounds(struct interval_union *set, uint64_t *first, uint64_t *last)
{
	settle_upwards(set);
	if (set->any) {
		*first = set->first;
		*last = set->last;
	}
	return set->any;
}

bool interval_union_is_folded(struct interval_union *set)
{
	settle_upwards(set);
	return set->folded;
}

uint64_t interval_union_late(struct interval_union *set)
{
	settle_upwards(set);
	return set->late;
}

/* --- timelines --- */

struct timeline {
	uint64_t origin;
	double ticks, width;
	double *busy; /* ticks */
	size_t count;
};

/* Adds `density` busy ticks per tick of [start, end) to the bins that it overlaps. */
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
	uint64_t width = (uint64_t)1 << set->fine_shift;
	for (size_t i = 0; i < fine_count; i++) {
		uint64_t start = set->fine_origin + i * width;
		/* The last bin may extend beyond the largest tick. */
		uint64_t left = UINT64_MAX - start;
		uint64_t length = width < left ? width : left;
		if (set->fine[i])
			spread(line, start, start + length, (double)set->fine[i] / (double)width);
	}
}

void interval_union_timeline(struct interval_union *set, uint64_t origin, double ticks, float *bins,
			     size_t count)
{
	double *busy = memory_allocate(count, sizeof *busy);
	struct timeline line = {origin, ticks, ticks / (double)count, busy, count};
	settle_upwards(set);
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
