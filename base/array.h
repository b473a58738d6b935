/* Sorting and searching of arrays, which may be NULL if they have no items. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* As for qsort(): negative, 0 or positive. */
typedef int array_order(const void *a, const void *b);

/* Ascending, without NAN. */
static inline int array_by_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static inline int array_by_int64(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* Of pointers to texts. */
static inline int array_by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static inline void array_sort(void *items, size_t count, size_t size, array_order *order)
{
	if (count)
		qsort(items, count, size, order);
}

/* The index of the first item that is not less than the key; `count` if there is none. `order` gets
 * an item and the key. */
static inline size_t array_lower_bound(const void *key, const void *items, size_t count,
				       size_t size, array_order *order)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (order((const char *)items + middle * size, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
