/* Medians by selection, with few branches, because noise defeats branch prediction. */
#include "model/statistics/median.h"

#include "base/base.h"

static void swap(double *a, double *b)
{
	double c = *a;
	*a = *b;
	*b = c;
}

/* Sorts the first, the middle and the last value; the middle one is the pivot. */
static double choose_pivot(double *v, size_t low, size_t high)
{
	size_t middle = low + (high - low) / 2;
	if (v[middle] < v[low])
		swap(&v[middle], &v[low]);
	if (v[high] < v[low])
		swap(&v[high], &v[low]);
	if (v[high] < v[middle])
		swap(&v[high], &v[middle]);
	return v[middle];
}

/* Swaps values not less than the pivot with values not greater, from both ends; returns the end of
 * the lower part. */
static size_t split_long(double *v, size_t low, size_t high, double pivot)
{
	size_t i = low, j = high;
	for (;;) {
		while (v[i] < pivot)
			i++;
		while (v[j] > pivot)
			j--;
		if (i >= j)
			return j;
		swap(&v[i++], &v[j--]);
	}
}

enum { SHORT = 640 };

/* The same for short ranges, with lists of the values to swap instead of branches. */
static size_t split(double *v, size_t low, size_t high, double pivot)
{
	unsigned short up[SHORT], down[SHORT];
	size_t count = high - low + 1, ups = 0, downs = 0, pairs = 0;
	double *at = v + low;
	assert(count > 0);
	if (count > SHORT)
		return split_long(v, low, high, pivot);
	for (size_t i = 0; i < count; i++) {
		up[ups] = (unsigned short)i;
		ups += !(at[i] < pivot);
		down[downs] = (unsigned short)(count - 1 - i);
		downs += !(at[count - 1 - i] > pivot);
	}
	/* The last value is not less and the first one not greater, so the lists meet. */
	for (; up[pairs] < down[pairs]; pairs++)
		swap(&at[up[pairs]], &at[down[pairs]]);
	/* The downward scan also stops at a value that was just put there. */
	bool stops = pairs > 0 && up[pairs - 1] > down[pairs];
	return low + (stops ? up[pairs - 1] : down[pairs]);
}

/* Puts the k-th smallest value at index k, smaller ones before it. */
static double select_kth(double *v, size_t count, size_t k)
{
	size_t low = 0, high = count - 1;
	while (low < high) {
		double pivot = choose_pivot(v, low, high);
		size_t end = split(v, low, high, pivot);
		if (k <= end)
			high = end;
		else
			low = end + 1;
	}
	return v[k];
}

/* The smaller values are before the middle now. */
double median_by_order(double *values, size_t count)
{
	assert(count > 0);
	double upper = select_kth(values, count, count / 2);
	if (count % 2)
		return upper;
	double lower = values[0];
	for (size_t i = 1; i < count / 2; i++)
		lower = values[i] > lower ? values[i] : lower;
	return (lower + upper) / 2;
}

enum { CELLS = 64, CELLS_FROM = 12 };

struct range {
	double low, high;
};

static inline void widen(struct range *range, double value)
{
	range->low = value < range->low ? value : range->low;
	range->high = value > range->high ? value : range->high;
}

/* Assigns the values to cells of equal width, and counts each cell. False if the values are too
 * close together. */
static bool fill_cells(const double *values, size_t count, unsigned char *cell,
		       unsigned short counts[CELLS])
{
	struct range even = {values[0], values[0]}, odd = {values[1], values[1]};
	for (size_t i = 2; i + 1 < count; i += 2) {
		widen(&even, values[i]);
		widen(&odd, values[i + 1]);
	}
	widen(&even, values[count - 1]);
	widen(&even, odd.low);
	widen(&even, odd.high);
	double low = even.low, per_width = CELLS / (even.high - low);
	if (!(per_width > 0) || isinf(per_width))
		return false;
	for (size_t i = 0; i < count; i++) {
		double at = (values[i] - low) * per_width;
		cell[i] = (unsigned char)(at < CELLS - 1 ? at : CELLS - 1);
		counts[cell[i]]++;
	}
	return true;
}

/* Only the cell with the middle value needs a selection. */
double median_in_place(double *values, size_t count)
{
	assert(count > 0);
	unsigned char cell[SHORT];
	unsigned short counts[CELLS] = {0};
	double inside[SHORT], below = -HUGE_VAL;
	size_t middle = count / 2, before = 0, at = 0, used = 0;
	if (count < CELLS_FROM || count > SHORT || !fill_cells(values, count, cell, counts))
		return median_by_order(values, count);
	while (before + counts[at] <= middle)
		before += counts[at++];
	for (size_t i = 0; i < count; i++) {
		inside[used] = values[i];
		used += cell[i] == at;
	}
	double upper = select_kth(inside, used, middle - before);
	if (count % 2)
		return upper;
	for (size_t i = 0; i < middle - before; i++)
		below = inside[i] > below ? inside[i] : below;
	for (size_t i = 0; middle == before && i < count; i++)
		below = cell[i] < at && values[i] > below ? values[i] : below;
	return (below + upper) / 2;
}

double median_of(const double *values, size_t count)
{
	enum { FEW = 64 };
	struct arena arena = {0};
	double few[FEW];
	if (count == 0)
		return NAN;
	double *copy = count <= FEW ? few : arena_array(&arena, count, sizeof *copy);
	memcpy(copy, values, count * sizeof *copy);
	double median = median_in_place(copy, count);
	arena_free(&arena);
	return median;
}
