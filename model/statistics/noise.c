/* The noise of a series, and the location of a commit's repeats. */
#include "model/statistics/noise.h"

#include "model/statistics/median.h"

static const double least_noise = 1e-4, winsor = 3.5;

double noise_location(struct arena *arena, const double *repeats, size_t count)
{
	enum { PAIRS_FROM = 5, PAIRS_TO = 64 };
	bool pairs = count >= PAIRS_FROM && count <= PAIRS_TO;
	double *means = arena_array(arena, pairs ? count * (count + 1) / 2 : count, sizeof *means);
	size_t used = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t k = i; k < (pairs ? count : i + 1); k++)
			means[used++] = (repeats[i] + repeats[k]) / 2;
	return median_in_place(means, used);
}

/* Merges two sorted neighbours; branch-free, because noise defeats branch prediction. */
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

/* The same for two parts of equal length, from both ends: neither is used up before the other. */
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

/* Swaps two values if the first one is greater. */
static void order(double *a, double *b)
{
	double low = *b < *a ? *b : *a, high = *b < *a ? *a : *b;
	*a = low;
	*b = high;
}

enum { BLOCK = 4 };

/* Sorts each block of values. */
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

/* The standard deviation of neighbours' differences, estimated from the bulk and not from
 * outliers. */
double noise_measure(struct arena *arena, const double *x, size_t n)
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
