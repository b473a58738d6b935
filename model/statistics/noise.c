/* Medians, the noise of a series and what repeats of a commit come to. */
#include "model/statistics/noise.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double least_noise = 1e-4, winsor = 3.5;

static void swap(double *a, double *b)
{
	double c = *a;
	*a = *b;
	*b = c;
}

/* The middle one of the first, the middle and the last value, which are put in order. */
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

/* What is not less than the pivot changes places with what is not greater, from both ends; the end
 * of the lower part. */
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

/* The same, by lists of what has to go: of noise no branch could be predicted. */
static size_t split(double *v, size_t low, size_t high, double pivot)
{
	unsigned short up[SHORT], down[SHORT];
	size_t count = high - low + 1, ups = 0, downs = 0, pairs = 0;
	double *at = v + low;
	if (count > SHORT)
		return split_long(v, low, high, pivot);
	for (size_t i = 0; i < count; i++) {
		up[ups] = (unsigned short)i;
		ups += !(at[i] < pivot);
		down[downs] = (unsigned short)(count - 1 - i);
		downs += !(at[count - 1 - i] > pivot);
	}
	/* The last one is not less and the first one not greater, so the lists meet. */
	for (; up[pairs] < down[pairs]; pairs++)
		swap(&at[up[pairs]], &at[down[pairs]]);
	/* The way down stops at what was put there, too. */
	bool stops = pairs > 0 && up[pairs - 1] > down[pairs];
	return low + (stops ? up[pairs - 1] : down[pairs]);
}

/* Puts the k-th smallest at its place, smaller ones before it. */
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

/* Half of the two values in the middle, those before them put before them. */
static double median_by_order(double *values, size_t count)
{
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

/* The values in cells of equal width: which of them each is in, and how many each has. False where
 * they lie too near to each other for that. */
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

/* Only the cell of the middle value is looked at closely. */
double detect_median(double *values, size_t count)
{
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

double detect_location(struct arena *arena, const double *repeats, size_t count)
{
	enum { PAIRS_FROM = 5, PAIRS_TO = 64 };
	bool pairs = count >= PAIRS_FROM && count <= PAIRS_TO;
	double *means = arena_array(arena, pairs ? count * (count + 1) / 2 : count, sizeof *means);
	size_t used = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t k = i; k < (pairs ? count : i + 1); k++)
			means[used++] = (repeats[i] + repeats[k]) / 2;
	return detect_median(means, used);
}

int noise_by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Merges two sorted neighbours; of noise no branch could be predicted. */
static void merge(double *out, const double *a, size_t a_count, size_t b_count)
{
	const double *b = a + a_count, *b_end = b + b_count, *a_end = b;
	while (a < a_end && b < b_end) {
		bool second = *b < *a;
		*out++ = second ? *b : *a;
		a += !second;
		b += second;
	}
	memcpy(out, a, (size_t)(a_end - a) * sizeof *out);
	memcpy(out + (a_end - a), b, (size_t)(b_end - b) * sizeof *out);
}

/* The same of two as long as each other, from both ends: neither is left before the other. */
static void merge_equals(double *out, const double *a, size_t width)
{
	const double *b = a + width;
	size_t left = 0, right = 0, left_last = width, right_last = width;
	for (size_t i = 0; i < width; i++) {
		bool second = b[right] < a[left];
		out[i] = second ? b[right] : a[left];
		right += second;
		left += !second;
		bool first = b[right_last - 1] < a[left_last - 1];
		out[2 * width - 1 - i] = first ? a[left_last - 1] : b[right_last - 1];
		left_last -= first;
		right_last -= !first;
	}
}

/* Puts the lesser of two values first. */
static void order(double *a, double *b)
{
	double low = *b < *a ? *b : *a, high = *b < *a ? *a : *b;
	*a = low;
	*b = high;
}

enum { BLOCK = 4 };

/* Each block of values by itself. */
static void sort_blocks(double *v, size_t count)
{
	size_t at = 0;
	for (; at + BLOCK <= count; at += BLOCK) {
		order(v + at, v + at + 1);
		order(v + at + 2, v + at + 3);
		order(v + at, v + at + 2);
		order(v + at + 1, v + at + 3);
		order(v + at + 1, v + at + 2);
	}
	for (size_t i = at + 1; i < count; i++)
		for (size_t k = i; k > at; k--)
			order(v + k - 1, v + k);
}

void noise_sort(struct arena *scratch, double *values, size_t count)
{
	double *from = values, *to = arena_array(scratch, count, sizeof *to);
	sort_blocks(values, count);
	for (size_t width = BLOCK; width < count; width *= 2) {
		for (size_t i = 0; i < count; i += 2 * width) {
			size_t left = count - i < width ? count - i : width;
			size_t right = count - i - left < width ? count - i - left : width;
			if (left == right)
				merge_equals(to + i, from + i, left);
			else
				merge(to + i, from + i, left, right);
		}
		double *other = from;
		from = to;
		to = other;
	}
	if (from != values)
		memcpy(values, from, count * sizeof *values);
}

/* The standard deviation of neighbours' differences, from the many and not from the few. */
double detect_noise(struct arena *arena, const double *x, size_t n)
{
	if (n < 2)
		return least_noise;
	double *d = arena_array(arena, n - 1, sizeof *d);
	for (size_t i = 0; i + 1 < n; i++)
		d[i] = fabs(x[i + 1] - x[i]);
	double middle = median_by_order(d, n - 1), mad = middle / (0.6744897501960817 * sqrt(2.0));
	if (middle == 0) {
		size_t kept = (n - 1) * 9 / 10;
		noise_sort(arena, d, n - 1);
		for (size_t i = 0; i < kept; i++)
			mad += d[i];
		mad *= kept ? 0.886 / (double)kept : 0;
	}
	double cap = winsor * sqrt(2.0) * mad, squares = 0;
	for (size_t i = 0; i + 1 < n; i++) {
		double part = fmin(d[i], cap);
		squares += part * part;
	}
	double neighbours = sqrt(squares / (double)(n - 1) / 2);
	return fmax(fmax(mad, neighbours), least_noise);
}
