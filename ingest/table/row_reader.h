/*
 * Readers of CSV tables in which a row is a measurement: a table of columns, and functions for
 * what no table can express. Rows of the same work become one run; their times are its samples.
 *
 *   static const struct row_column columns[] = {
 *           {"kernel", .role = ROW_KERNEL, .required = true},
 *           {"ms", .role = ROW_NUMBER, .required = true},
 *           {.role = ROW_END},
 *   };
 *   static const struct row_reader rows = {.columns = columns, .rest_are_params = true, ...};
 *
 * What a column means belongs in its row; what follows from several columns belongs in take() or
 * describe(). Nothing about one format belongs in here. CONTRIBUTING.md walks through a reader.
 */
#ifndef INGEST_TABLE_ROW_READER_H
#define INGEST_TABLE_ROW_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "ingest/collect/row_groups.h"
#include "ingest/reader.h"
#include "ingest/table/csv.h"

enum row_role {
	ROW_END,
	ROW_RESULT, /* neither a parameter nor what tells work apart */
	ROW_WORK,   /* tells work apart, and describe() says what it means */
	ROW_KERNEL, /* a row without one is refused; these five tell work apart, too */
	ROW_VARIANT,
	ROW_DTYPE,
	ROW_DEVICE,
	ROW_PARAM,
	ROW_ATTRIBUTE, /* of the run, of repeats that of the first */
	ROW_NUMBER     /* not negative; in order the `numbers` of the reading */
};

struct row_column {
	const char *name;
	enum row_role role;
	const char *as; /* the parameter's or attribute's own name; NULL: that of the column */
	bool required;  /* a table without it is of another format */
	bool apart;     /* an attribute that tells work apart */
};

enum { row_number_limit = 8, row_width_limit = 4 };

/* What a reader's functions see of the row at hand. */
struct row_reading {
	const struct row_reader *reader;
	struct arena *arena;
	struct csv csv;
	double numbers[row_number_limit]; /* of this row, NAN where the cell is empty */
	struct row_groups groups;
	struct row_count left_out, strange; /* rows for the notes of these names */
	const void *state;                  /* of the reader's functions */
	/* Columns that are parameters, by their place. */
	struct row_param {
		const char *name; /* NULL: no parameter */
		bool again;       /* another column before has this name */
	} * params;
	struct strbuf key;
};

struct row_reader {
	const char *tool;
	size_t size_limit;                /* bytes of a file */
	const struct row_column *columns; /* ROW_END at the end */
	bool rest_are_params;             /* columns that no row names; else they are passed over */
	const char *none;                 /* in those: a word that means an empty cell */
	size_t width;                     /* numbers that a row gives, up to row_width_limit */
	enum metric metrics[row_width_limit]; /* measured; METRIC_COUNT: given by finish() */
	double divisors[row_width_limit]; /* without take(): from the first numbers to SI units */

	const char *left_out; /* note about rows that take() refused */
	const char *strange;  /* note about rows that take() found strange; or NULL */
	const char *nothing;  /* error where no row is left */

	/* Once the header is read. May be NULL. */
	int (*begin)(struct row_reading *reading, struct error *err);
	/* Puts the row's numbers in SI units into `line`, which is NAN. 1, 0 when the row is to be
	 * left out, -1. NULL: the first `width` numbers, each by its divisor; a row whose first is
	 * 0 or missing is left out. */
	int (*take)(struct row_reading *reading, double *line, struct error *err);
	/* Completes the run of a new group; columns with a role follow. May be NULL. */
	int (*describe)(struct row_reading *reading, struct run *run, struct error *err);
	/* The parameters' column that describe() uses otherwise in this row; or NULL. */
	const char *(*not_param)(const struct row_reading *reading);
	/* After each row of a group. May be NULL. */
	void (*add)(struct row_reading *reading, struct run *run);
	/* Instead of all of these but begin(): the reader puts the rows into groups itself. */
	int (*row)(struct row_reading *reading, struct error *err);
	/* When all is read, before the metrics are given. May be NULL. */
	void (*finish)(const struct row_reading *reading, const struct row_group *group);
};

/* Whether a file that begins with `head` has all the required columns. */
bool row_reader_detect(const struct row_reader *reader, struct span head);
int row_reader_read(const struct row_reader *reader, struct arena *arena, struct input *input,
		    struct ingest_result *result, struct error *err);

#endif
