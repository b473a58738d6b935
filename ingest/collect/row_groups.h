/*
 * Groups the rows of a table by the work that they measured: one run per group, one line of numbers
 * per row. Rows of the same work are repeats, and their numbers become the samples of the run.
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"

struct row_number {
	double number;
	size_t line;
};

struct row_group {
	struct span key;
	uint64_t hash;
	struct run *run;
	double *numbers; /* row_count lines of `width` numbers */
	size_t row_count, row_capacity;
	struct row_number *known; /* the reader's: the first known number of each column */
};

/* Usable after zeroing; set arena and width. */
struct row_groups {
	struct arena *arena;
	size_t width;     /* numbers per row */
	const char *unit; /* what messages call a row; NULL: "line" */
	size_t limit;     /* groups; 0: only memory limits them (result_memory.h) */
	size_t before;    /* bytes of the arena before the first group */
	struct row_group *items;
	size_t count, capacity;
	uint32_t *slots; /* hash table: 1 + index of an item, 0 free */
	size_t slot_count;
};

/* Counts rows for a warning. */
struct row_count {
	size_t count, first_line;
};

/* The group with this key, which is copied; a new group has an empty run. Valid until the next
 * call. NULL and *err if there are too many groups. */
struct row_group *row_groups_find(struct row_groups *groups, struct span key, size_t line,
				  struct error *err);
/* Adds a row to the group; returns its numbers, all NAN. */
double *row_groups_add(const struct row_groups *groups, struct row_group *group);
/* Gives the run the metric in one column: the number itself for a single row, the median and spread
 * for several. */
void row_groups_set_metric(const struct row_groups *groups, const struct row_group *group,
			   size_t column, enum metric metric, enum provenance provenance);
void row_groups_count_add(struct row_count *rows, size_t line);
/* Adds the warning "3 rows, the first in line 7: WHAT" to the first run, if there are such rows. */
void row_groups_note(const struct row_groups *groups, struct row_count rows, const char *what);
/* Adds all runs to the list. */
void row_groups_finish(const struct row_groups *groups, struct run_list *runs);
