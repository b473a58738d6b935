/*
 * What the comparisons of a call say about each other, sorted once: their p values and, per metric
 * and direction, their steps. A self-test puts one slowdown after another in the place of a
 * comparison; then looking it up replaces sorting all of them again.
 */
#include "model/gate/internal.h"

double gate_step(const struct comparison *one)
{
	bool judged = one->judged.method == METHOD_BASELINE && one->judged.change > -1;
	double step = judged ? log1p(one->judged.change) : NAN;
	return policy_direction(one->policy, one->metric) == METRIC_HIGHER ? -step : step;
}

static double p_of(const struct comparison *one, bool slower)
{
	return slower ? one->p : one->p_faster;
}

bool gate_is_step(const struct comparison *one, bool slower)
{
	double step = gate_step(one);
	return !isnan(step) && p_of(one, slower) < one->policy->alpha && slower == (step > 0);
}

/* The size of a step in this direction; NAN if it is none. */
static double size_of(const struct comparison *one, bool slower)
{
	return gate_is_step(one, slower) ? fabs(gate_step(one)) : NAN;
}

static void sort(struct gate_numbers *numbers)
{
	array_sort(numbers->items, numbers->count, sizeof *numbers->items, array_by_double);
}

static void add(struct gate_numbers *numbers, double number)
{
	if (!isnan(number))
		numbers->items[numbers->count++] = number;
}

static struct gate_steps steps_of(struct arena *arena, const struct gate_result *gate,
				  enum metric metric)
{
	struct gate_steps steps = {.metric = metric};
	for (size_t slower = 0; slower < 2; slower++) {
		struct gate_numbers *sizes = &steps.sizes[slower];
		sizes->items = arena_array(arena, gate->count, sizeof *sizes->items);
		for (size_t i = 0; i < gate->count; i++)
			if (gate->comparisons[i].metric == metric)
				add(sizes, size_of(&gate->comparisons[i], slower));
		sort(sizes);
	}
	for (size_t i = 0; i < gate->count; i++)
		steps.looked_at += gate->comparisons[i].metric == metric &&
				   !isnan(gate_step(&gate->comparisons[i]));
	return steps;
}

static const struct gate_steps *find_steps(const struct gate_peers *peers, enum metric metric)
{
	for (size_t i = 0; i < peers->count; i++)
		if (peers->steps[i].metric == metric)
			return &peers->steps[i];
	return NULL;
}

struct gate_peers gate_peers_of(struct arena *arena, const struct gate_result *gate)
{
	struct gate_peers peers = {.count = 0};
	for (size_t slower = 0; slower < 2; slower++) {
		peers.p[slower].items = arena_array(arena, gate->count, sizeof(double));
		for (size_t i = 0; i < gate->count; i++)
			add(&peers.p[slower], p_of(&gate->comparisons[i], slower));
		sort(&peers.p[slower]);
	}
	for (size_t i = 0; i < gate->count; i++)
		if (!find_steps(&peers, gate->comparisons[i].metric))
			*arena_next(arena, peers.steps, peers.count, peers.capacity) =
				steps_of(arena, gate, gate->comparisons[i].metric);
	return peers;
}

/* --- one number in the place of another --- */

/* Sorted numbers without the one at index `out`, and with `number` at index `in` of the result. */
struct replaced {
	const struct gate_numbers *numbers;
	size_t out, in, count;
	double number;
};

static size_t index_of(const struct gate_numbers *numbers, double number)
{
	return array_lower_bound(&number, numbers->items, numbers->count, sizeof number,
				 array_by_double);
}

/* Either number may be NAN: then nothing is left out, or added. */
static struct replaced replace(const struct gate_numbers *numbers, double old, double new)
{
	struct replaced list = {numbers, isnan(old) ? numbers->count : index_of(numbers, old),
				.number = new};
	assert(isnan(old) || numbers->items[list.out] == old);
	list.count = numbers->count - !isnan(old) + !isnan(new);
	list.in = isnan(new) ? list.count : index_of(numbers, new);
	list.in -= !isnan(new) && list.in > list.out;
	return list;
}

static double number_at(const struct replaced *list, size_t index)
{
	assert(index < list->count);
	if (index == list->in)
		return list->number;
	index -= index > list->in;
	return list->numbers->items[index + (index >= list->out)];
}

double gate_peers_q(const struct gate_peers *peers, const struct comparison *old,
		    const struct comparison *new, bool slower)
{
	double p = p_of(new, slower), least = 1;
	if (isnan(p))
		return NAN;
	struct replaced list = replace(&peers->p[slower], p_of(old, slower), p);
	/* As false_discovery_adjust(): the least of p * count / rank from here on. It is never less
	 * than p, so that the search ends at the first larger p. */
	for (size_t i = list.in; i < list.count && number_at(&list, i) < least; i++)
		least = fmin(least, number_at(&list, i) * (double)list.count / (double)(i + 1));
	return least;
}

size_t gate_peers_judged(const struct gate_peers *peers, const struct comparison *old,
			 const struct comparison *new)
{
	return peers->p[true].count - !isnan(old->p) + !isnan(new->p);
}

/* How many sizes are less than this multiple of the usual one, or as large if `equal`. */
static size_t count_below(const struct replaced *list, double usual, double share, bool equal)
{
	size_t low = 0, high = list->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		double size = number_at(list, middle) / usual;
		if (size < share || (equal && size == share))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct gate_movement gate_peers_movement(const struct gate_peers *peers, bool slower,
					 const struct comparison *old, const struct comparison *new)
{
	const struct gate_steps *steps = find_steps(peers, new->metric);
	struct gate_movement m = {.usual = NAN};
	assert(steps && old->metric == new->metric);
	struct replaced list =
		replace(&steps->sizes[slower], size_of(old, slower), size_of(new, slower));
	m.looked_at = steps->looked_at - !isnan(gate_step(old)) + !isnan(gate_step(new));
	if (!list.count)
		return m;
	double usual =
		(number_at(&list, (list.count - 1) / 2) + number_at(&list, list.count / 2)) / 2;
	m.usual = slower ? usual : -usual;
	if (usual > 0)
		m.moved = count_below(&list, usual, GATE_ALIKE_MOST, true) -
			  count_below(&list, usual, GATE_ALIKE_LEAST, false);
	return m;
}
