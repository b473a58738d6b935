/*
 * Readers of CSV tables in which each row is a measurement. A reader is a table of columns, and
 * functions for what a table cannot express. Rows of the same work become one run; their times are
 * its samples.
 *
 *   static const struct row_column columns[] = {
 *           {"kernel", .role = ROW_KERNEL, .required = true},
 *           {"ms", .role = ROW_NUMBER, .required = true},
 *           {.role = ROW_END},
 *   };
 *   static const struct row_reader rows = {.columns = columns, .rest_are_params = true, ...};
 *
 * The meaning of a single column belongs in its row. Conclusions from several columns belong in
 * take() or describe(). This module contains nothing about a particular format. CONTRIBUTING.md
 * walks through a reader.
 */
#pragma once

#include "base/base.h"
#include "ingest/collect/collect.h"
#include "ingest/reader.h"
#include "ingest/table/csv.h"

enum row_role {
	ROW_END,
	ROW_RESULT, /* neither a parameter nor part of the work's identity */
	ROW_WORK,   /* part of the work's identity; describe() interprets it */
	ROW_KERNEL, /* required in each row; this and the next four are part of the identity, too */
	ROW_VARIANT,
	ROW_DTYPE,
	ROW_DEVICE,
	ROW_PARAM,
	ROW_ATTRIBUTE, /* of the run; if rows differ, the first one counts */
	ROW_NUMBER     /* not negative; in this order the `numbers` of the reading */
};

struct row_column {
	const char *name;
	enum row_role role;
	const char *as; /* name of the parameter or attribute; NULL: the column's name */
	bool required;  /* without it the table is of another format */
	bool apart;     /* for an attribute: it is part of the work's identity */
};

enum { row_number_limit = 8, row_width_limit = 4 };

/* What a reader's functions know about the current row. */
struct row_reading {
	const struct row_reader *reader;
	struct arena *arena;
	struct csv csv;
	double numbers[row_number_limit]; /* of this row; NAN if the cell is empty */
	struct row_groups groups;
	struct row_count left_out, strange; /* rows for the warnings of these names */
	const void *state;                  /* owned by the reader's functions */
	/* By column: whether it is a parameter. */
	struct row_param {
		const char *name; /* NULL: not a parameter */
		bool again;       /* an earlier column has the same name */
	} * params;
	struct strbuf key;
};

struct row_reader {
	const char *tool;
	size_t size_limit;                /* bytes; a larger file is refused */
	const struct row_column *columns; /* ROW_END at the end */
	bool rest_are_params; /* unlisted columns are parameters; else they are ignored */
	const char *none;     /* a word that means an empty cell in unlisted columns */
	size_t width;         /* numbers per row, at most row_width_limit */
	enum metric metrics[row_width_limit]; /* METRIC_COUNT: finish() gives it */
	double divisors[row_width_limit];     /* to SI units, for rows without take() */

	const char *left_out; /* warning about rows that take() refused */
	const char *strange;  /* warning about rows that take() marked as strange; or NULL */
	const char *nothing;  /* error if no row remains */

	/* Called once the header was read. May be NULL. */
	int (*begin)(struct row_reading *reading, struct error *err);
	/* Writes the row's numbers in SI units to `line`, which is NAN before. 1; 0 to leave the
	 * row out; -1 and *err. If NULL, the numbers are divided by their divisors, and a row whose
	 * first number is missing or 0 is left out. */
	int (*take)(struct row_reading *reading, double *line, struct error *err);
	/* Completes the run of a new group before the columns with a role do. May be NULL. */
	int (*describe)(struct row_reading *reading, struct run *run, struct error *err);
	/* The name of a parameter that describe() uses for something else in this row; or NULL. */
	const char *(*not_param)(const struct row_reading *reading);
	/* Called after each row of a group. May be NULL. */
	void (*add)(struct row_reading *reading, struct run *run);
	/* Replaces all of these except begin(): the reader groups rows itself. */
	int (*row)(struct row_reading *reading, struct error *err);
	/* Called at the end of the table, before the metrics are given. May be NULL. */
	void (*finish)(const struct row_reading *reading, const struct row_group *group);
};

/* Whether a file, whose first bytes are `head`, has all required columns. */
bool row_reader_detect(const struct row_reader *reader, struct span head);
int row_reader_read(const struct row_reader *reader, struct arena *arena, struct input *input,
		    struct ingest_result *result, struct error *err);
