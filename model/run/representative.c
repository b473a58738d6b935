/* Finds the median of repeats by their headline. */
#include "model/run/representative.h"

struct repeat {
	enum metric headline;
	double number;
	size_t index;
};

/* Groups runs by the kind of headline, each group in order; equal numbers keep their order. */
static int by_headline(const void *a, const void *b)
{
	const struct repeat *x = a, *y = b;
	if (x->headline != y->headline)
		return (x->headline > y->headline) - (x->headline < y->headline);
	int order = (x->number > y->number) - (x->number < y->number);
	return order ? order : (x->index > y->index) - (x->index < y->index);
}

struct repeats representative_of(struct arena *arena, struct run *const *runs, size_t count)
{
	assert(count > 0);
	struct repeat *order = arena_array(arena, count, sizeof *order);
	for (size_t i = 0; i < count; i++) {
		order[i] = (struct repeat){.headline = run_headline(runs[i]), .index = i};
		if (order[i].headline != METRIC_COUNT)
			order[i].number = run_number(runs[i], order[i].headline);
	}
	qsort(order, count, sizeof *order, by_headline);
	size_t alike = 1;
	while (alike < count && order[alike].headline == order[0].headline)
		alike++;
	return (struct repeats){
		.median = order[(alike - 1) / 2].index,
		.count = alike,
		.fastest = run_time(runs[order[0].index]),
		.slowest = run_time(runs[order[alike - 1].index]),
	};
}

const struct run *representative_median(struct arena *arena, const struct run_list *list)
{
	if (list->count == 0)
		return NULL;
	return list->items[representative_of(arena, list->items, list->count).median];
}
