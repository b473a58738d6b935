/*
 * Rows of a table by the work that they measured: one run a group, one line of
 * numbers a row. Rows of the same work are repeats, and their numbers become the
 * samples of one run.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "model/run/run.h"

enum { row_group_limit = 65536 };

struct row_group {
	struct span key;
	uint64_t hash;
	struct run *run;
	size_t first_line; /* of the table */
	double *numbers;   /* row_count lines of `width` numbers */
	size_t row_count, row_capacity;
};

/* Zeroed but for arena and width, it is empty and usable. */
struct row_groups {
	struct arena *arena;
	size_t width; /* numbers a row */
	struct row_group *items;
	size_t count, capacity;
	uint32_t *slots; /* 1 + index of an item, 0 free */
	size_t slot_count;
};

/* Rows of a kind, for a note about them. */
struct row_count {
	size_t count, first_line;
};

/* The group with this key, which is copied; a new one has an empty run. Valid until the next call.
 * NULL and *err when there are more than row_group_limit. */
struct row_group *row_groups_find(struct row_groups *groups, struct span key, size_t line,
				  struct error *err);
/* The numbers of one more row of the group, all NAN. */
double *row_group_add(const struct row_groups *groups, struct row_group *group);
/* Gives the run the metric from one column of the numbers: of a single row as it is, of several
 * their median and spread. */
void row_group_give(const struct row_groups *groups, const struct row_group *group, size_t column,
		    enum metric metric, enum provenance provenance);
void row_count_add(struct row_count *rows, size_t line);
/* Adds "3 rows, the first in line 7: WHAT" to the notes of the first run, if there are such rows.
 */
void row_groups_note(const struct row_groups *groups, struct row_count rows, const char *what);
/* Adds all runs to the list. */
void row_groups_finish(const struct row_groups *groups, struct run_list *runs);
