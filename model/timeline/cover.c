/* Counts begins and ends in the order of time. */
#include "model/timeline/cover.h"

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* Adds a stretch; one that touches the last makes it longer. */
static void add(struct interval_cover *cover, struct interval_span stretch)
{
	struct interval_span *last = cover->count ? &cover->items[cover->count - 1] : NULL;
	if (last && last->end == stretch.begin) {
		last->end = stretch.end;
	} else {
		cover->before[cover->count] = cover->length;
		cover->items[cover->count++] = stretch;
	}
	cover->length += stretch.end - stretch.begin;
}

struct interval_cover interval_cover_of(struct arena *arena, const struct interval_span *intervals,
					size_t count, size_t least)
{
	assert(least > 0);
	struct arena scratch = {0};
	uint64_t *begins = arena_array(&scratch, count, sizeof *begins);
	uint64_t *ends = arena_array(&scratch, count, sizeof *ends);
	struct interval_cover cover = {arena_array(arena, count, sizeof *cover.items),
				       arena_array(arena, count, sizeof *cover.before), 0, 0};
	size_t used = 0, active = 0;
	for (size_t i = 0; i < count; i++)
		if (intervals[i].begin < intervals[i].end) {
			begins[used] = intervals[i].begin;
			ends[used++] = intervals[i].end;
		}
	array_sort(begins, used, sizeof *begins, ascending);
	array_sort(ends, used, sizeof *ends, ascending);
	uint64_t since = 0;
	for (size_t i = 0, k = 0; k < used;) {
		/* Ends come first: intervals that only touch do not run at once. */
		if (i == used || ends[k] <= begins[i]) {
			if (active-- == least)
				add(&cover, (struct interval_span){since, ends[k]});
			k++;
		} else {
			if (++active == least)
				since = begins[i];
			i++;
		}
	}
	arena_free(&scratch);
	return cover;
}

/* Index of the first stretch that ends after `time`. */
static size_t first_after(const struct interval_cover *cover, uint64_t time)
{
	size_t low = 0, high = cover->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (cover->items[middle].end > time)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Covered ticks before `time`. */
static uint64_t until(const struct interval_cover *cover, uint64_t time)
{
	size_t at = first_after(cover, time);
	if (at == cover->count)
		return cover->length;
	uint64_t begin = cover->items[at].begin;
	return cover->before[at] + (time > begin ? time - begin : 0);
}

uint64_t interval_cover_within(const struct interval_cover *cover, struct interval_span part)
{
	return part.begin < part.end ? until(cover, part.end) - until(cover, part.begin) : 0;
}

uint64_t interval_cover_both(const struct interval_cover *a, const struct interval_cover *b)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < b->count; i++)
		sum += interval_cover_within(a, b->items[i]);
	return sum;
}

bool interval_cover_since(const struct interval_cover *cover, uint64_t time, uint64_t *ticks)
{
	size_t at = first_after(cover, time);
	if (at < cover->count && cover->items[at].begin < time)
		*ticks = 0;
	else if (at > 0)
		*ticks = time - cover->items[at - 1].end;
	else
		return false;
	return true;
}
